/** Trees that an agent could leave, drawn from a grammar: each holds one thing that must not be taken over, and says which. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

export interface TreePlaces {
  /** The agent's folder. */
  readonly folder: string;
  /** Where nothing may change and nothing may be taken from. */
  readonly outside: string;
  /** A program that tells when it was run. */
  readonly trap: string;
}

export interface HostileTree {
  readonly kind: string;
  readonly about: string;
  /** Part of what people are told; the name of what is refused, as they see it. */
  readonly named: string;
  readonly make: (places: TreePlaces) => void;
}

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(12);

const folderName = fc.constantFrom('x', 'y', 'lib', 'Ünï', 'a b', 'deep', '.hidden');
const place = fc.array(folderName, { maxLength: 4 });
const join2 = (parts: readonly string[], name: string): string => [...parts, name].join('/');

function write(folder: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function link(folder: string, path: string, target: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path));
}

const up = (parts: readonly string[], more = 0): string => '../'.repeat(parts.length + more);

/** Each leads outside, through another link, into git or nowhere. */
const links = fc
  .tuple(
    place,
    fc.constantFrom<
      (parts: readonly string[], places: TreePlaces) => [target: string | Buffer, beside?: [string, string]]
    >(
      (_, { outside }) => [join(outside, 'secret')],
      () => ['/etc/passwd'],
      () => ['/'],
      (parts) => [`${up(parts, 1)}outside/secret`],
      (parts) => [`${up(parts, 2)}etc`],
      (parts) => [`${up(parts)}src/../../outside`],
      (parts) => [`${up(parts)}.git/config`],
      (parts) => [`${up(parts)}.GIT/config`],
      (parts) => [`${up(parts)}git~1`],
      (parts) => ['s/../secret', ['s', up(parts) || '.']],
      (parts) => ['s/a.txt', ['s', `${up(parts)}src`]],
      (parts) => ['S/../../outside', ['s', `${up(parts)}src`]],
      (parts) => ['s', ['s', `${up(parts)}src/a.txt`]],
      () => ['hostile'],
      (parts) => [up(parts) || '.'],
      () => ['nothing/at/all'],
      () => ['..\\..\\outside\\secret'],
      () => ['C:/Windows'],
      () => [Buffer.from([0x61, 0xff])],
      (parts) => [`${'./'.repeat(600)}${up(parts)}src/a.txt`],
      (parts) => [`${up(parts)}src/a.txt/../../outside`],
      (parts) => [`${up(parts)}src\u200D/a.txt`],
    ),
  )
  .map(([parts, choose]): HostileTree => {
    const path = join2(parts, 'hostile');
    return {
      ...{ kind: 'link', about: `${path}: ${choose.toString()}`, named: 'hostile' },
      make: (places) => {
        const [target, beside] = choose(parts, places);
        if (beside !== undefined) link(places.folder, join2(parts, beside[0]), beside[1]);
        link(places.folder, path, target);
      },
    };
  });

const setting = (trap: string): string =>
  `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = ${trap}\n`;

function makeBare(folder: string, names: readonly [string, string, string, string], trap: string): void {
  const [head, config, objects, refs] = names;
  write(folder, head, 'ref: refs/heads/main\n');
  write(folder, config, setting(trap));
  write(folder, `${objects}/info/x`, 'x');
  write(folder, `${refs}/heads/x`, 'x');
}

