/**
 * Pull requests drawn from a grammar, as commits of git that a work tree might never have held: each hostile one has one
 * thing in it that a person has to see, often beside harmless files. What a harmless one has may go without a person.
 */
import fc from 'fast-check';
import {
  rowsAfterTests,
  rowsBeforeTests,
  rowsOfProse,
  rowsOfSource,
} from '../../src/domain/changes/path-table.ts';
import {
  atPath,
  baseFiles,
  commit,
  example,
  file,
  folder,
  hostile,
  namesOf,
  one,
  type Step,
  stem,
  text,
} from './change-steps.ts';

const target = fc.oneof(
  fc.constantFrom(
    '/etc/passwd',
    '/',
    '../../..',
    '../../outside',
    '.git/config',
    'guide.md',
    'src/sum.mjs',
    '.',
    'a/../..',
  ),
  fc
    .array(fc.constantFrom('..', 'docs', 'src', 'link.md'), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/')),
);

const links = hostile(
  'a link',
  one(
    fc
      .tuple(folder, stem, fc.constantFrom('', '.md', '.mjs', '.test.mjs'), target)
      .map(([above, name, end, to]) => file(`${above}${name}${end}`, to, '120000')),
  ),
);
const linksThrough = hostile(
  'a link through a link',
  fc
    .tuple(folder, stem, target)
    .map(([above, name, to]) => [
      file(`${above}${name}`, '../'.repeat(above.split('/').length - 1) || '.', '120000'),
      file(`${above}${name}-2.md`, `${name}/${to}`, '120000'),
    ]),
);
const submodules = hostile(
  'another repository',
  fc
    .tuple(folder, stem, fc.boolean())
    .map(([above, name, isNamed]) => [
      file(`${above}${name}`, commit, '160000'),
      ...(isNamed ? [file('.gitmodules', `[submodule "x"]\n\tpath = ${above}${name}\n\turl = ./x\n`)] : []),
    ]),
);
const bare = hostile(
  'a bare repository',
  fc
    .tuple(folder, stem, fc.constantFrom('HEAD', 'head', 'HEAD.md'))
    .map(([above, name, head]) => [
      file(`${above}${name}/${head}`, 'ref: refs/heads/main\n'),
      file(`${above}${name}/config`, '[core]\n\tbare = true\n\tfsmonitor = false\n'),
      file(`${above}${name}/objects/info/x.md`, text),
      file(`${above}${name}/refs/heads/x.md`, text),
    ]),
);
const names = hostile(
  'a name',
  one(
    fc
      .tuple(
        folder,
        stem,
        fc.constantFrom(
          ' ',
          '\u202E',
          '\u200B',
          'é',
          'ｍ',
          'а',
          '\t',
          '"',
          '\\',
          '\u0007',
          ':',
          '*',
          '?',
          '~',
          '$',
          ';',
          '&',
          '|',
          '[x]',
        ),
        fc.constantFrom('.md', '.mjs', '.test.mjs'),
      )
      .map(([above, name, sign, end]) => file(`${above}${name}${sign}x${end}`, text)),
  ),
);
const longNames = hostile(
  'a name',
  one(
    fc
      .tuple(folder, fc.integer({ min: 121, max: 240 }))
      .map(([above, length]) => file(`${above}${'a'.repeat(length)}.md`, text)),
  ),
);
const shoutedNames = hostile(
  'a name that another one hides',
  one(
    fc
      .constantFrom(
        'docs/Guide.md',
        'docs/GUIDE.md',
        'Docs/other.md',
        'readme.md',
        'DOCS/guide.md',
        'docs/More.md',
        'docs/guide.md/x.md',
      )
      .map((path) => file(path, text)),
  ),
);
const sizes = hostile(
  'a size',
  fc.oneof(
    fc.integer({ min: 51, max: 400 }).map((lines) => [file('docs/long.md', 'line\n'.repeat(lines))]),
    fc
      .integer({ min: 21, max: 30 })
      .map((count) => Array.from({ length: count }, (_, index) => file(`docs/n${index}.md`, text))),
    fc.integer({ min: 200_000, max: 3_000_000 }).map((length) => [file('docs/wide.md', 'x'.repeat(length))]),
    fc.constantFrom('docs/a.md', 'src/a.mjs').map((path) => [file(path, Buffer.from([0, 1, 2, 255, 10]))]),
  ),
);
const programs = hostile(
  'a program',
  fc.oneof(
    one(
      fc
        .tuple(folder, stem, fc.constantFrom('.md', '.mjs', '.test.mjs'))
        .map(([above, name, end]) => file(`${above}${name}${end}`, text, '100755')),
    ),
    one(
      fc
        .constantFrom(...baseFiles.filter(({ write, mode }) => mode === '100644' && !/^[.C]/u.test(write)))
        .map(({ write, content }) => file(write, content, '100755')),
    ),
    one(fc.constantFrom(file('docs/run.md', '#!/bin/sh\nexit 1\n'), file('tool', '#!/bin/sh\nexit 0\n'))),
  ),
);
const changedKinds = hostile(
  'a file that becomes something else',
  fc.constantFrom<readonly Step[]>(
    [file('docs/guide.md', 'more.md', '120000')],
    [file('docs/guide.md', '../../..', '120000')],
    [file('docs/link.md', text)],
    [file('docs/link.md', 'more.md', '120000')],
    [file('docs/more.md', commit, '160000')],
    [{ remove: 'docs/link.md' }],
    [{ remove: 'src/sum.mjs' }, file('src/sum.mjs/x.mjs', text), file('test/x.test.mjs', text)],
    [file('test/sum.test.mjs', '../src/sum.mjs', '120000')],
  ),
);
const steering = hostile(
  'what steers',
  one(
    fc
      .tuple(
        folder,
        fc.constantFrom(...namesOf(rowsBeforeTests.filter((row) => row.class === 'steering'))),
        fc.constantFrom('', '/a.md', '/x/a.mjs', '.md'),
      )
      .map(([above, name, more]) => file(`${above}${example(name)}${more === '.md' ? '' : more}`, text)),
  ),
);
const attributes = hostile(
  'attributes of git',
  one(
    fc
      .tuple(
        folder,
        fc.constantFrom(
          '* filter=x\n',
          '*.md working-tree-encoding=UTF-16\n',
          '* merge=x\n',
          '*.mjs export-subst\n',
        ),
      )
      .map(([above, content]) => file(`${above}.gitattributes`, content)),
  ),
);
const otherClasses = hostile(
  'what builds, delivers or is not known',
  one(
    fc.oneof(
      fc
        .tuple(folder, fc.constantFrom(...namesOf([...rowsBeforeTests, ...rowsAfterTests])))
        .map(([above, name]) => file(atPath(above, name), text)),
      fc
        .tuple(
          folder,
          stem,
          fc.constantFrom(
            '',
            '.sh',
            '.json',
            '.yml',
            '.toml',
            '.html',
            '.css',
            '.svg',
            '.bin',
            '.wasm',
            '.sql',
            '.mjs~',
          ),
        )
        .map(([above, name, end]) => file(`${above}${name}${end}`, text)),
    ),
  ),
);
const rootSource = hostile(
  'source outside of its folders',
  fc
    .tuple(
      fc.constantFrom('', 'packages/x/', 'x/', 'features/support/', 't/lib/', 'pages/'),
      stem,
      fc.constantFrom('.mjs', '.ts', '.py', '.go', '.pm', '.rb'),
    )
    .map(([above, name, end]) => [
      file(`${above}${name}${end}`, text),
      file(`test/${name}.test.mjs`, "import test from 'node:test';\n"),
    ]),
);
const fakeTests = hostile(
  'a fake test',
  fc.oneof(
    fc.constantFrom<readonly Step[]>(
      [{ remove: 'test/sum.test.mjs' }],
      [file('test/sum.test.mjs', '')],
      [{ move: 'test/sum.test.mjs', to: 'docs/sum.md' }],
      [{ move: 'test/sum.test.mjs', to: 'test/fixtures/sum.test.mjs' }],
      [file('test/sum.test.mjs', "import test from 'node:test';\n")],
    ),
    fc
      .tuple(
        stem,
        fc.constantFrom(
          'x.test.txt',
          'test/x.txt',
          'test/x.md',
          'src/x.spec.mjs',
          'test/fixtures/x.test.mjs',
          'tests/test_x.py',
          'x_test.go',
          'docs/x.md',
          'test/setup.mjs',
          'src/__snapshots__/x.test.mjs.snap',
          'src/x.test.json',
        ),
      )
      .map(([name, fake]) => [file(`src/${name}.mjs`, text), file(fake, text)]),
  ),
);
const fakeDocuments = hostile(
  'a fake document',
  one(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom('README', 'CHANGELOG', 'LICENSE', 'CONTRIBUTING'),
          folder,
          fc.constantFrom(
            '.js',
            '.mjs',
            '.sh',
            '.html',
            '.mdx',
            '.rmd',
            '.md.js',
            '.ts.md',
            '.py.md',
            '.ipynb',
          ),
        )
        .map(([name, above, end]) => file(`${above}${name}${end}`, text)),
      fc
        .tuple(
          fc.constantFrom('src/pages/', 'pages/', 'content/', 'src/', '_posts/', 'site/', 'website/docs/'),
          stem,
        )
        .map(([above, name]) => file(`${above}${name}.md`, '<script>alert(1)</script>\n')),
      fc
        .tuple(folder, fc.constantFrom(...namesOf(rowsOfProse)))
        .map(([above, name]) => file(atPath(above, name.includes('.') ? name : `${name}/x.md`), text)),
      fc
        .constantFrom(
          'docs/conf.py',
          'docs/make.jl',
          'docs/requirements.txt',
          'notes.txt',
          'docs/x.html',
          'docs/_config.yml',
        )
        .map((path) => file(path, text)),
    ),
  ),
);
const toolSource = hostile(
  'source of tools',
  fc
    .tuple(
      fc.constantFrom('', 'src/', 'lib/a/'),
      fc.constantFrom(
        ...namesOf(rowsOfSource).filter((name) => !/test|spec/u.test(name) && !name.includes('.')),
      ),
    )
    .map(([above, name]) => [
      file(`${above}${example(name)}/orders.mjs`, text),
      file('test/orders.test.mjs', "import test from 'node:test';\n"),
    ]),
);
const renames = hostile(
  'what steers, under another name',
  fc
    .tuple(
      fc.constantFrom(
        '.github/workflows/ci.yml',
        'CLAUDE.md',
        '.gitattributes',
        'package.json',
        'scripts/run.mjs',
        'tool',
      ),
      fc.constantFrom('docs/notes.md', 'src/notes.mjs', 'test/notes.test.mjs', 'README.de.md'),
    )
    .map(([move, to]) => [{ move, to }]),
);
const removals = hostile(
  'what steers, taken away',
  one(
    fc
      .constantFrom(
        '.github/workflows/ci.yml',
        'CLAUDE.md',
        '.gitattributes',
        'package.json',
        'scripts/run.mjs',
        'tool',
      )
      .map((remove) => ({ remove })),
  ),
);

export const hostileKinds = [
  ...[links, linksThrough, submodules, bare, names, longNames, shoutedNames, sizes, programs, changedKinds],
  ...[
    steering,
    attributes,
    otherClasses,
    rootSource,
    fakeTests,
    fakeDocuments,
    toolSource,
    renames,
    removals,
  ],
];
