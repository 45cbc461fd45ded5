/**
 * A loop with an approved plan whose nodes are driven one by one in this process: an attempt of an agent is made and
 * judged, and then everything is put back. One prepared repository serves for many attempts.
 */
import type { CodingTask } from '../../src/ports/coding-agent.ts';
import type { Lease } from '../../src/ports/leases.ts';
import type { House } from '../../src/runs/house.ts';
import { findLoop } from '../../src/workflows/loop/drive-loop.ts';
import { openLoopGraph } from '../../src/workflows/loop/graph.ts';
import { type LoopContext, makeLoopContext } from '../../src/workflows/loop/loop-context.ts';
import { judgeTask } from '../../src/workflows/loop/nodes/judge-task.ts';
import { workOnTask } from '../../src/workflows/loop/nodes/work-task.ts';
import type { LoopState } from '../../src/workflows/loop/state.ts';
import { type Act, withPart } from './acting-agent.ts';
import { planned, report } from './loop-cassette.ts';
import { LoopWorld, saying } from './loop-world.ts';

export interface Outcome {
  readonly isPassed: boolean;
  readonly reasons: readonly string[];
  /** The comment about it on the issue. */
  readonly log: string;
  /** prd.json of the branch, and the subjects of its commits, oldest first. */
  readonly stories: readonly { readonly id: string; readonly passes: boolean }[];
  readonly subjects: readonly string[];
}

/** A house whose coding agent does what it is told here; its planner stays. */
export const withActor = (house: House, act: Act): House =>
  withPart(house, { act, report, plays: (role) => role !== 'loop-planner' });

export class NodeBench {
  readonly world: LoopWorld;
  readonly #context: LoopContext;
  readonly #lease: Lease;
  readonly #state: LoopState;
  #act: Act = () => undefined;
  #calls = 0;

  private constructor(world: LoopWorld, context: LoopContext, lease: Lease, state: LoopState) {
    [this.world, this.#context, this.#lease, this.#state] = [world, context, lease, state];
  }

  static async open(
    proposal: object,
    files: Readonly<Record<string, string>>,
    change: Partial<House> = {},
  ): Promise<NodeBench> {
    const world = await LoopWorld.open(
      [1, 2, 3].map((call) => planned(call, proposal)),
      files,
    );
    const outcome = await world.go(saying({ plan: 'approve' }));
    if (outcome.gate?.kind !== 'work')
      throw new Error(`The plan was not approved: ${outcome.reason.message}`);
    const run = await findLoop(world.house, world.number);
    if (run === null) throw new Error('There is no loop.');
    const got = await world.house.leases.acquire(run.subject);
    if (!('lease' in got)) throw new Error('The lease is held.');
    const holder: { bench?: NodeBench } = {};
    const act: Act = (folder, task) => holder.bench?.act(folder, task);
    const house = withActor({ ...world.house, ...change }, act);
    const session = { own: world.fleet.own, progress: () => undefined };
    const context = makeLoopContext(house, run, session, got.lease);
    const place = await openLoopGraph(context, await house.openCheckpoints()).look();
    if (place === null) throw new Error('The loop has no state.');
    const bench = new NodeBench(world, context, got.lease, place.state);
    holder.bench = bench;
    return bench;
  }

  act(folder: string, task: CodingTask): ReturnType<Act> {
    return this.#act(folder, task);
  }

  async try(id: string, act: Act): Promise<Outcome> {
    const { world } = this;
    this.#act = act;
    this.#calls += 1;
    await this.#lease.renew();
    const call = this.#calls;
    const attempt = { id, attempt: 1, call, context: '', report: null, commit: null, obstacles: [] };
    const begun: LoopState = {
      ...{ ...this.#state, attempt, calls: call, step: 100 + call, route: 'work', pace: 'loop' },
      ...{ left: null, ceiling: 1000, logsSinceSummary: 0 },
    };
    const before = new Set((await world.comments()).keys());
    const worked = { ...begun, ...(await workOnTask(this.#context, begun)) };
    await judgeTask(this.#context, worked);
    const judged = (await world.entriesOf('task-judged')).at(-1);
    const log = (await world.comments()).filter((_, index) => !before.has(index)).join('\n');
    const outcome = {
      ...{ isPassed: judged?.data.passed ?? true, reasons: judged?.data.reasons ?? [], log },
      ...{ stories: world.prd().userStories, subjects: world.subjects() },
    };
    world.git('update-ref', `refs/heads/${world.branch}`, this.#state.head ?? '');
    return outcome;
  }

  async close(): Promise<void> {
    await this.#lease.release();
    this.world.remove();
  }
}
