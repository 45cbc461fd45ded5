/**
 * A pipeline whose analysis is done and whose writer and build are driven one by one in this process: what a writer does is
 * built and judged, and then everything is as before. One prepared repository serves for many attempts.
 */
import type { Lease } from '../../src/ports/leases.ts';
import { findPipeline } from '../../src/workflows/pipeline/drive-pipeline.ts';
import { openPipelineGraph } from '../../src/workflows/pipeline/graph.ts';
import { build } from '../../src/workflows/pipeline/nodes/build.ts';
import { readDocument } from '../../src/workflows/pipeline/nodes/read-document.ts';
import type { StageEnd } from '../../src/workflows/pipeline/nodes/run-stage.ts';
import { writeChange } from '../../src/workflows/pipeline/nodes/write-change.ts';
import { makePipelineContext, type PipelineContext } from '../../src/workflows/pipeline/pipeline-context.ts';
import type { StateDocument } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import type { PipelineState } from '../../src/workflows/pipeline/state.ts';
import { type Act, withPart } from './acting-agent.ts';
import { analysed, type brokenSum, PipelineWorld, triaged, writerReport } from './pipeline-world.ts';

export interface Judged {
  /** Where the run would go on: only `reviewer` is further. */
  readonly route: string;
  readonly errors: readonly string[];
  readonly outcome: string;
  readonly writer: StateDocument['writer'];
}

export interface BenchProject {
  readonly files: Readonly<Record<string, string>>;
  readonly issue: typeof brokenSum;
  /** What the analysis says otherwise than that of `brokenSum`. */
  readonly analysis: object;
  /** `fleet.verify`; without it the build finds the command itself. */
  readonly verify?: string;
}

export class PipelineBench {
  readonly world: PipelineWorld;
  readonly #context: PipelineContext;
  readonly #lease: Lease;
  readonly #state: PipelineState;
  readonly #document: StateDocument;
  #act: Act = () => undefined;
  #calls = 0;

  private constructor(
    world: PipelineWorld,
    lease: Lease,
    prepare: (act: Act) => PipelineContext,
    at: { readonly state: PipelineState; readonly document: StateDocument },
  ) {
    [this.world, this.#lease, this.#state, this.#document] = [world, lease, at.state, at.document];
    this.#context = prepare((folder, task) => this.#act(folder, task));
  }

  static async open({ files, issue, analysis, verify }: BenchProject): Promise<PipelineBench> {
    const environment = verify === undefined ? {} : { GATEWRIGHT_VERIFY: verify };
    const world = await PipelineWorld.open([triaged(), analysed(analysis)], files, issue, environment);
    const outcome = await world.go(undefined, 'analyst');
    if (outcome.gate?.kind !== 'work') throw new Error(`There is no analysis: ${outcome.reason.message}`);
    const run = await findPipeline(world.house, world.number);
    if (run === null) throw new Error('There is no pipeline.');
    const got = await world.house.leases.acquire(run.subject);
    if (!('lease' in got)) throw new Error('The lease is held.');
    const { lease } = got;
    const session = { own: world.fleet.own, progress: () => undefined };
    const plain = makePipelineContext(world.house, run, session, lease);
    const place = await openPipelineGraph(plain, await world.house.openCheckpoints()).look();
    if (place === null) throw new Error('The pipeline has no state.');
    const { state } = place;
    const plays = (role: string): boolean => role === 'pipeline-writer';
    const prepare = (act: Act): PipelineContext =>
      makePipelineContext(withPart(world.house, { act, plays, report: writerReport }), run, session, lease);
    return new PipelineBench(world, lease, prepare, { state, document: await readDocument(plain, state) });
  }

  async try(act: Act): Promise<Judged> {
    this.#act = act;
    this.#calls += 1;
    await this.#lease.renew();
    const context = this.#context;
    const calls = { ...this.#state.calls, 'pipeline-writer': this.#calls * 2 };
    const begun: PipelineState = { ...this.#state, calls, step: 100 + this.#calls * 2, route: 'writer' };
    const written = await writeChange(context, begun, this.#document);
    const judged = (end: StageEnd): Judged => {
      const { build: built, writer } = end.state;
      return { route: end.route, errors: built.errors, outcome: end.outcome, writer };
    };
    if (written.route !== 'build') return judged(written);
    const { state: document, outcome: _, ...update } = written;
    const made: PipelineState = {
      ...begun,
      ...update,
      problems: update.problems ?? [],
      step: begun.step + 1,
    };
    return judged(await build(context, made, document));
  }

  async close(): Promise<void> {
    await this.#lease.release();
    this.world.remove();
  }
}
