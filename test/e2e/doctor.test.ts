/** `doctor` in the built program: every line on its own, with the way to fix it. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ghVariables, secretVariables } from '../../src/domain/machine/secret-variables.ts';
import { DoctorRoom } from '../support/doctor-room.ts';
import { showMyself } from '../support/github-repository-shape.ts';
import { GithubServer } from '../support/github-server.ts';
import { itLong } from '../support/it-long.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import type { Playground } from '../support/playground.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';

let room: DoctorRoom;
let playground: Playground;

beforeEach(() => {
  room = new DoctorRoom();
  playground = room.playground;
});
afterEach(() => playground.remove());

const program: DoctorRoom['program'] = (name, script) => room.program(name, script);
const diagnose: DoctorRoom['diagnose'] = (env, args) => room.diagnose(env, args);

describe('a machine where nothing is wrong', () => {
  it('exits with 0, one line each, and changes nothing', async () => {
    program('claude', 'echo "9.9.9 (Claude Code)"');
    // In a sandbox the coding agent does not see the login of the CLI: that would be a warning.
    const provider = await new ScriptedProvider().start();
    const env = { PATH: room.path, GATEWRIGHT_EDITOR: 'true', ANTHROPIC_API_KEY: 'x' };
    const result = await playground.run(['doctor'], { env: { ...env, ANTHROPIC_BASE_URL: provider.url } });
    await provider.stop();
    expect(provider.seen).toEqual([]);
    expect(result.code, result.all).toBe(0);
    for (const name of [
      ...['node', 'git', 'editor', 'configuration', 'environment', 'disk', 'database'],
      ...['forge', 'models', 'independence', 'credentials', 'claude', 'network'],
    ])
      expect(result.stdout, name).toMatch(new RegExp(`^ok +${name} `, 'mu'));
    expect(result.stdout).toContain('9.9.9 (Claude Code)');
    for (const use of [
      ...['coder: claude:sonnet', 'planner: claude:opus'],
      ...['code reviewer: claude:default', 'writer: claude:default'],
    ])
      expect(result.stdout).toMatch(new RegExp(`^ok +models +${use}$`, 'mu'));
    // Not every machine has a sandbox and control groups.
    const warned = [...result.stdout.matchAll(/^warning +(\S+)/gmu)].map(([, name]) => name);
    expect(warned.filter((name) => name !== 'limits' && !(isWithoutSandbox && name === 'sandbox'))).toEqual(
      [],
    );
    expect(result.stdout).toContain(`Nothing blocks a run; warnings: ${warned.length}`);
    expect(playground.git('status', '--porcelain')).toBe('');
    expect(() => chmodSync(playground.database, 0o600)).toThrow('ENOENT');
  });

  it('names the deliveries of an inbox that could not be read', async () => {
    const folder = join(`${playground.database}.inbox`, '1296269');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'one.log'), '');
    writeFileSync(join(folder, 'two.log.damaged'), 'x');
    const { of } = await diagnose();
    const told = of('database').filter(({ detail }) => detail.includes('deliveries'));
    expect(told).toHaveLength(1);
    expect(told[0]?.detail).toContain('two.log.damaged');
  });

  it('is still sound after a run, and says who may write', async () => {
    expect((await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto'])).code).toBe(0);
    const { of } = await diagnose();
    expect(of('database')[0]?.detail).toContain('is sound, schema');
    expect(of('forge')[0]?.detail).toContain('alice may write to local/project (admin)');
    const stranger = await diagnose({ GATEWRIGHT_ACTOR: 'mallory' });
    expect(stranger.of('forge')[0]).toMatchObject({ state: 'problem' });
    expect(stranger.of('forge')[0]?.fix).toContain('gatewright forge permission set mallory write');
  });
});

describe('what is wrong', () => {
  it('is told all at once, each with its fix, and the exit code is 1', async () => {
    await playground.run(['runs']);
    mkdirSync(dirname(playground.database), { recursive: true });
    writeFileSync(
      playground.database,
      'this is no database at all, but long enough to look like one'.repeat(40),
    );
    playground.write('gatewright.config.json', '{"forge": {"kind": "gitlab"}}');
    const credentials = join(playground.home, '.config/gatewright/credentials.json');
    mkdirSync(dirname(credentials), { recursive: true });
    writeFileSync(credentials, '{"credentials": []}', { mode: 0o644 });
    for (const name of ['bwrap', 'unshare'])
      program(name, 'echo "No permissions to create a new namespace" >&2; exit 1');
    const { code, isReady, of } = await diagnose({
      GATEWRIGHT_EDITOR: 'no-such-editor',
      GATEWRIGHT_REVEIWER: 'x',
      GATEWRIGHT_DRAFTER: 'claude:opus',
      GATEWRIGHT_REVIEWER: 'google:gemini-x',
    });
    expect([code, isReady]).toEqual([1, false]);
    expect(of('node')[0]?.state).toBe('ok');
    expect(of('editor')[0]).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('no-such-editor'),
    });
    expect(of('configuration')[0]?.detail).toContain('forge.kind: has to be "local" or "github"');
    expect(of('environment')[0]).toMatchObject({
      state: 'warning',
      fix: 'Did you mean GATEWRIGHT_REVIEWER?',
    });
    expect(of('sandbox')[0]).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('new namespace'),
    });
    expect(of('database')[0]?.detail).toContain('damaged');
    expect(of('credentials')[0]?.fix).toContain('chmod 600');
    expect(of('claude')[0]).toMatchObject({ state: 'problem' });
    const models = of('models').map(({ state, detail }) => `${state} ${detail}`);
    expect(models[0]).toContain(
      'problem drafter of issue, lld: claude:opus: the Claude Code CLI is not installed',
    );
  });

  itLong(
    'a program that hangs is given up, and hides nothing',
    async () => {
      for (const name of ['bwrap', 'unshare', 'claude']) program(name, 'exec sleep 600');
      const { of, code } = await diagnose();
      expect(of('sandbox')[0]?.detail).toMatch(/namespaces does not work|no answer within 10 seconds/u);
      expect(of('claude')[0]?.detail).toContain('no answer within 10 seconds');
      expect(of('database')[0]?.state).toBe('ok');
      expect(code).toBe(1);
      // Long before they would end by themselves.
    },
    240_000,
  );

  it.each<[string, () => void, string, string]>([
    [
      'no commit',
      () => playground.git('update-ref', '-d', 'HEAD'),
      'no commit yet',
      'git commit --allow-empty',
    ],
    [
      'no identity',
      () => playground.git('config', 'user.useConfigOnly', 'true'),
      'git does not know your name and address',
      'git config',
    ],
    ['an ignored lineage', () => playground.write('.gitignore', 'docs/\n'), 'git ignores', '.gitignore'],
    [
      'no repository',
      () => rmSync(playground.path('.git'), { recursive: true }),
      'no git repository',
      'git init',
    ],
  ])('git: %s', async (_, spoil, detail, fix) => {
    spoil();
    if (detail === 'git does not know your name and address') {
      playground.git('config', '--unset', 'user.name');
      playground.git('config', '--unset', 'user.email');
    }
    const { of, code } = await diagnose({ GIT_CEILING_DIRECTORIES: playground.folder });
    const found = of('git').find((one) => one.state === 'problem');
    expect(found?.detail).toContain(detail);
    expect(found?.fix).toContain(fix);
    expect(code).toBe(1);
  });

  it('a model without a key: which variable to set, said once', async () => {
    const { of } = await diagnose({ GATEWRIGHT_REVIEWER: 'google:gemini-x' });
    const [, reviewer] = of('models');
    expect(reviewer?.detail).toMatch(
      /^reviewer of issue, lld: google:gemini-x has no key: set GEMINI_API_KEY/u,
    );
    expect(reviewer?.fix).toContain('--reviewer PROVIDER:MODEL');
  });

  itLong('editors that do not wait, keys that others may read, models of one family', async () => {
    program('code', 'exit 0');
    await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto']);
    chmodSync(`${playground.database}.key`, 0o644);
    const { of } = await diagnose({
      GATEWRIGHT_EDITOR: 'code',
      GATEWRIGHT_DRAFTER: 'anthropic:claude-a',
      GATEWRIGHT_REVIEWER: 'anthropic:claude-b',
      ANTHROPIC_API_KEY: 'k',
    });
    expect(of('editor')[0]).toMatchObject({ state: 'warning', fix: 'Add --wait: code --wait' });
    expect(of('database')[0]?.fix).toContain('chmod 600');
    expect(of('independence').map(({ state }) => state)).toEqual(['problem', 'problem']);
    expect(of('credentials')[0]?.detail).toBe('ANTHROPIC_API_KEY (anthropic)');
  });
});

describe('the models of the fleet', () => {
  it.each([
    ['GATEWRIGHT_PLANNER', 'google:gemini-x', 'can neither write code nor plan'],
    ['GATEWRIGHT_CODE_REVIEWER', 'builtin:checklist', 'cannot be the code reviewer'],
    ['GATEWRIGHT_WRITER', 'google:gemini-x', 'writer: google:gemini-x has no key'],
    [
      'GATEWRIGHT_CODE_REVIEWER',
      'claude:opus',
      'code reviewer: claude:opus: the Claude Code CLI is not installed',
    ],
  ])('%s=%s is a problem', async (name, value, words) => {
    const { code, of } = await diagnose({ [name]: value });
    expect(code).toBe(1);
    const problems = of('models').filter(({ state }) => state === 'problem');
    expect(problems.map(({ detail }) => detail).join()).toContain(words);
  });

  it.skipIf(isWithoutSandbox)(
    'the coder is looked at when somebody chose one, by option, variable or file',
    async () => {
      const none = await diagnose({});
      expect(none.of('models').some(({ detail }) => detail.startsWith('coder'))).toBe(false);
      const missing = await diagnose({ GATEWRIGHT_CODER: 'cassette:/nowhere.json' });
      expect(
        missing.findings.some(({ state, detail }) => state === 'problem' && detail.includes('/nowhere.json')),
      ).toBe(true);
      const shown = await playground.run(['config', 'show', '--coder', 'claude:opus', '--json']);
      expect(shown.stdout).toContain('claude:opus');
      program('claude', 'echo "9.9.9 (Claude Code)"');
      const chosen = await diagnose({ ANTHROPIC_API_KEY: 'x' }, ['--coder', 'claude:opus']);
      expect(chosen.of('models').map(({ detail }) => detail)).toContain('coder: claude:opus');
      const login = await diagnose({}, ['--coder', 'claude:opus']);
      expect(
        login
          .of('models')
          .map(({ detail }) => detail)
          .join(),
      ).toContain('claude setup-token');
    },
  );
});

describe('the sandbox', () => {
  it.skipIf(isWithoutSandbox)('is named', async () => {
    const { of } = await diagnose({ GATEWRIGHT_SANDBOX: 'require' });
    expect(of('sandbox')[0]).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/sandbox made with (?:bubblewrap|Linux namespaces)$/u),
    });
  });

  it('that is required and missing stops everything', async () => {
    for (const name of ['bwrap', 'unshare']) program(name, 'exit 1');
    const missing = await diagnose({ GATEWRIGHT_SANDBOX: 'require' });
    expect(missing.of('sandbox')[0]).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('the settings require a sandbox'),
    });
    expect([missing.isReady, missing.code]).toEqual([false, 1]);
  });

  it.skipIf(isWithoutSandbox)(
    'shows tools in the home that are on the search path or named, and says which it does not',
    async () => {
      const { home } = playground;
      for (const folder of ['.cargo/bin', 'tools/zig/bin', '.ssh'])
        mkdirSync(join(home, folder), { recursive: true });
      const { of } = await diagnose({
        PATH: `${join(home, '.cargo/bin')}:${room.path}`,
        GATEWRIGHT_TOOLS: '~/tools/zig,~/.ssh',
      });
      const [, shown, refused] = of('sandbox');
      expect(shown?.detail).toContain(`${home}/.cargo/bin`);
      expect(shown?.detail).toContain(`${home}/tools/zig`);
      expect(refused).toMatchObject({
        state: 'warning',
        detail: 'fleet.tools names ~/.ssh, which is a folder for logins: it is not shown',
      });
    },
  );

  it.skipIf(isWithoutSandbox)(
    'does not show a folder of tools that is too large to be searched for secrets, and says so',
    async () => {
      const large = join(playground.home, 'tools/large');
      mkdirSync(large, { recursive: true });
      for (let each = 0; each < 20_000; each += 1) mkdirSync(join(large, `${each}`));
      const { of } = await diagnose({ GATEWRIGHT_TOOLS: '~/tools/large' });
      const findings = of('sandbox');
      expect(findings.filter(({ state }) => state === 'ok').map(({ detail }) => detail)).not.toContainEqual(
        expect.stringContaining(large),
      );
      expect(findings.filter(({ detail }) => detail.includes(large))).toMatchObject([
        {
          state: 'warning',
          detail: `tools in ${large} are not in the sandbox: the folder has more than 20000 folders, too many to search for secrets`,
        },
      ]);
    },
  );
});

describe('GitHub', () => {
  const token = 'ghp_canary0123456789abcdefghijklmnop';
  let server: GithubServer;

  beforeEach(async () => {
    server = await GithubServer.start();
    server.addUser('octo', token);
    server.state.addRepository('acme/project', { octo: 'write' });
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
  });
  afterEach(() => server.close());

  const env = () => ({
    ...Object.fromEntries(secretVariables.map((name) => [name, 'canary-elsewhere'])),
    GATEWRIGHT_GITHUB_APP_KEY: '',
    GATEWRIGHT_FORGE: 'github',
    GATEWRIGHT_GITHUB_URL: server.url,
    GITHUB_TOKEN: token,
  });
  const user = (headers: Record<string, string>) =>
    server.faults.push({ path: /\/user$/u, answer: { status: 200, headers, body: showMyself('octo') } });

  it('tells who you are and what you may; a classic token also its scopes, and the clock', async () => {
    const fine = await diagnose(env());
    expect(fine.of('forge')).toHaveLength(1);
    expect(fine.of('forge')[0]?.detail).toContain('octo may write to acme/project (write)');
    user({ 'x-oauth-scopes': 'repo, gist' });
    expect((await diagnose(env())).of('forge')).toHaveLength(1);
    user({ 'x-oauth-scopes': 'gist', date: new Date(Date.now() - 600_000).toUTCString() });
    const { of, all } = await diagnose(env());
    expect(of('forge').map(({ state }) => state)).toEqual(['ok', 'problem', 'warning']);
    expect(of('forge')[1]?.detail).toBe('the token has only: gist');
    expect(of('forge')[2]?.detail).toMatch(/your clock is 6\d\d seconds ahead of/u);
    expect(all).not.toContain('canary');
  });

  /** A `gh` on this machine would take any of them for a login. */
  const noTokens = Object.fromEntries(ghVariables.map((name) => [name, '']));

  it.each<[string, () => void, Record<string, string>, string]>([
    ['a wrong token', () => undefined, { GITHUB_TOKEN: 'wrong' }, 'Bad credentials'],
    ['no token', () => undefined, noTokens, 'No token for'],
    [
      'read only',
      () => server.state.repositories.get('acme/project')?.roles.set('octo', 'read'),
      {},
      '"write" is needed',
    ],
    [
      'no such repository',
      () => server.state.repositories.delete('acme/project'),
      {},
      'answered 404 (permissions on acme/project)',
    ],
    [
      'a redirect to another host',
      () =>
        server.faults.push(
          ...Array.from({ length: 9 }, () => ({
            path: /\/user$/u,
            answer: {
              ...{ status: 302, headers: { location: 'http://127.0.0.1:9/' } },
              deviates: 'no GitHub',
            },
          })),
        ),
      {},
      'points to another server',
    ],
    ['a login page', () => user({}), {}, ''],
  ])('%s', async (name, spoil, more, said) => {
    spoil();
    if (name === 'a login page') {
      server.faults.splice(0);
      server.faults.push({ path: /\/user$/u, answer: { status: 200, body: '<html>', deviates: 'a proxy' } });
    }
    const { of, code, all } = await diagnose({ ...env(), ...more });
    expect(of('forge')[0]?.state).toBe('problem');
    expect(of('forge')[0]?.detail).toContain(said || "not GitHub's");
    expect(code).toBe(1);
    expect(all).not.toContain(token);
  });
});
