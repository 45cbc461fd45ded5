/** The configuration files in the built program: what they do, what they may not, and who does not read them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAuthoringRun } from '../../src/domain/ledger/run.ts';
import { secretVariables } from '../../src/domain/machine/secret-variables.ts';
import { approved, designText, draftText, writeCassette } from '../support/cassettes.ts';
import { GithubServer } from '../support/github-server.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { answerWith, ScriptedProvider } from '../support/scripted-provider.ts';
import { TerminalSession } from '../support/terminal-session.ts';

const brief = 'ideas/active/export-csv.md';
const start = ['issue', '--brief', brief, '--auto'];

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});
afterEach(() => playground.remove());

const write = (content: unknown) =>
  playground.write('gatewright.config.json', JSON.stringify(content, null, 2));

function writeOwn(content: unknown): string {
  const folder = join(playground.home, '.config/gatewright');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(content));
  return join(folder, 'config.json');
}

const canaries = Object.fromEntries(secretVariables.map((name) => [name, `canary-${name.toLowerCase()}`]));

describe('a run', () => {
  it('uses the models that the repository names for its workflow', async () => {
    const server = await new ScriptedProvider().start();
    server.script = (seen) =>
      seen.provider === 'anthropic'
        ? answerWith(seen, draftText('Export as CSV'))
        : answerWith(seen, approved);
    write({
      models: {
        drafter: 'anthropic:claude-sonnet-4-5',
        reviewer: 'google:gemini-2.5-flash',
        issue: { reviewer: 'google:gemini-2.5-pro' },
      },
    });
    const env = { ...server.environment, ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'b' };
    const result = await playground.run(start, { env });
    expect(result.code, result.all).toBe(0);
    const records = openRecords(playground);
    const { drafter, reviewer } = (await records.views.listRuns()).find(isAuthoringRun)?.request ?? {};
    records.close();
    expect([drafter, reviewer]).toEqual(['anthropic:claude-sonnet-4-5', 'google:gemini-2.5-pro']);
    await server.stop();
  });

  it('of each workflow asks its own', async () => {
    const server = await new ScriptedProvider().start();
    server.script = (seen) => {
      if (seen.provider === 'google') return answerWith(seen, approved);
      return answerWith(seen, seen.text.includes('Write the design.') ? designText(1) : draftText('A'));
    };
    write({
      models: {
        reviewer: 'google:gemini-2.5-pro',
        issue: { drafter: 'anthropic:claude-sonnet-4-5' },
        lld: { drafter: 'anthropic:claude-opus-4-1', reviewer: 'google:gemini-2.5-flash' },
      },
    });
    const env = { ...server.environment, ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'b' };
    for (const args of [start, ['lld', '1', '--auto']]) {
      const result = await playground.run(args, { env });
      expect(result.code, result.all).toBe(0);
    }
    expect(server.seen.map(({ model }) => model)).toEqual([
      'claude-sonnet-4-5',
      'gemini-2.5-pro',
      'claude-opus-4-1',
      'gemini-2.5-flash',
    ]);
    await server.stop();
  });

  it('keeps to limits of the repository that are lower, and stops with the way to raise them', async () => {
    const models = writeCassette(playground.folder, 'limits', {
      drafts: [draftText('One'), draftText('Two')],
      verdicts: [approved],
    });
    write({ budget: { run: { tokens: 100 } } });
    const poor = await playground.run([...start, ...models]);
    expect(poor.stderr).toContain('(budget-exceeded)');
    writeOwn({ budget: { run: { tokens: 50_000 } } });
    const still = await playground.run(['issue', '--resume', brief, '--auto', ...models]);
    expect(still.stderr).toContain('(budget-exceeded)');
    const env = { GATEWRIGHT_BUDGET_RUN_TOKENS: '5000000' };
    const rich = await playground.run(['issue', '--resume', brief, '--auto', ...models], { env });
    expect(rich.code, rich.all).toBe(0);
  });

  it('does not begin when the repository brings its own reviewer; nothing is written or filed', async () => {
    const [, drafter = '', , reviewer = ''] = writeCassette(playground.folder, 'evil', {
      drafts: [draftText('Evil')],
      verdicts: [approved],
    });
    write({
      models: { drafter, reviewer },
      autoMode: true,
      editor: 'touch pwned',
      budget: { day: { usd: 1e6 } },
    });
    const refused = await playground.run(start);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('(config-invalid)');
    for (const key of ['models.drafter', 'models.reviewer', 'autoMode', 'editor', 'budget.day.usd'])
      expect(refused.stderr).toMatch(new RegExp(`gatewright\\.config\\.json:\\d+:\\d+: ${key}: `, 'u'));
    expect(playground.exists('docs/lineage')).toBe(false);
    expect(playground.exists('pwned')).toBe(false);
    expect(() => readFileSync(playground.database)).toThrow('ENOENT');
    write({ models: { reviewer: 'builtin:checklist' } });
    expect((await playground.run(start)).code).toBe(1);
    const own = await playground.run([...start, '--reviewer', 'builtin:checklist']);
    expect(own.code, own.all).toBe(0);
  });
});

describe('the forge of a repository', () => {
  const token = 'ghp_canary0123456789abcdefghijklmnop';
  let server: GithubServer;

  beforeEach(async () => {
    server = await GithubServer.start();
    server.addUser('octo', token);
    server.state.addRepository('acme/project', { octo: 'write' });
    server.state.addRepository('upstream/project', { octo: 'write' });
    server.state.addRepository('evil/project', { octo: 'write' });
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
  });
  afterEach(() => server.close());

  const env = () => ({ GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token });
  const issues = (name: string) => server.state.repositories.get(name)?.issues.length;

  it('is GitHub when its file says so; another repository there has to be a remote', async () => {
    write({ forge: { kind: 'github', repository: 'evil/project' } });
    const refused = await playground.run(start, { env: env() });
    expect(refused.stderr).toContain(
      'gatewright.config.json:4: forge.repository: evil/project is not one of the git remotes',
    );
    expect(issues('evil/project')).toBe(0);
    write({ forge: { kind: 'github', repository: 'upstream/project' } });
    playground.git('remote', 'add', 'upstream', 'https://github.com/upstream/project.git');
    const filed = await playground.run(start, { env: env() });
    expect(filed.code, filed.all).toBe(0);
    expect([issues('upstream/project'), issues('acme/project')]).toEqual([1, 0]);
    const local = await playground.run(['forge', 'issue', 'list'], { env: env() });
    expect(local.stderr).toContain('(forge-local-only)');
  });

  it('cannot be moved to another host: no request is made there', async () => {
    write({ forge: { kind: 'github', apiUrl: server.url } });
    const refused = await playground.run(start, { env: { GITHUB_TOKEN: token } });
    expect(refused.stderr).toContain('your token would be sent there');
    expect(server.requests).toEqual([]);
    expect(refused.all).not.toContain(token);
    write({ forge: { kind: 'github' } });
    writeOwn({ forge: { apiUrl: server.url } });
    const filed = await playground.run(start, { env: { GITHUB_TOKEN: token } });
    expect(filed.code, filed.all).toBe(0);
  });
});

describe('commands that do not need it', () => {
  it('do not read it, however broken it is', async () => {
    playground.write('gatewright.config.json', '{ broken');
    writeOwn({ broken: true });
    const quick = [
      ['--version'],
      ['--help'],
      ['completion', 'bash'],
      ['status'],
      ['runs'],
      ['gates'],
      ['config', 'schema'],
    ];
    for (const args of quick) expect((await playground.run(args)).code, args.join(' ')).toBe(0);
    const demo = await playground.run(['demo', '--once', '--only', 'authoring'], {
      env: { TMPDIR: playground.folder },
    });
    expect(demo.code, demo.all).toBe(0);
    expect((await playground.run(['forge', 'label', 'list'])).stderr).toContain('(config-invalid)');
  });
});

describe('config', () => {
  it('validate names every problem of both files with its line, and exits with 1', async () => {
    const own = writeOwn({ modles: {} });
    const file = playground.write(
      'gatewright.config.json',
      '{\n  "forge": { "kind": "gitlab" },\n  "x": 1,\n}',
    );
    const told = await playground.run(['config', 'validate']);
    expect(told.code).toBe(1);
    expect(told.stdout.split('\n').slice(0, 2)).toEqual([
      `${own}:1:2: modles: there is no such setting; did you mean "models"?`,
      `${file}:4:1: this is not JSON: expected a key in double quotes`,
    ]);
    writeOwn({});
    write({ forge: { kind: 'local' } });
    const fine = await playground.run(['config', 'validate']);
    expect([fine.code, fine.stdout]).toEqual([0, `${own}: ok\n${file}: ok\n`]);
  });

  it('validate FILE looks at that file alone, as a repository’s; outside of a repository too', async () => {
    const file = playground.write('other.json', '{"forge": {"apiUrl": "https://x.example"}}');
    const result = await playground.run(['config', 'validate', file, '--json'], { cwd: playground.home });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      isValid: false,
      files: [{ file, exists: true, problems: [{ key: 'forge.apiUrl', line: 1 }] }],
    });
    const missing = await playground.run(['config', 'validate', 'none.json']);
    expect([missing.code, missing.stderr.includes('There is no file')]).toEqual([2, true]);
  });

  it('show tells where each value comes from, and of secrets only whether they are set', async () => {
    const own = writeOwn({ budget: { run: { usd: 9 } } });
    const file = write({ models: { lld: { reviewer: 'google:gemini-x' } }, labels: [{ name: 'ux' }] });
    const env = {
      ...canaries,
      GATEWRIGHT_DRAFTER: 'claude:opus',
      OPENAI_BASE_URL: 'https://u:canary@x.example',
    };
    const args = ['config', 'show', '--reviewer', 'openai:gpt-5', '--forge', 'github'];
    const shown = await playground.run([...args, '--json'], { env });
    const { settings, secrets } = JSON.parse(shown.stdout) as {
      settings: { key: string; value: unknown; from: string; where: string }[];
      secrets: { name: string; isSet: boolean }[];
    };
    const of = (key: string) => {
      const found = settings.find((one) => one.key === key);
      return [found?.value, found?.from, found?.where];
    };
    expect(of('models.issue.drafter')).toEqual(['claude:opus', 'environment', 'GATEWRIGHT_DRAFTER']);
    expect(of('models.lld.reviewer')).toEqual(['openai:gpt-5', 'option', '--reviewer']);
    expect(of('forge.kind')).toEqual(['github', 'option', '--forge']);
    expect(of('budget.run.usd')).toEqual([9, 'user file', `${own}:1`]);
    expect(of('labels')).toEqual([[{ name: 'ux' }], 'repository file', `${file}:7`]);
    expect(of('actor')).toEqual(['alice', 'environment', 'GATEWRIGHT_ACTOR']);
    expect(of('limits.iterations')).toEqual([20, 'default', '']);
    expect(secrets.every(({ isSet }) => isSet)).toBe(true);
    const text = await playground.run(args, { env });
    expect(text.stdout).toMatch(/^budget\.run\.usd +9 +user file/mu);
    expect(text.stdout).toMatch(/^GITHUB_TOKEN +set$/mu);
    for (const result of [shown, text]) expect(result.all).not.toContain('canary');
  });

  it('schema prints what is kept in the documentation', async () => {
    const { stdout } = await playground.run(['config', 'schema']);
    const kept = join(import.meta.dirname, '../../docs/gatewright.config.schema.json');
    expect(stdout).toBe(readFileSync(kept, 'utf8'));
  });
});

describe('programs that are started for a person', () => {
  it('an editor gets the environment without secrets', async () => {
    const seen = join(playground.folder, 'seen');
    const editor = playground.editor(`env > '${seen}'`);
    const session = new TerminalSession(playground, ['issue', '--brief', brief], {
      ...canaries,
      GATEWRIGHT_EDITOR: editor,
      MY_OWN: 'kept',
    });
    await session.answer('Your choice [G/R/S]', 's');
    expect(await session.exit()).toBe(10);
    const environment = readFileSync(seen, 'utf8');
    expect(environment).toContain('MY_OWN=kept');
    expect(environment).not.toContain('canary');
  });
});
