/** `init` in the built program: a preview, one question, and the same end however often it is run or cut off. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standardLabels } from '../../src/domain/forge/label-table.ts';
import { sampleOf } from '../support/crash-everywhere.ts';
import { GithubServer } from '../support/github-server.ts';
import { crashChildFile, Playground } from '../support/playground.ts';
import { isLong } from '../support/property-runs.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

/** No claude CLI of the developer's machine in it. */
const env = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, GITHUB_TOKEN: '' };
const files = [
  '.gatewright/config.schema.json',
  'docs/lineage/README.md',
  'gatewright.config.json',
  'ideas/active/.gitkeep',
];

function newFiles(): string[] {
  const listed = playground.git('ls-files', '--others', '--exclude-standard');
  return listed === '' ? [] : listed.split('\n').sort();
}

async function labels(): Promise<{ name: string; colour: string; description: string }[]> {
  return playground.json(['forge', 'label', 'list'], { env });
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

async function expectSetUp(): Promise<void> {
  expect(newFiles()).toEqual(files);
  expect(JSON.parse(playground.read('gatewright.config.json'))).toEqual({
    $schema: './.gatewright/config.schema.json',
    forge: { kind: 'local' },
  });
  const kept = join(import.meta.dirname, '../../docs/gatewright.config.schema.json');
  expect(playground.read('.gatewright/config.schema.json')).toBe(readFileSync(kept, 'utf8'));
  expect((await labels()).sort(byName)).toEqual([...standardLabels].sort(byName));
}

describe('without a terminal', () => {
  it('--yes sets up; the second time there is nothing to do; the configuration is valid', async () => {
    const first = await playground.run(['init', '--yes'], { env });
    expect(first.code, first.all).toBe(0);
    expect(first.stdout).toContain('+ gatewright.config.json');
    expect(first.stdout).toMatch(/\+ bug +#d73a4a/u);
    await expectSetUp();
    const again = await playground.run(['init'], { env });
    expect([again.code, again.stderr.trim()]).toEqual([0, 'Nothing to do.']);
    await expectSetUp();
    expect((await playground.run(['config', 'validate'], { env })).code).toBe(0);
    const verified = await playground.run(['ledger', 'verify'], { env });
    expect(verified.stdout).toContain('Sound');
    expect((await playground.json<unknown[]>(['runs'], { env })).length).toBe(0);
  });

  it('--dry-run changes nothing; without --yes nobody can be asked, so nothing is done', async () => {
    const dry = await playground.run(['init', '--dry-run', '--json'], { env });
    expect(dry.code, dry.all).toBe(0);
    const plan = JSON.parse(dry.stdout) as {
      changed: boolean;
      files: { path: string; state: string }[];
      labels: object[];
    };
    expect(plan.changed).toBe(false);
    expect(plan.files.map(({ path, state }) => `${state} ${path}`).sort()).toEqual(
      files.map((path) => `new ${path}`),
    );
    expect(plan.labels).toHaveLength(standardLabels.length);
    for (const args of [['init'], ['init', '--no-input'], ['init', '--json']]) {
      const refused = await playground.run(args, { env });
      expect(refused.code, refused.all).toBe(2);
      expect(refused.all).toContain('--yes');
      // A plan that ends in an error would read as if it had been carried out.
      expect(refused.stdout).not.toContain('Labels of');
    }
    expect(newFiles()).toEqual([]);
    expect(await labels()).toEqual([]);
  });

  it('overwrites nothing but what an option names; it shows what differs', async () => {
    const own =
      '{\n  "forge": { "kind": "local" },\n  "labels": [{ "name": "bug", "colour": "000000" }, { "name": "ux" }]\n}\n';
    playground.write('gatewright.config.json', own);
    playground.write('.claude/commands/gatewright-issue.md', 'mine\n');
    playground.write('ideas/active/one.md', '# One\n');
    await playground.run(['forge', 'label', 'create', 'Feature', '--color', '123456'], { env });
    const args = ['init', '--yes', '--slash-commands', '--drafter', 'claude:opus', '--json'];
    const result = await playground.run(args, { env });
    expect(result.code, result.all).toBe(0);
    const plan = JSON.parse(result.stdout) as {
      files: { path: string; state: string; difference?: string[] }[];
      labels: { name: string; colour: string; state: string }[];
    };
    expect(plan.files.map(({ path, state }) => `${state} ${path}`)).toEqual([
      'changes gatewright.config.json',
      'there ideas/active/.gitkeep',
      'new docs/lineage/README.md',
      'differs .claude/commands/gatewright-issue.md',
      'new .claude/commands/gatewright-lld.md',
      'new .claude/commands/gatewright-status.md',
      ...['il_setup', 'il_list', 'il_1_plan', 'il_2_implement', 'il_3_close'].map(
        (name) => `new .claude/commands/${name}.md`,
      ),
    ]);
    expect(plan.files[0]?.difference?.join('\n')).toContain('+     "drafter": "claude:opus"');
    expect(JSON.parse(playground.read('gatewright.config.json'))).toEqual({
      ...(JSON.parse(own) as object),
      models: { drafter: 'claude:opus' },
    });
    expect(playground.read('.claude/commands/gatewright-issue.md')).toBe('mine\n');
    expect(playground.exists('ideas/active/.gitkeep')).toBe(false);
    const colours = Object.fromEntries((await labels()).map(({ name, colour }) => [name, colour]));
    expect(colours).toMatchObject({ bug: '000000', Feature: '123456', ux: 'ededed' });
    expect(plan.labels.find(({ name }) => name === 'feature')?.state).toBe('differs');
  });

  it.each([
    [['--drafter', 'claude:--x'], 'models.drafter: has to be'],
    [['--drafter', 'nonsense'], 'models.drafter: has to be'],
    [['--drafter', 'openai:nonsense'], 'may not choose a model of no known family'],
    [['--drafter', 'claude:default', '--reviewer', 'anthropic:opus'], '(models-not-independent)'],
    [['--reviewer', 'cassette:x.json'], 'may not choose a recording'],
    [['--reviewer', 'claude:opus'], 'models.reviewer: has to be'],
    [['--forge', 'github'], '(forge-repository-unknown)'],
  ])('%j is refused before anything is made', async (args, said) => {
    const result = await playground.run(['init', '--yes', ...args], { env });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(said);
    expect(newFiles()).toEqual([]);
  });

  it('needs a repository, and a configuration that can be read', async () => {
    const outside = await playground.run(['init', '--yes'], { env, cwd: playground.home });
    expect(outside.stderr).toContain('(not-a-repository)');
    playground.write('gatewright.config.json', '{"froge": 1}');
    const broken = await playground.run(['init', '--yes'], { env });
    expect(broken.stderr).toContain('did you mean "forge"?');
    expect(newFiles()).toEqual(['gatewright.config.json']);
  });
});

describe('the models that are found', () => {
  const script = (text: string): Record<string, string> => {
    const bin = join(playground.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return { ...env, PATH: `${bin}:${env.PATH}` };
  };
  const models = (): unknown => JSON.parse(playground.read('gatewright.config.json')).models;
  const loggedIn = 'test "$1 $2" = "auth status" && echo \'{"loggedIn": true}\'';
  const loggedOut = 'test "$1 $2" = "auth status" && echo \'{"loggedIn": false}\'; exit 1';

  it('Claude drafts and Gemini reviews where both are there, and that is said', async () => {
    const result = await playground.run(['init', '--yes'], {
      env: { ...script(loggedIn), GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o' },
    });
    expect(result.code, result.all).toBe(0);
    expect(models()).toEqual({ drafter: 'claude:default', reviewer: 'google:gemini-2.5-pro' });
    expect(result.stderr).toContain('Found: the Claude Code CLI');
    expect(result.stderr).toContain('Drafter: claude:default. Reviewer: google:gemini-2.5-pro.');
  });

  it.each([
    ['without a login', loggedOut, 'without a login, so it is not chosen; log in with: claude auth login'],
    ['that does not say', 'echo "unknown command"; exit 1', 'does not say whether it is logged in'],
  ])('a CLI %s is not chosen, and that is said', async (_, text, said) => {
    const result = await playground.run(['init', '--yes'], { env: script(text) });
    expect(result.code, result.all).toBe(0);
    expect(models()).toBeUndefined();
    expect(result.stderr).toContain(said);
    expect(result.stderr).toContain('Drafter: builtin:outline, rules without a model.');
  });

  it('a CLI without a login stops a run before it begins, and doctor says so', async () => {
    const path = script(loggedOut);
    playground.write('notes.md', '# An idea\n\nSomething.\n');
    const run = await playground.run(
      ['issue', '--brief', 'notes.md', '--auto', '--drafter', 'claude:default'],
      { env: path },
    );
    expect(run.code, run.all).toBe(1);
    expect(run.stderr).toContain('installed but not logged in: run "claude auth login"');
    expect(run.stderr).toContain('--drafter builtin:outline needs no model');
    const doctor = await playground.run(['doctor', '--drafter', 'claude:default'], { env: path });
    expect(doctor.stdout).toMatch(
      /problem +models +drafter of issue, lld: claude:default: the Claude Code CLI is installed but not logged in/u,
    );
    expect(doctor.stdout).toContain('gatewright init --drafter PROVIDER:MODEL');
    expect(doctor.stdout).toContain('models.coder in a configuration file');
    expect(doctor.stdout).not.toContain('gatewright init --coder');
  });
});

describe('the commands of the project', () => {
  const manifest = '{"scripts": {"test": "node --test"}, "devDependencies": {"x": "1"}}';
  const local = '.git/gatewright/config.json';

  it('are found, shown and kept outside the files of the repository', async () => {
    playground.write('package.json', manifest);
    playground.write('package-lock.json', '{}');
    const result = await playground.run(['init', '--yes'], { env });
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('Project: npm (package-lock.json).');
    expect(result.stdout).toContain('Your own settings for this repository (not committed');
    expect(JSON.parse(playground.read(local))).toEqual({
      fleet: { setup: 'npm ci', setupHosts: ['registry.npmjs.org:443'], verify: 'npm test' },
    });
    const shown = await playground.json<{ settings: { key: string; value: unknown; from: string }[] }>(
      ['config', 'show'],
      { env },
    );
    expect(shown.settings.find(({ key }) => key === 'fleet.verify')).toMatchObject({
      value: 'npm test',
      from: 'user file',
    });
    expect((await playground.run(['init'], { env })).stderr.trim()).toBe('Nothing to do.');
    // A linked work tree belongs to the same repository.
    playground.git('worktree', 'add', '--quiet', '../linked');
    const linked = await playground.run(['config', 'show', '--json'], {
      env,
      cwd: join(playground.folder, 'linked'),
    });
    expect(linked.stdout).toContain('"npm test"');
    const verified = await playground.run(['ledger', 'verify'], { env });
    expect(verified.stdout).toContain('Sound');
  });

  it('are the ones that a person types; none is remembered too', async () => {
    playground.write('package.json', manifest);
    const session = new TerminalSession(playground, ['init'], env);
    await session.answer(
      'installs dependencies in a copy (or none) [npm install --no-package-lock]:',
      'none',
    );
    await session.answer('runs the tests (or none) [npm test]:', 'make "check"');
    await session.answer('runs the tests (or none) [npm test]:', 'make check');
    await session.answer('Do this, y or n? [y]:', '');
    expect(await session.exit()).toBe(0);
    expect(JSON.parse(playground.read(local))).toEqual({ fleet: { verify: 'make check' } });
    const changed = await playground.run(['init', '--yes', '--verify', 'npm test'], { env });
    expect(changed.stdout).toContain('~ .git/gatewright/config.json');
    expect(JSON.parse(playground.read(local))).toEqual({ fleet: { verify: 'npm test' } });
    await playground.run(['init', '--yes', '--setup', 'npm install', '--verify', 'none'], { env });
    const hosts = { setup: 'npm install', setupHosts: ['registry.npmjs.org:443'] };
    expect(JSON.parse(playground.read(local))).toEqual({ fleet: hosts });
    const without = await playground.run(['init', '--yes', '--setup', 'none'], { env });
    expect(without.stdout).toContain('-     "setup": "npm install"');
    expect(JSON.parse(playground.read(local))).toEqual({});
    expect((await playground.run(['init', '--yes'], { env })).stderr.trim()).toBe('Nothing to do.');
    const refused = await playground.run(['init', '--yes', '--verify', 'npm test; x'], { env });
    expect([refused.code, refused.stderr.includes('without quotes')]).toEqual([2, true]);
  });

  it('a file there that others may change is not believed', async () => {
    playground.write(local, '{"fleet": {"verify": "npm test"}}');
    chmodSync(playground.path(local), 0o666);
    const result = await playground.run(['config', 'validate'], { env });
    expect([result.code, result.stdout.includes('chmod go-w')]).toEqual([1, true]);
  });
});

describe('a configuration that is there', () => {
  it('changes where an option says so, and back', async () => {
    await playground.run(['init', '--yes'], { env });
    const before = playground.read('gatewright.config.json');
    const args = ['--drafter', 'claude:default', '--reviewer', 'google:gemini-2.5-pro'];
    const changed = await playground.run(['init', '--yes', ...args], { env });
    expect(changed.code, changed.all).toBe(0);
    expect(changed.stdout).toContain('~ gatewright.config.json (changes as you asked:)');
    expect(changed.stderr).not.toContain('Nothing to do');
    expect(JSON.parse(playground.read('gatewright.config.json')).models).toEqual({
      drafter: 'claude:default',
      reviewer: 'google:gemini-2.5-pro',
    });
    const back = ['--drafter', 'builtin:outline', '--reviewer', 'builtin:checklist'];
    await playground.run(['init', '--yes', ...back], { env });
    expect(playground.read('gatewright.config.json')).toBe(before);
  });
});

describe('cut off', () => {
  it('at any moment, a second run ends the same', async () => {
    const log = join(playground.folder, 'points');
    const counted = await playground.run(['init', '--yes'], {
      env: { ...env, CRASH_LOG: log },
      file: crashChildFile,
    });
    expect(counted.code, counted.all).toBe(0);
    const points = readFileSync(log, 'utf8').trim().split('\n');
    const chosen = sampleOf(
      points.flatMap((name, index) => (/repository\./u.test(name) || index % 29 === 0 ? [index + 1] : [])),
      isLong ? 3 : 6,
    );
    expect(chosen.length).toBeGreaterThan(isLong ? 3 : 1);
    for (const point of chosen) {
      const world = playground;
      playground = new Playground({ brief: null });
      const crash = { ...env, CRASH_AT: String(point) };
      const killed = await playground.run(['init', '--yes'], { env: crash, file: crashChildFile });
      expect(killed.signal, points[point - 1]).toBe('SIGKILL');
      const second = await playground.run(['init', '--yes'], { env });
      expect(second.code, second.all).toBe(0);
      await expectSetUp();
      for (const folder of ['.', '.gatewright', 'ideas/active', 'docs/lineage'])
        expect(readdirSync(playground.path(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
      playground.remove();
      playground = world;
    }
  }, 300_000);
});

describe('on a terminal', () => {
  it('asks where and who, shows everything, asks once', async () => {
    const session = new TerminalSession(playground, ['init'], {
      ...env,
      ANTHROPIC_API_KEY: 'a',
      GEMINI_API_KEY: 'b',
    });
    await session.see('Found: a key for google:gemini-2.5-pro; a key for anthropic:claude-sonnet-4-5.');
    await session.answer('[anthropic:claude-sonnet-4-5]:', '');
    await session.answer('[google:gemini-2.5-pro]:', '');
    await session.see('"reviewer": "google:gemini-2.5-pro"');
    await session.answer('Do this, y or n? [y]:', 'y');
    await session.see('wrote gatewright.config.json');
    expect(await session.exit()).toBe(0);
    expect(JSON.parse(playground.read('gatewright.config.json'))).toEqual({
      $schema: './.gatewright/config.schema.json',
      forge: { kind: 'local' },
      models: { drafter: 'anthropic:claude-sonnet-4-5', reviewer: 'google:gemini-2.5-pro' },
    });
    const again = new TerminalSession(playground, ['init'], env);
    await again.see('Nothing to do.');
    expect(await again.exit()).toBe(0);
  });

  it('a no changes nothing', async () => {
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
    const session = new TerminalSession(playground, ['init'], { ...env, ANTHROPIC_API_KEY: 'a' });
    await session.answer('local or github? [github]:', 'elsewhere');
    await session.answer('local or github? [github]:', 'local');
    await session.answer('[anthropic:claude-sonnet-4-5]:', 'nonsense');
    await session.see('models.drafter: has to be');
    await session.answer('[anthropic:claude-sonnet-4-5]:', 'anthropic:opus');
    await session.answer('[builtin:checklist]:', 'anthropic:sonnet');
    await session.see('are both of the family "claude"');
    await session.answer('[builtin:checklist]:', '');
    await session.answer('Do this, y or n? [y]:', 'n');
    await session.see('Nothing was changed.');
    expect(await session.exit()).toBe(0);
    expect(newFiles()).toEqual([]);
    expect(await labels()).toEqual([]);
  });
});

describe('on GitHub', () => {
  it('without a token says so before anything else is asked, and how to begin all the same', async () => {
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
    const session = new TerminalSession(playground, ['init'], { ...env, ANTHROPIC_API_KEY: 'a' });
    await session.answer('local or github? [github]:', '');
    await session.see('gatewright init --forge local');
    expect(await session.exit()).toBe(4);
    expect(session.output).not.toContain('Who drafts?');
    expect(newFiles()).toEqual([]);
  });

  it('is proposed when the remote is there; makes only the labels that are missing', async () => {
    const server = await GithubServer.start();
    server.addUser('octo', 'a-token');
    const repository = server.state.addRepository('acme/project', { octo: 'write' });
    server.state.addLabel(repository, 'Bug', '111111', 'theirs');
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
    const github = { ...env, GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: 'a-token' };
    // Filled in by hand up to three: GitHub wants a second between two writes.
    for (const { name, colour } of standardLabels.slice(3))
      server.state.addLabel(repository, name, colour, '');
    const result = await playground.run(['init', '--yes'], { env: github });
    expect(result.code, result.all).toBe(0);
    expect(result.stdout).toContain('bug keeps the colour #111111 (not #d73a4a)');
    expect(JSON.parse(playground.read('gatewright.config.json')).forge).toEqual({ kind: 'github' });
    expect(server.seen('POST', '/repos/acme/project/labels')).toHaveLength(2);
    expect(repository.labels.get('bug')).toMatchObject({ color: '111111' });
    const again = await playground.run(['init'], { env: github });
    expect(again.stderr.trim()).toBe('Nothing to do.');
    rmSync(playground.path('gatewright.config.json'));
    const refused = await playground.run(['init', '--yes'], { env: { ...github, GITHUB_TOKEN: 'wrong' } });
    expect(refused.code).toBe(4);
    expect(existsSync(playground.path('gatewright.config.json'))).toBe(false);
    await server.close();
  });
});
