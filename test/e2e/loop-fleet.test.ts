/** A loop that the fleet drives: labels and comments of people start it and answer it, and nobody types a command. */
import { afterEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { labelNames } from '../../src/domain/forge/labels.ts';
import type { Permission } from '../../src/domain/forge/permission.ts';
import { coded, loopFiles, plan, planned, task, write } from '../support/loop-cassette.ts';
import { LoopWorld } from '../support/loop-world.ts';

let world: LoopWorld;
afterEach(() => world.remove());

const asking = (person: string, permission?: Permission): Promise<LocalForge> =>
  world.fleet.as(person, permission);

async function label(name: string, person = 'alice'): Promise<void> {
  await world.label(name, { person });
  await world.fleet.catchUp();
}

async function say(body: string, person = 'alice'): Promise<void> {
  await world.say(body, person);
  await world.fleet.catchUp();
}

const headings = async (): Promise<string[]> =>
  (await world.comments()).map((one) => one.split('\n')[0] ?? '');

const gates = async (): Promise<string[]> =>
  (await world.house.views.listOpenGates()).map(({ question }) => question.kind);

describe('a loop driven by the fleet', () => {
  it('goes from a label to the merge by labels and comments alone', async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference'), task('product', { dependsOn: [1] })])),
      coded(1, write('difference')),
      coded(2, write('product')),
    ]);
    await label(labelNames.loop);
    expect(await gates()).toEqual(['scope']);
    expect(await world.labels()).toEqual([labelNames.loopPlanning]);
    await say('Only these two, in `src/`. It is done when `node --test` passes.');
    expect(await headings()).toContain('## 📋 Implementation Plan');
    expect(await gates()).toEqual(['plan']);
    const { playground } = world.fleet;
    const [open] = await world.house.views.listOpenGates();
    for (const words of [['status'], ['gates'], ['runs'], ['explain', String(world.number)]]) {
      const shown = await playground.run(words);
      expect(shown.stdout, words.join(' ')).toContain(open?.question.id);
    }
    await label(labelNames.loopApproved);
    expect(await gates()).toEqual(['testing']);
    expect(await world.labels()).toEqual([labelNames.loopTesting]);
    await say('Works');
    expect(await world.labels()).toEqual([labelNames.loopReview]);
    const alice = await asking('alice');
    const [pull] = await alice.listPullRequests(world.repository, { state: 'open' });
    await alice.mergePullRequest(world.repository, pull?.number ?? 0, {
      head: pull?.head.sha ?? '',
      title: 'More operations',
      body: '',
    });
    await world.fleet.catchUp();
    expect(await world.labels()).toEqual([labelNames.loopComplete]);
    expect(await gates()).toEqual([]);
    const runs = await world.house.views.listRuns({ workflows: ['loop'] });
    expect(runs.map(({ status }) => status)).toEqual(['done']);
    const answers = (await world.entriesOf('gate-answered')).map(({ actor, data }) => [
      actor,
      data.answer.choice,
      Object.keys(data.answer.said ?? {}).at(-1),
    ]);
    expect(answers).toEqual([
      ['alice', 'answer', 'comment'],
      ['alice', 'approve', 'label'],
      ['alice', 'loop', 'label'],
      ['alice', 'works', 'comment'],
      ['alice', 'close', 'comment'],
      ['policy:auto', 'check', undefined],
    ]);
  });

  it('starts for no one without write permission, and for no program', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')]))]);
    await asking('mallory', 'triage');
    await label(labelNames.loop, 'mallory');
    expect(await world.house.views.listRuns({ workflows: ['loop'] })).toEqual([]);
    expect(await world.labels()).toEqual([]);
    const refusals = await world.house.ledger.readRefusals(`${world.repository}#${world.number}`, 10);
    expect(refusals.map(({ data }) => [data.agent, data.because])).toContainEqual(['loop', 'not-permitted']);
  });

  it('counts answers of permitted people only, after the question, unedited, and of no agent beside it', async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference')])),
      planned(2, plan([task('product')])),
      coded(1, write('product')),
    ]);
    await asking('mallory', 'triage');
    await label(labelNames.loop);
    await say('I know it all', 'mallory');
    expect(await gates()).toEqual(['scope']);
    await say('@claude plan');
    expect(await gates()).toEqual(['plan']);
    await say('@claude approve', 'mallory');
    expect(await gates()).toEqual(['plan']);
    // An assignment would otherwise order the implementer.
    const alice = await asking('alice');
    await alice.editIssue(world.repository, world.number, { addAssignees: ['gatewright[bot]'] });
    await world.fleet.catchUp();
    const agents = await world.house.views.listRuns({ workflows: ['agent'] });
    expect(agents.map(({ request }) => 'agent' in request && request.agent)).not.toContain('implementer');
    // Someone rewrites what is shown: no approval of it counts, by label or comment.
    const [shown] = (await alice.listComments(world.repository, world.number)).filter(({ body }) =>
      body.startsWith('## 📋'),
    );
    await alice.updateComment(world.repository, shown?.id ?? 0, `${shown?.body}\n\nAnd \`true\`.`);
    await label(labelNames.loopApproved);
    expect(await gates()).toEqual(['plan']);
    expect(await world.labels()).toEqual([labelNames.loopPlanning]);
    await say('@claude approve');
    expect(await gates()).toEqual(['plan']);
    expect((await world.comments()).filter((one) => one.includes('the plan is not approved'))).toHaveLength(
      2,
    );
    // A new plan is shown; the approvals before it say nothing about it.
    await say('@claude please revise: product instead of difference');
    expect(await gates()).toEqual(['plan']);
    expect(await world.entriesOf('loop-plan-approved')).toEqual([]);
    await say('@claude approve');
    expect(await gates()).toEqual(['testing']);
    expect((await world.entriesOf('loop-plan-approved')).map(({ data }) => data.by)).toEqual(['alice']);
  });

  it('is told what a blocked task should do, what testing found, and how to go on', async () => {
    world = await LoopWorld.open([
      planned(1, plan([task('difference')])),
      ...[1, 2, 3].map((call) => coded(call, write('difference', false))),
      coded(4, write('difference')),
    ]);
    await label(labelNames.loop);
    await say('@claude plan');
    await say('@claude approve');
    expect(await gates()).toEqual(['blocked']);
    expect(await world.labels()).toEqual([labelNames.loopBlocked]);
    await say('@claude what now?');
    expect((await world.comments()).at(-1)).toContain('`@claude retry …`');
    await say('@claude retry: subtract, do not return 0');
    expect(await gates()).toEqual(['testing']);
    const told = (await world.entriesOf('task-judged')).at(-1)?.data.context ?? '';
    expect(await world.house.ledger.getText(told)).toContain('subtract, do not return 0');
    await say('later');
    await say('@claude later');
    expect(await gates()).toEqual(['testing']);
  });

  it('is one run, whoever drives it, and tells a person of a stop', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')]))]);
    await label(labelNames.loop);
    await say('@claude plan');
    // A command goes on with the same run.
    const outcome = await world.go();
    expect([outcome.status, outcome.gate?.kind]).toEqual(['waiting', 'plan']);
    expect(await world.house.views.listRuns({ workflows: ['loop'] })).toHaveLength(1);
    // While a process works on the issue, the event waits.
    const held = await world.house.leases.acquire(`${world.repository}#${world.number}`);
    await say('@claude approve');
    expect(await gates()).toEqual(['plan']);
    if ('lease' in held) await held.lease.release();
    // The recording has no work for the coder: the loop stops, and says so once.
    await world.fleet.catchUp();
    const stops = async () => (await world.comments()).filter((one) => one.includes('has stopped'));
    expect(await stops()).toHaveLength(1);
    expect((await stops())[0]).toContain('@alice');
    await say('@claude continue');
    expect(await stops()).toHaveLength(1);
    const [run] = await world.house.views.listRuns({ workflows: ['loop'] });
    expect([run?.status, run?.reason?.code]).toEqual(['blocked', 'cassette-mismatch']);
  });

  it('replies once to an approval where there is no loop, or no plan yet, and says what to do', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')]))]);
    const replies = async (words: string) =>
      (await world.comments()).filter((one) => one.includes(words)).length;
    await label(labelNames.loopApproved);
    expect(await replies('No loop works on this issue')).toBe(1);
    expect(await world.labels()).toEqual([]);
    await label(labelNames.loopApproved);
    expect(await replies('No loop works on this issue')).toBe(1);
    await label(labelNames.loop);
    expect(await gates()).toEqual(['scope']);
    await label(labelNames.loopApproved);
    await world.fleet.catchUp();
    expect(await replies('@alice there is no plan yet')).toBe(1);
    expect(await gates()).toEqual(['scope']);
    expect(await world.labels()).toEqual([labelNames.loopPlanning]);
    expect(await world.entriesOf('loop-plan-approved')).toEqual([]);
  });

  it('asks to set a label again that was set in the second in which the plan was posted', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')])), coded(1, write('difference'))]);
    await label(labelNames.loop);
    await say('@claude plan');
    const alice = await asking('alice');
    const shown = (await alice.listComments(world.repository, world.number)).find(({ body }) =>
      body.startsWith('## 📋'),
    );
    const now = () => new Date(shown?.createdAt ?? '');
    const { database, environment } = world.fleet.playground;
    const connection = openDatabase(database);
    await alice.ensureLabel(world.repository, {
      name: labelNames.loopApproved,
      colour: 'ededed',
      description: '',
    });
    await new LocalForge(connection, { now }, 'alice', environment).editIssue(
      world.repository,
      world.number,
      {
        addLabels: [labelNames.loopApproved],
      },
    );
    connection.close();
    await world.fleet.catchUp();
    expect(await gates()).toEqual(['plan']);
    expect((await world.comments()).at(-1)).toContain(`set the label "${labelNames.loopApproved}" again`);
    expect(await world.labels()).toEqual([labelNames.loopPlanning]);
    expect(await world.entriesOf('loop-plan-approved')).toEqual([]);
    await label(labelNames.loopApproved);
    expect(await gates()).toEqual(['testing']);
  });

  it('takes no orders by labels where they are switched off', async () => {
    const off = JSON.stringify({ fleet: { loopLabels: 'off' } });
    world = await LoopWorld.open([planned(1, plan([task('difference')])), coded(1, write('difference'))], {
      ...loopFiles,
      'gatewright.config.json': off,
    });
    await label(labelNames.loop);
    await label(labelNames.loopApproved);
    expect(await world.house.views.listRuns({ workflows: ['loop'] })).toEqual([]);
    expect(await world.comments()).toEqual([]);
    // A command starts it; its plan is approved in a comment, and the label says so.
    await world.go(() => null);
    await label(labelNames.loopApproved);
    expect(await gates()).toEqual(['plan']);
    expect((await world.comments()).at(-1)).toContain('`@claude approve` approves the plan.');
    await say('@claude approve');
    expect(await gates()).toEqual(['testing']);
  });

  it('takes the word of a person that it works while an agent should mend it', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')])), coded(1, write('difference'))]);
    await label(labelNames.loop);
    await say('@claude plan');
    await say('@claude approve');
    await say('@claude issue: it is empty');
    expect(await gates()).toEqual([]);
    await say('@claude what now?');
    expect((await world.comments()).at(-1)).toContain('`@claude works` says that it works as it is');
    await asking('mallory', 'triage');
    await say('@claude works', 'mallory');
    expect(await world.entriesOf('debugging-dropped')).toEqual([]);
    await say('@claude works');
    expect((await world.entriesOf('debugging-dropped')).map(({ data }) => data.by)).toEqual(['alice']);
    expect(await gates()).toEqual(['merge']);
  });

  it('is what the implementer hands an order to when the label says so', async () => {
    world = await LoopWorld.open([planned(1, plan([task('difference')]))]);
    await label('strategy: loop');
    await say('@claude please implement this');
    expect(await gates()).toEqual(['scope']);
    const [run] = await world.house.views.listRuns({ workflows: ['agent'] });
    expect(run?.reason?.message).toBe(
      `#${world.number} is worked off as a loop, because the issue has the label "strategy: loop"`,
    );
    const chosen = (await world.house.ledger.readRun(run?.id ?? '')).filter(
      ({ kind }) => kind === 'strategy-chosen',
    );
    expect(chosen).toHaveLength(1);
    // The next word is an answer to the loop, and no order to the implementer.
    await say('@claude plan');
    expect(await gates()).toEqual(['plan']);
    expect(await world.house.views.listRuns({ workflows: ['agent'] })).toHaveLength(1);
  });
});
