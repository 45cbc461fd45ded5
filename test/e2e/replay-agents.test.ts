/** Runs of agents are recorded as they happen, and played again from the recording alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composePackagePrompts, listFolders } from '../../src/compose/compose-tapes.ts';
import { isAgentRun } from '../../src/domain/ledger/run.ts';
import { parseTape, type Tape } from '../../src/domain/recordings/tape.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { exportTape } from '../../src/fleet/tapes/export-tape.ts';
import { listQuestions } from '../../src/fleet/tapes/fork-agent.ts';
import { replayTape } from '../../src/fleet/tapes/replay-tape.ts';
import { fileOrder, openChain, playTape, wholeTape } from '../support/chain-world.ts';
import { type FleetRoom, packageRoot } from '../support/fleet-room.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { strangeCalls } from '../support/strange-tapes.ts';

let chain: FleetRoom;
let recordedChain: readonly Recorded[];
let world: FleetRoom;
beforeAll(async () => {
  recordedChain = await playChain();
  chain = world;
}, 240_000);
beforeEach(() => {
  world = chain;
});
afterEach(() => (world === chain ? undefined : world.remove()));
afterAll(() => chain.remove());

const prompts = composePackagePrompts(packageRoot);

interface Recorded {
  readonly name: string;
  readonly status: string;
  readonly text: string;
}

/** Every run of an agent in this world, as it would be attached to a bug report. */
async function recordAll(): Promise<Recorded[]> {
  const { folder, repository } = world.playground;
  const runs = (await world.house.views.listRuns({})).filter(isAgentRun).reverse();
  return Promise.all(
    runs.map(async ({ id, request, status }) => ({
      name: request.agent,
      status,
      text: exportTape(
        id,
        await world.house.tapes.read(id),
        listFolders({ dataFolder: join(folder, 'data') }, repository),
      ),
    })),
  );
}

async function playChain(tape = wholeTape): Promise<Recorded[]> {
  world = await openChain('the local forge', tape);
  const { event } = await fileOrder(world);
  await world.deliver(event);
  return recordAll();
}

const parseAgentTape = (text: string, name: string): Tape => parseTape(text, name) as Tape;

const runOf = (recorded: readonly Recorded[], name: string): Tape =>
  parseAgentTape(recorded.find((one) => one.name === name)?.text ?? '', name);

describe('a chain of agents', () => {
  it('is played again run by run, without the repository, with the same effects and ends', {
    timeout: 240_000,
  }, async () => {
    const recorded = recordedChain;
    expect(recorded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['implementer', 'reviewer', 'pr-size-guardian', 'auto-merge']),
    );
    const { folder } = world.playground;
    for (const { name, text } of recorded) {
      expect(text).not.toContain(folder);
      const report = await replayTape(parseAgentTape(text, name), prompts);
      expect(report, name).toMatchObject({ isSame: true, changedPrompts: [] });
    }
    const { compared } = await replayTape(runOf(recorded, 'implementer'), prompts);
    expect(compared.map(({ name }) => name.split(' ').slice(0, 2).join(' '))).toEqual(
      expect.arrayContaining(['effect push-branch', 'effect create-pull-request', 'entry command-verified']),
    );
  });

  it('tells what an agent would do otherwise by now', { timeout: 240_000 }, async () => {
    const tape = runOf(recordedChain, 'reviewer');
    const answer = tape.calls.find(({ port, method }) => port === 'models' && method === 'askForObject');
    Object.assign(answer ?? {}, { value: { summary: 'Fine.', findings: [] } });
    const report = await replayTape(tape, prompts);
    expect(report.isSame).toBe(false);
    expect(report.compared.filter(({ state }) => state !== 'same')).not.toEqual([]);
  });

  it('that stopped stops again, for the same reason', { timeout: 240_000 }, async () => {
    const [first] = wholeTape.work ?? [];
    const recorded = await playChain({ work: [{ ...first, outcome: { failed: 'crash' } }], calls: [] });
    expect(recorded[0]).toMatchObject({ name: 'implementer', status: 'blocked' });
    const report = await replayTape(runOf(recorded, 'implementer'), prompts);
    expect(report.isSame).toBe(true);
    expect(report.ended.now).toMatch(/^model-unusable-answer: Claude \(recorded\) did not finish/u);
  });

  it('that was resumed is played from its last attempt, which did not do everything again', {
    timeout: 240_000,
  }, async () => {
    const [first] = wholeTape.work ?? [];
    await playChain({ work: [{ ...first, outcome: { failed: 'crash' } }], calls: [] });
    const [run] = (await world.house.views.listRuns({})).filter(isAgentRun);
    const env = playTape(world, { work: [{ ...first }], calls: [] });
    const resumed = await world.playground.run(['dispatch', '--resume', run?.id ?? ''], { env });
    expect(resumed.all).toContain('is carried out in');
    const recorded = await recordAll();
    const report = await replayTape(runOf(recorded, 'implementer'), prompts);
    expect(report.compared.filter(({ state }) => state !== 'same')).toEqual([]);
    expect(report.isSame).toBe(true);
  });
});