const gits = {
  env: { PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' },
  stdio: 'ignore',
} as const;

/** What git takes for a repository here, or would elsewhere. */
const repositories = fc
  .tuple(
    fc.array(folderName, { maxLength: 3 }),
    fc.constantFrom<[string, (folder: string, places: TreePlaces) => void]>(
      ['bare', (folder, { trap }) => makeBare(folder, ['HEAD', 'config', 'objects', 'refs'], trap)],
      [
        'bare, other letters',
        (folder, { trap }) => makeBare(folder, ['head', 'CONFIG', 'Objects', 'refs'], trap),
      ],
      ['bare, dots', (folder, { trap }) => makeBare(folder, ['HEAD', 'config', 'objects.', 'refs '], trap)],
      [
        'bare, by git',
        (folder, { trap }) => {
          execFileSync('git', ['init', '--quiet', '--bare', folder], gits);
          write(folder, 'config', setting(trap));
          for (const part of ['objects', 'refs']) write(folder, `${part}/keep`, '');
        },
      ],
      [
        'bare, linked head',
        (folder, { trap }) => {
          makeBare(folder, ['other', 'config', 'objects', 'refs'], trap);
          link(folder, 'HEAD', 'refs/heads/x');
        },
      ],
      [
        'bare, linked folders',
        (folder, { trap }) => {
          makeBare(folder, ['HEAD', 'config', 'o', 'r'], trap);
          link(folder, 'objects', 'o');
          link(folder, 'refs', 'r');
        },
      ],
      [
        'of a work tree',
        (folder, { trap }) => {
          write(folder, 'HEAD', 'ref: refs/heads/main\n');
          write(folder, 'commondir', '../../.git\n');
          write(folder, 'config.worktree', setting(trap));
        },
      ],
      [
        'with a work tree',
        (folder, { trap }) => {
          execFileSync('git', ['init', '--quiet', folder], gits);
          write(folder, '.git/config', setting(trap).replace('true', 'false'));
          write(folder, 'inside.txt', 'x\n');
        },
      ],
      ['a file that names one', (folder) => write(folder, '.git', 'gitdir: ../../.git\n')],
      ['.GIT', (folder) => write(folder, '.GIT/config', 'x')],
      ['git~1', (folder) => write(folder, 'git~1/config', 'x')],
      ['.git with a dot', (folder) => write(folder, '.git./config', 'x')],
      ['.git with a space', (folder) => write(folder, '.git /config', 'x')],
      ['.git with what cannot be seen', (folder) => write(folder, '.g\u200Cit/config', 'x')],
      ['.git as a stream', (folder) => write(folder, '.git::$INDEX_ALLOCATION/config', 'x')],
    ),
  )
  .map(([parts, [about, fill]]): HostileTree => {
    const path = join2(parts, 'emb');
    return {
      ...{ kind: 'repository', about: `${path}: ${about}`, named: 'emb' },
      make: (places) => {
        mkdirSync(join(places.folder, path), { recursive: true });
        fill(join(places.folder, path), places);
      },
    };
  });

const bytes = (folder: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder}/`), name]);

const names = fc
  .tuple(
    place,
    fc.constantFrom<[named: string, (folder: string) => void]>(
      ['\\\\xff', (folder) => writeFileSync(bytes(folder, Buffer.from([0x61, 0xff])), 'x')],
      ['\\\\xe9', (folder) => mkdirSync(bytes(folder, Buffer.from('caf\xe9', 'latin1')))],
      ['back', (folder) => write(folder, 'back\\slash', 'x')],
      ['tab', (folder) => write(folder, 'tab\there', 'x')],
      ['line', (folder) => write(folder, 'line\nbreak', 'x')],
      ['\\\\u{202e}', (folder) => write(folder, 'a\u202Egpj.exe', 'x')],
      ['\\\\u{7}', (folder) => write(folder, 'bell\u0007', 'x')],
      ['long', (folder) => write(folder, `${`${'long'.repeat(20)}/`.repeat(6)}x`, 'x')],
    ),
  )
  .map(([parts, [named, fill]]): HostileTree => {
    return {
      ...{ kind: 'name', about: `${parts.join('/')}: ${JSON.stringify(named)}`, named },
      make: ({ folder }) => {
        const here = join(folder, ...parts);
        mkdirSync(here, { recursive: true });
        fill(here);
      },
    };
  });

/** Names that stand beside one that is there already. */
const collisions = fc
  .constantFrom('SRC/b.txt', 'Readme.md', 'README.md.', 'src/A.txt', 'src/a.txt ', 'Src')
  .map(
    (path): HostileTree => ({
      ...{ kind: 'collision', about: path, named: path.trim() },
      make: ({ folder }) => write(folder, path, 'x'),
    }),
  );

const specials = fc
  .tuple(
    place,
    fc.constantFrom<[string, (path: string, places: TreePlaces) => void]>(
      ['pipe', (path) => execFileSync('mkfifo', [path])],
      [
        'socket',
        (path) => {
          const server = createServer().listen(path);
          // The name stays when it is not closed in order.
          server.unref();
        },
      ],
      ['hard link', (path, { outside }) => linkSync(join(outside, 'secret'), path)],
    ),
    fc.constantFrom('hostile', '.gitignore', 'hostile.txt'),
  )
  .filter(([parts, , name]) => parts.length > 0 || name !== '.gitignore')
  .map(
    ([parts, [about, fill], name]): HostileTree => ({
      ...{ kind: 'special', about: `${join2(parts, name)}: ${about}`, named: name },
      make: (places) => {
        mkdirSync(join(places.folder, ...parts), { recursive: true });
        fill(join(places.folder, ...parts, name), places);
      },
    }),
  );

const sizes = fc.tuple(place, fc.constantFrom(10 * 1024 * 1024 + 1, 60 * 1024 * 1024, 300 * 1024 * 1024)).map(
  ([parts, size]): HostileTree => ({
    ...{ kind: 'size', about: `${parts.join('/')}: ${size}`, named: 'huge.bin' },
    make: ({ folder }) => {
      write(folder, join2(parts, 'huge.bin'), '');
      truncateSync(join(folder, ...parts, 'huge.bin'), size);
    },
  }),
);

/** Put together here, so that no file of ours holds anything that looks like a key. */
const secretTexts = [
  ...['p', 'o', 'u', 'r', 's'].map((letter) => `gh${letter}_${letters.slice(0, 36)}`),
  `ghs_1234_eyJ${letters.slice(0, 30)}.eyJ${letters.slice(0, 90)}.${letters.slice(0, 86)}`,
  `github_pat_${letters.slice(0, 82)}`,
  `glpat-${letters.slice(0, 20)}`,
  `npm_${letters.slice(0, 36)}`,
  `xox${'b'}-1234567890-${letters.slice(0, 20)}`,
  `sk_${'live'}_${letters.slice(0, 24)}`,
  `sk-${'ant'}-api03-${letters.slice(0, 40)}`,
  `sk-${'proj'}-${letters.slice(0, 40)}`,
  `AIza${letters.slice(0, 35)}`,
  `AKIA${'A2B3C4D5E6F7G2H3'}`,
  `-----BEGIN ${'PRIVATE'} KEY-----`,
  `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----`,
  `https://bot:${'s3cr3t-w0rd'}@git.host.org/x.git`,
];

