/** `init --actions` and `doctor --actions` in the built program: what is written, what is left alone, and what is missing. */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standardLabels } from '../../src/domain/forge/label-table.ts';
import type { ActionsService } from '../support/github-actions-routes.ts';
import { GithubServer } from '../support/github-server.ts';
import type { StoredRepository } from '../support/github-state.ts';
import { Playground } from '../support/playground.ts';
import { TerminalSession } from '../support/terminal-session.ts';

let playground: Playground;
beforeEach(() => {
  playground = new Playground({ brief: null });
});
afterEach(() => playground.remove());

const env = { GITHUB_TOKEN: '', GATEWRIGHT_FORGE: 'github' };
const init = (...words: string[]) => playground.run(['init', '--actions', ...words], { env });
const workflows = (): string[] => readdirSync(playground.path('.github/workflows')).sort();
const claude = '.github/workflows/claude.yml';

describe('init --actions', () => {
  it('writes the files without a token, and then has nothing to do', async () => {
    const before = await init('--check');
    expect([before.code, before.stdout.includes('+name: Claude Code Review')]).toEqual([1, true]);
    expect(playground.git('status', '--porcelain')).toBe('');
    const refused = await init();
    expect([refused.code, refused.stderr.includes('gatewright init --actions --yes')]).toEqual([2, true]);
    const done = await init('--yes');
    expect(done.code, done.all).toBe(0);
    expect(workflows()).toHaveLength(10);
    expect(done.stderr).toContain('gh secret set GATEWRIGHT_LEDGER_KEY');
    expect((await init('--check')).code).toBe(0);
    expect((await playground.run(['actions', 'lint', '--strict'], { env })).code).toBe(0);
    const verified = await playground.run(['ledger', 'verify'], { env });
    expect(verified.stdout).toContain('Sound');
  });

  it('keeps what was chosen, and says what is not wanted any more', async () => {
    expect(
      (await init('--yes', '--agents', 'reviewer, auto-merge', '--runner', 'self-hosted,linux')).code,
    ).toBe(0);
    expect(workflows()).toEqual(['auto-merge.yml', 'claude-review.yml']);
    expect(playground.read('.github/workflows/claude-review.yml')).toContain('runs-on: [self-hosted, linux]');
    expect((await init('--check')).code).toBe(0);
    const fewer = await init('--yes', '--agents', 'auto-merge');
    expect(fewer.stderr).toContain('git rm .github/workflows/claude-review.yml');
    const wrong = await init('--agents', 'revewer');
    expect([wrong.code, wrong.stderr.includes('Did you mean reviewer?')]).toEqual([2, true]);
    expect((await init('--runner', 'x; touch y')).code).toBe(2);
  });

  it('changes no letter of a file that is no text in UTF-8', async () => {
    const files = { 'CLAUDE.md': 'caf\xE9\r\n', [claude]: '\xFF\xFEn\0' };
    for (const [path, content] of Object.entries(files)) {
      playground.write(path, '');
      writeFileSync(playground.path(path), content, 'latin1');
    }
    const done = await init('--yes', '--overwrite', claude);
    expect(done.code).toBe(1);
    for (const [path, content] of Object.entries(files)) {
      expect(done.stderr).toContain(`${path} was left as it is: it is no text in UTF-8.`);
      expect(readFileSync(playground.path(path), 'latin1')).toBe(content);
    }
    expect(workflows()).toHaveLength(10);
    const marked = '\uFEFFRules.\r\n';
    playground.write('CLAUDE.md', marked);
    await init('--yes');
    expect(playground.read('CLAUDE.md').startsWith(marked)).toBe(true);
  });

  it('brings its own files up to date, and one that a person changed only if it is named', async () => {
    await init('--yes');
    const written = playground.read(claude);
    playground.write('.github/workflows/ci.yml', 'name: Tests\non: push\njobs: {}\n');
    playground.write(claude, `${written}# mine\n`);
    const shown = await init('--check');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain('-# mine');
    expect(shown.stdout).toContain('+      - Tests');
    const refused = await init('--yes');
    expect([refused.code, refused.stderr.includes(`--overwrite ${claude}`)]).toEqual([1, true]);
    expect(playground.read('.github/workflows/ci-doctor.yml')).not.toContain('Tests');
    expect((await init('--yes', '--overwrite', claude)).code).toBe(0);
    expect(playground.read(claude)).toBe(written);
    expect(playground.read('.github/workflows/ci-doctor.yml')).toContain('- Tests');
  });

  it('asks about a file that a person changed, and leaves it where that is the answer', async () => {
    await init('--yes');
    const mine = `${playground.read(claude)}# mine\n`;
    playground.write(claude, mine);
    const session = new TerminalSession(playground, ['init', '--actions'], env);
    await session.answer('Replace it, y or n? [n]:', '');
    expect(await session.exit()).toBe(0);
    expect(playground.read(claude)).toBe(mine);
  });

  it('changes nothing outside of its lines, and no file whose lines are unclear', async () => {
    const around = '# Ours\r\n\r\ntext without an end';
    playground.write('AGENTS.md', around);
    playground.write('CLAUDE.md', 'a\n<!-- gatewright:end -->\nb\n<!-- gatewright:begin sha256:x -->\n');
    const done = await init('--yes');
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('CLAUDE.md was left as it is');
    expect(playground.read('CLAUDE.md')).toMatch(/^a\n<!-- gatewright:end/u);
    const agents = playground.read('AGENTS.md');
    expect(agents.startsWith(`${around}\n\n<!-- gatewright:begin sha256:`)).toBe(true);
    playground.write('AGENTS.md', `${agents}more\n`.replace('# Ours', '# Yours'));
    rmSync(playground.path('CLAUDE.md'));
    symlinkSync('AGENTS.md', playground.path('CLAUDE.md'));
    const again = await init('--yes');
    expect(again.stderr).toContain('CLAUDE.md is a link');
    expect(playground.read('AGENTS.md')).toBe(`${agents}more\n`.replace('# Ours', '# Yours'));
  });

  it('makes a key for the ledger only when it is asked to, each time another one', async () => {
    const [one, other] = [await init('--ledger-key'), await init('--ledger-key')];
    expect(one.stdout).toMatch(/^[0-9a-f]{64}\n$/u);
    expect(other.stdout).not.toBe(one.stdout);
    expect(one.stderr).toBe('');
  });
});