describe('the commands', () => {
  it('record a run to a file, and replay it in a folder that is no repository', {
    timeout: 240_000,
  }, async () => {
    const { playground } = world;
    const [run] = (await world.house.views.listRuns({})).filter(isAgentRun).reverse();
    const file = join(playground.folder, 'failure.json');
    expect(await playground.run(['record', run?.id ?? '', file])).toMatchObject({ code: 0 });
    const replayed = await playground.run(['replay', file]);
    expect(replayed.stdout).toContain('same     effect create-pull-request');
    expect(replayed.stderr).toContain('The agent would do the same.');
    expect(replayed.code).toBe(0);
    // Again, over itself; but over nothing else.
    expect(await playground.run(['record', run?.id ?? '', file])).toMatchObject({ code: 0 });
    const other = join(playground.folder, 'other.json');
    writeFileSync(other, '{}');
    const refused = await playground.run(['record', run?.id ?? '', other]);
    expect(refused.stderr).toContain('something else is there already');
    const forked = await playground.run(['replay', file, '--from', 'implementer#1']);
    expect([forked.code, forked.stderr]).toEqual([1, expect.stringContaining('is forked where it ran')]);
    const secret = JSON.parse(readFileSync(file, 'utf8')) as Tape;
    expect(secret.head.run).toBe(run?.id);
  });
});

