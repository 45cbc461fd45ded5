/** The built program with real SDKs, talking to a scripted provider: filing, pausing for quota, resuming, secrets. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText } from '../support/cassettes.ts';
import { itLong } from '../support/it-long.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground } from '../support/playground.ts';
import { answerWith, refuseWith, ScriptedProvider } from '../support/scripted-provider.ts';

const brief = 'ideas/active/export-csv.md';
const keys = { ANTHROPIC_API_KEY: 'sk-ant-canary-111', GEMINI_API_KEY: 'AIza-canary-222' };
const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];

let playground: Playground;
let server: ScriptedProvider;

beforeEach(async () => {
  playground = new Playground();
  server = await new ScriptedProvider().start();
  server.script = (seen) =>
    seen.provider === 'anthropic' ? answerWith(seen, draftText('Export as CSV')) : answerWith(seen, approved);
});

afterEach(async () => {
  playground.remove();
  await server.stop();
});

const environment = () => ({ ...server.environment, ...keys });

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe('real models', () => {
  it('files an issue: Anthropic drafts, Google reviews, both are on the ledger with their cost', async () => {
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: environment(),
    });
    expect(result.code, result.all).toBe(0);
    expect(server.seen.map(({ provider }) => provider)).toEqual(['anthropic', 'google']);
    const records = openRecords(playground);
    const [run] = await records.views.listRuns();
    const entries = await records.ledger.readRun(run?.id ?? '');
    records.close();
    expect(
      entries.flatMap((entry) => (entry.kind === 'model-answered' ? [entry.data.reportedModel] : [])),
    ).toEqual(['claude-sonnet-4-5', 'gemini-2.5-pro']);
    expect(run?.costUsd).toBeCloseTo((1000 * 3 + 200 * 15 + 1000 * 1.25 + 200 * 10) / 1e6);
    expect(result.all).not.toContain('canary');
    for (const file of filesUnder(playground.folder)) {
      expect(readFileSync(file).includes('canary'), file).toBe(false);
    }
  });

  it('a key that is refused blocks the run, and the way on without a model works', async () => {
    server.script = () => refuseWith(401, { 'x-should-retry': 'false' });
    const stopped = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: environment(),
    });
    expect(stopped.code, stopped.all).toBe(11);
    expect(stopped.stderr).toContain('add --drafter builtin:outline to the command below');
    const resume = /gatewright (issue --resume \S+)/u.exec(stopped.stderr)?.[1]?.split(' ') ?? [];
    const without = ['--drafter', 'builtin:outline', '--reviewer', 'builtin:checklist'];
    const resumed = await playground.run([...resume, '--auto', ...without], { env: environment() });
    expect(resumed.code, resumed.all).toBe(0);
  });

  it('a model without a known price is not asked before a person accepts it, and never costs $0.00', async () => {
    const unpriced = ['--drafter', 'anthropic:claude-nonesuch', '--reviewer', 'google:gemini-2.5-pro'];
    const env = environment();
    const stopped = await playground.run(['issue', '--brief', brief, '--auto', ...unpriced], { env });
    expect(stopped.code, stopped.all).toBe(11);
    expect(stopped.stderr).toContain('The price of anthropic:claude-nonesuch is not known');
    expect(server.seen).toEqual([]);
    const resume = /gatewright (issue --resume \S+ --accept-unpriced)/u.exec(stopped.stderr)?.[1] ?? '';
    const strict = { ...env, GATEWRIGHT_BUDGET_UNPRICED: 'refuse' };
    const refused = await playground.run([...resume.split(' '), '--auto'], { env: strict });
    expect([refused.code, refused.stderr.includes('or choose another model')]).toEqual([11, true]);
    const accepted = await playground.run([...resume.split(' '), '--auto'], { env });
    expect(accepted.code, accepted.all).toBe(0);
    expect(accepted.stderr).toContain('price unknown)');
    expect(accepted.stderr).toMatch(/Cost: \$0\.00\d* and calls of unknown price/u);
    const shown = await playground.run(['runs', 'show', resume.split(' ')[2] ?? '']);
    expect(shown.stdout).toMatch(/drafter claude-nonesuch, .*, price unknown, answer/u);
  });

  it('prices of your own count more than those of the catalogue', async () => {
    const file = join(playground.home, '.config/gatewright/config.json');
    mkdirSync(dirname(file), { recursive: true });
    const prices = { 'anthropic:claude-sonnet-4-5': { input: 1000, output: 0 } };
    writeFileSync(file, JSON.stringify({ prices, budget: { run: { usd: 100 } } }), { mode: 0o600 });
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: environment(),
    });
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('Cost: $1.00');
    playground.write('gatewright.config.json', JSON.stringify({ prices }));
    const refused = await playground.run(['config', 'validate'], { env: environment() });
    expect([refused.code, refused.stdout.includes('it is your money')]).toEqual([1, true]);
  });

  itLong(
    'pauses when the quota is used up, and a resume runs the same node again for no extra attempt',
    async () => {
      const answering = server.script;
      server.script = () => refuseWith(429, { 'retry-after': '3600' });
      const args = ['issue', '--brief', brief, '--auto', '--max-iterations', '1', ...models];
      const before = Date.now();
      const paused = await playground.run([...args, '--json'], { env: environment() });
      expect(paused.code, paused.all).toBe(12);
      const told = JSON.parse(paused.stdout) as { status: string; reason: { code: string; until: string } };
      expect(told).toMatchObject({ status: 'paused', reason: { code: 'quota-exhausted', owner: 'time' } });
      const wait = Date.parse(told.reason.until) - before;
      expect(wait).toBeGreaterThanOrEqual(3_600_000);
      expect(wait).toBeLessThan(3_660_000);
      const explained = await playground.run(['explain', brief]);
      expect(explained.stdout).toContain('out of quota');
      expect(explained.stdout).toMatch(/gatewright issue --resume 01[0-9A-Z]{24}/u);

      // The next process knows, and does not call in vain.
      expect(server.seen.length).toBe(1);
      const again = await playground.run(['issue', '--resume', brief, '--auto'], { env: environment() });
      expect(again.code, again.all).toBe(12);
      expect(again.stderr).toContain('paused:');
      expect(again.stderr).toContain('Continue with: gatewright issue --resume');
      expect(server.seen.length).toBe(1);

      // Another key under the old name has a quota of its own.
      const env = { ...environment(), ANTHROPIC_API_KEY: 'sk-ant-canary-333' };
      server.script = (seen, index) =>
        seen.provider === 'google' ? refuseWith(429, { 'retry-after': '1' }) : answering(seen, index);
      const atReview = await playground.run(['issue', '--resume', brief, '--auto'], { env });
      expect(atReview.code, atReview.all).toBe(12);

      server.script = answering;
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const done = await playground.run(['issue', '--resume', brief, '--auto'], { env });
      expect(done.code, done.all).toBe(0);
      const records = openRecords(playground);
      const entries = await records.ledger.readRun((await records.views.listRuns())[0]?.id ?? '');
      records.close();
      const nodes = entries.flatMap((entry) => (entry.kind === 'node-begun' ? [entry.data.node] : []));
      expect(nodes.filter((node) => node === 'N2_draft')).toEqual(['N2_draft']);
      expect(entries.filter((entry) => entry.kind === 'model-answered').length).toBe(2);
      expect(playground.list('docs/lineage/done/1-export-csv')).toEqual([
        '001-brief.md',
        '002-draft.md',
        '003-verdict.md',
        '004-filed.json',
      ]);
    },
  );

  it('an answer that cannot be used costs all the same, and is shown with the run', async () => {
    const answering = server.script;
    server.script = (seen, index) =>
      seen.provider === 'google' ? answerWith(seen, 'Looks good to me!') : answering(seen, index);
    const args = ['issue', '--brief', brief, '--auto', ...models];
    const stopped = await playground.run(args, { env: environment() });
    expect(stopped.stderr).toContain('(model-unusable-answer)');
    const records = openRecords(playground);
    const [run] = await records.views.listRuns();
    records.close();
    expect(run?.costUsd).toBeCloseTo((1000 * 3 + 200 * 15 + 1000 * 1.25 + 200 * 10) / 1e6);
    const shown = await playground.run(['ledger', 'show', 'export-csv']);
    expect(shown.stdout).toMatch(/model-failed\s+reviewer google:gemini-2.5-pro, model-unusable-answer/u);
  });

  it('the Claude Code CLI drafts: the subscription is out of quota, the key does it, the ledger has both', async () => {
    const answering = server.script;
    server.script = (seen, index) =>
      seen.key === 'oat-canary-444' ? refuseWith(429, { 'x-should-retry': 'false' }) : answering(seen, index);
    const args = ['--drafter', 'claude:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...args], {
      env: {
        ...environment(),
        PATH: [join(import.meta.dirname, '..', '..', 'node_modules', '.bin'), process.env.PATH].join(
          delimiter,
        ),
        CLAUDE_CODE_OAUTH_TOKEN: 'oat-canary-444',
        CLAUDE_CONFIG_DIR: join(playground.folder, 'claude'),
        CLAUDE_CODE_MAX_RETRIES: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    });
    expect(result.code, result.all).toBe(0);
    const records = openRecords(playground);
    const entries = await records.ledger.readRun((await records.views.listRuns())[0]?.id ?? '');
    records.close();
    const tries = entries.flatMap((entry) =>
      entry.kind === 'model-failed'
        ? [[entry.data.credential, entry.data.why]]
        : entry.kind === 'model-answered'
          ? [[entry.data.reportedModel]]
          : [],
    );
    expect(tries).toEqual([
      ['CLAUDE_CODE_OAUTH_TOKEN', 'quota-exhausted'],
      ['claude-sonnet-4-5'],
      ['gemini-2.5-pro'],
    ]);
    for (const file of filesUnder(playground.folder)) {
      expect(readFileSync(file).includes('canary'), file).toBe(false);
    }
  });

  it('says before anything is spent which key is missing', async () => {
    const result = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
      env: { ...server.environment, ANTHROPIC_API_KEY: 'x' },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('(preflight-failed)');
    expect(result.stderr).toContain('set GEMINI_API_KEY');
    expect(server.seen).toEqual([]);
  });

  it.each(['claude:sonnet', 'google:', 'nobody:model'])('%s cannot review', async (reviewer) => {
    const result = await playground.run(['issue', '--brief', brief, '--auto', '--reviewer', reviewer]);
    expect(result.stderr).toContain('(model-unknown)');
    expect(playground.exists('docs')).toBe(false);
  });

  it('refuses a call time that is none', async () => {
    const result = await playground.run(['status'], { env: { GATEWRIGHT_MODEL_SECONDS: 'soon' } });
    expect(result.stderr).toContain('GATEWRIGHT_MODEL_SECONDS');
  });
});