describe('doctor --actions', () => {
  const token = 'ghp_canary_doctor_0123456789';
  let server: GithubServer;
  let stored: StoredRepository;

  beforeEach(async () => {
    server = await GithubServer.start();
    server.addUser('octo', token);
    stored = server.state.addRepository('acme/project', { octo: 'admin' });
    stored.git.commit('main', { 'a.txt': 'a\n' });
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
  });
  afterEach(() => server.close());

  async function diagnose() {
    const result = await playground.run(['doctor', '--actions', '--json'], {
      env: { GATEWRIGHT_FORGE: 'github', GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: token },
    });
    const report = JSON.parse(result.stdout) as {
      isReady: boolean;
      findings: { name: string; state: string; detail: string; fix: string }[];
    };
    expect(result.all).not.toContain('canary');
    return {
      ...report,
      code: result.code,
      told: report.findings.map(({ state, name }) => `${state} ${name}`),
    };
  }

  const service = (isActive: boolean): ActionsService => ({
    listWorkflows: () => workflows().map((name) => ({ name, path: `.github/workflows/${name}` })),
    ...(isActive ? {} : { listWorkflows: () => [] }),
    dispatch: () => 0,
    dispatchRepository: () => undefined,
    approve: () => false,
    cancel: () => false,
    listArtifacts: () => [],
  });

  it('names everything that is missing, with what to do', async () => {
    stored.actions.defaultPermissions = 'write';
    const { code, findings } = await diagnose();
    expect(code).toBe(1);
    const problems = findings.filter(({ state }) => state !== 'ok').map(({ detail }) => detail);
    expect(problems.join('\n')).toMatch(/claude.yml is not there/u);
    for (const words of [
      ...['may write to everything', 'jobs may not open pull requests', 'GATEWRIGHT_LEDGER_KEY is not set'],
      ...['no key of a model is set', 'GATEWRIGHT_VERIFY is not set', 'labels missing', 'main has no rule'],
      'GitHub does not know .github/workflows/claude.yml',
    ])
      expect(problems.join('\n')).toContain(words);
    for (const { state, fix } of findings) expect(fix === '').toBe(state === 'ok');
  });

  it('is content where everything is set', async () => {
    await init('--yes');
    server.actions = service(true);
    stored.actions.mayApprove = true;
    stored.actions.secrets.set('GATEWRIGHT_LEDGER_KEY', 'canary-ledger');
    stored.actions.sharedSecrets.add('ANTHROPIC_API_KEY');
    stored.actions.variables.set('GATEWRIGHT_VERIFY', 'npm test');
    for (const { name, colour, description } of standardLabels)
      server.state.addLabel(stored, name, colour, description);
    stored.rules.protection.set('main', { checks: [] });
    const { code, told } = await diagnose();
    expect(told.filter((one) => !one.startsWith('ok'))).toEqual([]);
    expect(code).toBe(0);
    stored.actions.isEnabled = false;
    expect((await diagnose()).told).toContain('problem actions');
    stored.actions.isEnabled = true;
    stored.actions.allowed = 'local_only';
    expect((await diagnose()).told).toContain('problem actions');
  });

  it('says once what keeps it from asking GitHub', async () => {
    await init('--yes');
    const result = await playground.run(['doctor', '--actions'], {
      env: { GATEWRIGHT_FORGE: 'github', GATEWRIGHT_GITHUB_URL: server.url, GITHUB_TOKEN: '' },
    });
    expect(result.code).toBe(1);
    expect(result.all.split('No token for ')).toHaveLength(2);
    expect(result.all).toContain('Problems: 1;');
  });

  it('never calls fine what it cannot see', async () => {
    await init('--yes');
    server.actions = service(true);
    stored.roles.set('octo', 'read');
    const { findings } = await diagnose();
    const unseen = findings.filter(({ detail }) => detail.startsWith('cannot see'));
    expect([...new Set(unseen.map(({ name }) => name))].sort()).toEqual([
      ...['actions', 'job tokens', 'secrets', 'variables'],
    ]);
    for (const name of ['actions', 'job tokens', 'secrets', 'variables'])
      expect(findings.some((one) => one.name === name && one.state === 'ok')).toBe(false);
  });
});