describe('a fork', () => {
  const runIdOf = async (name: string): Promise<string> => {
    const runs = (await world.house.views.listRuns({})).filter(isAgentRun).reverse();
    return runs.find(({ request }) => request.agent === name && !request.dryRun)?.id ?? '';
  };

  it('asks another reviewer about what the first one saw, and changes nothing', {
    timeout: 240_000,
  }, async () => {
    const { playground } = world;
    const run = await runIdOf('reviewer');
    const finding = { path: 'src/sum.mjs', line: 2, severity: 'critical', category: 'bug' };
    const object = {
      summary: 'Another.',
      findings: [{ ...finding, title: 'Quite wrong', detail: 'It is.' }],
    };
    const request = { includes: ['src/sum.mjs', 'Look at the signs.'] };
    const other = `cassette:${world.cassette({
      format: 'gatewright-cassette/1',
      about: 'Another reviewer.',
      models: { reviewer: { name: 'gemini-pro', title: 'Gemini' } },
      calls: [{ role: 'reviewer', call: 1, request, answer: { object } }],
    })}`;
    const hint = join(playground.folder, 'hint.md');
    writeFileSync(hint, 'Look at the signs.\n');
    const before = [playground.git('for-each-ref'), await playground.json(['forge', 'pr', 'view', '2'])];
    const forked = await playground.run([
      ...['replay', run, '--from', 'reviewer#1', '--prompt', hint, '--code-reviewer', other],
    ]);
    expect([forked.code, forked.all]).toEqual([0, expect.stringContaining('It is a dry run')]);
    expect(forked.stdout).toMatch(/^would .*review/mu);
    expect(forked.stdout).toMatch(/^ {2}\| .*Quite wrong/mu);
    expect([playground.git('for-each-ref'), await playground.json(['forge', 'pr', 'view', '2'])]).toEqual(
      before,
    );
    const [made] = (await world.house.views.listRuns({})).filter(isAgentRun);
    expect(made?.request).toMatchObject({ dryRun: true, fork: { run, step: 'reviewer#1' } });
    const entries = await world.house.ledger.readRun(made?.id ?? '');
    const answered = entries.flatMap((entry) => (entry.kind === 'model-answered' ? [entry.data] : []));
    expect(answered).toMatchObject([{ reportedModel: 'gemini-pro' }]);
    // Its decisions do not count.
    expect(entries.map(({ kind }) => kind)).not.toContain('code-reviewed');
    expect(await world.house.ledger.getText(answered[0]?.answer ?? '')).toContain('Quite wrong');
  });

  it('takes over the work before the step, and has it corrected by another agent', {
    timeout: 240_000,
  }, async () => {
    const tapes = recordedChain
      .filter(({ name }) => name === 'implementer')
      .map(({ text }) => parseAgentTape(text, 'implementer'));
    const fixing = tapes.find((tape) => listQuestions(tape).some(({ name }) => name === 'fixer#1'));
    const { playground } = world;
    const before = playground.git('for-each-ref');
    const forked = await playground.run(['replay', fixing?.head.run ?? '', '--from', 'fixer#1', '--json'], {
      env: playTape(world, {
        work: [
          {
            ...{ role: 'fixer', call: 1, request: { includes: ['joined instead of added'] } },
            steps: [{ edit: 'src/sum.mjs', replace: 'a + b', with: '+a + +b' }],
            outcome: {
              text: 'Done.',
              object: { summary: 'Shorter.', testing: 'None.', risk: 'auto-merge', questions: [] },
            },
          },
        ],
        calls: [],
      }),
    });
    const told = JSON.parse(forked.stdout) as { status: string; planned: { what: string }[] };
    expect([forked.code, told]).toMatchObject([0, { status: 'done' }]);
    expect(told.planned.map(({ what }) => what).join('\n')).toMatch(/push/u);
    expect(playground.git('for-each-ref')).toBe(before);
  });

  it('says which steps there are', { timeout: 240_000 }, async () => {
    const { playground } = world;
    const reviewer = await runIdOf('reviewer');
    const wrong = await playground.run(['replay', reviewer, '--from', 'N2#1']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Fork from one of: reviewer#1')]);
    const shown = await playground.run(['runs', 'show', reviewer]);
    expect(shown.stdout).toContain('(reviewer#1)');
    const merge = await playground.run(['replay', await runIdOf('auto-merge'), '--from', 'x#1']);
    expect([merge.code, merge.stderr]).toEqual([1, expect.stringContaining('asked no model')]);
    const prompt = await playground.run(['replay', reviewer, '--coder', 'claude:opus']);
    expect([prompt.code, prompt.stderr]).toEqual([2, expect.stringContaining('give --from STEP too')]);
  });
});

describe('a recording by another hand', () => {
  it('changes nothing, whatever it holds', { timeout: 240_000 }, async () => {
    const tape = runOf(recordedChain, 'implementer');
    const { playground } = world;
    const before = playground.git('for-each-ref');
    await fc.assert(
      fc.asyncProperty(strangeCalls(tape.calls), async (calls) => {
        const changed = JSON.stringify({ ...tape, calls });
        try {
          await replayTape(parseAgentTape(changed, 'changed'), prompts);
        } catch (error) {
          if (!isGatewrightError(error, 'cassette-invalid')) throw error;
        }
      }),
      { numRuns: propertyRuns(100) },
    );
    expect(playground.git('for-each-ref')).toBe(before);
    expect(playground.git('status', '--porcelain')).toBe('');
  });
});
