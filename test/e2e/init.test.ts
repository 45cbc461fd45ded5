/** `init` in the built program: a preview, one question, and the same end however often it is run or cut off. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
    }
    expect(newFiles()).toEqual([]);
    expect(await labels()).toEqual([]);
  });

  it('never overwrites; it shows what differs', async () => {
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
      'differs gatewright.config.json',
      'there ideas/active/.gitkeep',
      'new docs/lineage/README.md',
      'differs .claude/commands/gatewright-issue.md',
      'new .claude/commands/gatewright-lld.md',
      'new .claude/commands/gatewright-status.md',
    ]);
    expect(plan.files[0]?.difference?.join('\n')).toContain('+     "drafter": "claude:opus"');
    expect(playground.read('gatewright.config.json')).toBe(own);
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
    await session.answer('local or github? [local]:', '');
    await session.see('Found: anthropic:claude-sonnet-4-5, google:gemini-2.5-pro');
    await session.answer('Who drafts? [anthropic:claude-sonnet-4-5]:', '');
    await session.answer('[google:gemini-2.5-pro]:', '');
    await session.see('"reviewer": "google:gemini-2.5-pro"');
    await session.answer('Do this, y or n? [y]:', 'y');
    await session.see('made gatewright.config.json');
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
    const session = new TerminalSession(playground, ['init'], env);
    await session.answer('local or github? [local]:', 'elsewhere');
    await session.answer('local or github? [local]:', 'local');
    await session.answer('Who drafts? [builtin:outline]:', 'nonsense');
    await session.see('models.drafter: has to be');
    await session.answer('Who drafts? [builtin:outline]:', 'anthropic:opus');
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