const secrets = fc
  .tuple(
    place,
    fc.constantFrom(...secretTexts),
    fc.constantFrom<[string, (text: string) => Buffer]>(
      ['text', (text) => Buffer.from(`first\nkey = "${text}"\n`)],
      ['far down', (text) => Buffer.from(`${'line\n'.repeat(5000)}key: ${text}\n`)],
      [
        'binary',
        (text) =>
          Buffer.concat([Buffer.alloc(5000, 0), Buffer.from(`"${text}"`), Buffer.from([0, 255, 254])]),
      ],
      ['UTF-16', (text) => Buffer.from(`\uFEFFkey = "${text}"\r\n`, 'utf16le')],
      ['UTF-16 the other way', (text) => Buffer.from(`key = "${text}"\r\n`, 'utf16le').swap16()],
    ),
    fc.constantFrom('config.mjs', 'data.bin', 'picture.png', 'a.lock', 'README.de.md'),
  )
  .map(
    ([parts, text, [about, encode], name]): HostileTree => ({
      ...{ kind: 'secret', about: `${join2(parts, name)}: ${about} ${text.slice(0, 12)}`, named: name },
      make: ({ folder }) => write(folder, join2(parts, name), encode(text)),
    }),
  );

/** Every kind as often as its weight says. */
export const hostileTree = fc.oneof(
  { weight: 5, arbitrary: links },
  { weight: 5, arbitrary: repositories },
  { weight: 3, arbitrary: names },
  { weight: 2, arbitrary: collisions },
  { weight: 3, arbitrary: specials },
  { weight: 1, arbitrary: sizes },
  { weight: 5, arbitrary: secrets },
);

export const hostileKinds = ['link', 'repository', 'name', 'collision', 'special', 'size', 'secret'];

/** What a benign agent leaves: files, programs, links inside, pictures, names in other scripts. */
export const benignTree = fc.uniqueArray(
  fc.record({
    path: fc
      .tuple(
        place,
        fc.constantFrom(
          'one.ts',
          'two.md',
          'drei.py',
          '四.txt',
          'HEAD',
          'refs',
          'objects.js',
          'x.git',
          '.gitkeep',
        ),
      )
      .map(([parts, name]) => join2(['new', ...parts], name)),
    content: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
      fc.constantFrom(
        'é\r\nü\r\n',
        '',
        '$Id$\n',
        `sha512-${'ab+/'.repeat(20)}==\n`,
        '123e4567-e89b-12d3-a456-426614174000\n',
      ),
    ),
    isProgram: fc.boolean(),
    linkTo: fc.option(fc.constantFrom('src/a.txt', 'src', 'README.md'), { nil: null, freq: 5 }),
  }),
  { selector: ({ path }) => path.toLowerCase(), minLength: 1, maxLength: 8 },
);
