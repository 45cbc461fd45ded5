/**
 * One loop with everything in it: four tasks, of which one fails twice and then passes, a task that is discovered on the
 * way, a hint that becomes a task and one that expires, a task that never passes and is planned anew, a debug round, a
 * review, and the merge. People drive it with commands (here), or with labels and comments (loop-orders.ts).
 */
import { labelNames } from '../../src/domain/forge/labels.ts';
import type { LoopRun } from '../../src/domain/ledger/run.ts';
import type { House } from '../../src/runs/house.ts';
import { findLoop } from '../../src/workflows/loop/drive-loop.ts';
import { type Promotion, promoteWisp } from '../../src/workflows/loop/keep-wisps.ts';
import { viewWisps } from '../../src/workflows/loop/look-at-loop.ts';
import { coded, debugged, plan, planned, report, typed, type Work } from './loop-cassette.ts';
import { type Answer, LoopWorld } from './loop-world.ts';
import { override } from './override.ts';

const { task, write } = typed;
const testOfSum = 'node --test test/sum.test.ts';

const found = {
  ...{ title: 'Also negate', description: 'Write negate in src/negate.ts.' },
  acceptanceCriteria: [`\`${testOfSum}\` passes`],
  verifyCommands: [testOfSum],
};
const note = { pattern: 'Tests are beside the sources.', files: ['test/sum.test.ts'], impacts: 'US-002' };

/** The hint that is promoted, and the one that no one promotes. */
export const hints = {
  lasting: 'src/all.ts should export them all',
  passing: 'the build is slow today',
} as const;

type Attempt = (call: number) => Work;
const code =
  (steps: Work['steps'], more: object = {}): Attempt =>
  (call) =>
    coded(call, steps, report(more));
const debug =
  (replace: string, by: string): Attempt =>
  (call) =>
    debugged(call, [{ edit: 'src/difference.ts', replace, with: by }]);

/** @param promoted what is done for the hint, where it becomes a task */
function makeWork(...promoted: readonly Attempt[]): readonly Work[] {
  const more = { globalVerifyCommands: [testOfSum] };
  const attempts: readonly Attempt[] = [
    code(write('difference', false), { wisp: { note: hints.lasting, minutes: 600 } }),
    code(write('difference', false)),
    code(write('difference'), { discovered: [found, found], note }),
    code(write('product')),
    ...promoted,
    code(write('negate')),
    code(write('quotient', false), { wisp: { note: hints.passing, minutes: 30 } }),
    ...[2, 3].map(() => code(write('quotient', false))),
    code(write('power')),
    code(write('quotient')),
    debug('a - b', '0'),
    debug('return 0', 'return a - b - 0'),
  ];
  const tasks = [task('difference'), task('product', { dependsOn: [1] }), task('quotient'), task('power')];
  return [
    planned(1, plan(tasks, more)),
    planned(2, plan([task('quotient', { title: 'Add quotient once more' })], more)),
    ...attempts.map((make, index) => make(index + 1)),
  ];
}

const all = "export { difference } from './difference.ts';\n";
const commandWork = makeWork(code([{ write: 'src/all.ts', content: all }]));
const orderWork = makeWork();

/** The world of the scenario, for people who type commands or for people who only label and comment. */
export function openScenario(by: 'commands' | 'orders'): Promise<LoopWorld> {
  return LoopWorld.open(by === 'commands' ? commandWork : orderWork, typed.files);
}

export const testReport = 'Error\nUS-001\nit is empty';
export const replanOrder = 'try the quotient once more';

/** Merges the pull request, if it is still open. */
export async function mergeByHand(world: LoopWorld): Promise<void> {
  const alice = await world.alice();
  const [pull] = await alice.listPullRequests(world.repository, { state: 'open' });
  if (pull === undefined) return;
  const { head } = await alice.getPullRequest(world.repository, pull.number);
  await alice.mergePullRequest(world.repository, pull.number, { head: head.sha, title: 'Merged', body: '' });
}

/** Alice lets the fleet merge the pull request of the loop when it was reviewed. */
export async function letItMerge(world: LoopWorld): Promise<void> {
  const [pull] = await (await world.alice()).listPullRequests(world.repository, { state: 'open' });
  if (pull !== undefined) await world.label(labelNames.autoMerge, { number: pull.number });
}

/** Makes the lasting hint last, unless it does; may be called again after a kill. */
export async function promoteHint(world: LoopWorld, house: House, to: Promotion['to']): Promise<void> {
  const run = await findLoop(world.house, world.number);
  if (run === null) throw new Error('There is no loop.');
  const hint = (await viewWisps(house, run)).find((wisp) => wisp.note === hints.lasting);
  if (hint === undefined) throw new Error('The agent left no hint.');
  if (hint.promoted) return;
  const promotion = { ...{ id: hint.id, to, task: null, verify: [] }, person: 'alice' } as const;
  await promoteWisp(house, run, promotion, { own: world.fleet.own, progress: () => undefined });
}

/** The clock of a machine, which people may let run on. */
export function makeLaterClock(house: House): {
  readonly clock: House['clock'];
  pass: (hours: number) => void;
} {
  let ahead = 0;
  const { clock } = house;
  return {
    clock: override(clock, { now: () => new Date(clock.now().getTime() + ahead) }),
    pass: (hours) => {
      ahead = hours * 3_600_000;
    },
  };
}

/**
 * Alice approves, has one attempt made, promotes the hint of its agent, has all the rest done and planned anew, reports
 * one problem, is content, closes, and lets it be merged. What this returns does as much of it as is left, with any house.
 */
export function makeScenario(world: LoopWorld): (house: House) => Promise<void> {
  const { clock, pass } = makeLaterClock(world.house);
  let reported: string | null = null;
  const isPromoted = async (): Promise<boolean> =>
    (await viewWisps(world.house, (await findLoop(world.house, world.number)) as LoopRun)).some(
      ({ promoted }) => promoted,
    );
  const answer: Answer = async ({ kind, id }) => {
    switch (kind) {
      case 'plan':
        return { choice: 'approve' };
      case 'work':
        if (await isPromoted()) return { choice: 'loop' };
        return (await world.entriesOf('task-judged')).length === 0 ? { choice: 'next' } : null;
      case 'blocked':
        pass(1);
        return { choice: 'replan', feedback: replanOrder };
      case 'testing':
        reported ??= id;
        return reported === id ? { choice: 'issue', feedback: testReport } : { choice: 'works' };
      case 'close':
        return { choice: 'close' };
      default:
        return null;
    }
  };
  return async (given) => {
    const house = { ...given, clock };
    const isDone = (await world.entriesOf('run-ended')).length > 0;
    if (!isDone) {
      const { gate } = await world.go(answer, house);
      if (gate?.kind === 'work') {
        await promoteHint(world, house, 'task');
        await world.go(answer, house);
      }
      await letItMerge(world);
    }
    await world.fleet.catchUp(house);
  };
}
