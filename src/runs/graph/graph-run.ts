/**
 * Runs a LangGraph graph of any workflow, from gate to gate. LangGraph takes long to load: only this file and the graphs
 * themselves know it, and they are loaded when a run begins.
 */
import { Annotation, Command, interrupt, MemorySaver } from '@langchain/langgraph';
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Progress } from '../../ports/progress.ts';
import type { Drivable, Place, Standing } from './standing.ts';

/** Every workflow counts its nodes: the number is part of the keys that make effects and gates happen once. */
interface GraphState {
  readonly step: number;
}

/** What nodes of any workflow report while they run. */
interface GraphContext {
  readonly runId: string;
  readonly subject: Subject;
  readonly actor: string;
  readonly progress: Progress;
  readonly note: (entry: NewEntry) => void;
}

/** One channel holds the whole state: a node's update is one object, replaced whole. */
export function makeChannels<State extends GraphState>(initial: State) {
  return Annotation.Root({
    run: Annotation<State>({ reducer: (_, next) => next, default: () => initial }),
  });
}

/** The two kinds of node: one that works, and one that asks. */
export function makeNodes<Context extends GraphContext, State extends GraphState>(context: Context) {
  const advance = (state: State, update: Partial<State>): { run: State } => ({
    run: { ...state, ...update, step: state.step + 1 },
  });
  const begin = (node: string, state: State): void => {
    context.progress({ kind: 'node', node });
    context.note({
      subject: context.subject,
      run: context.runId,
      actor: context.actor,
      kind: 'node-begun',
      key: `${context.runId}/${state.step}`,
      data: { node, step: state.step },
    });
  };
  return {
    work:
      (node: string, run: (context: Context, state: State) => Promise<Partial<State>>) =>
      async ({ run: state }: { run: State }) => {
        begin(node, state);
        return advance(state, await run(context, state));
      },
    // The interrupt comes first: everything before it would happen again on resume.
    gate:
      (
        ask: (context: Context, state: State) => GateQuestion,
        apply: (state: State, answer: GateAnswer) => Partial<State>,
      ) =>
      ({ run: state }: { run: State }) => {
        const answer = interrupt(ask(context, state)) as GateAnswer;
        return advance(state, apply(state, answer));
      },
  };
}

interface Snapshot {
  readonly tasks: readonly {
    readonly name: string;
    readonly interrupts: readonly { readonly value?: unknown }[];
  }[];
  readonly values: unknown;
  readonly metadata?: { readonly source?: string } | undefined;
}

interface RunConfig {
  readonly configurable: { readonly thread_id: string };
  readonly durability: 'sync';
  readonly recursionLimit: number;
}

/** What is used of a compiled graph. */
interface CompiledGraph {
  readonly nodes: Readonly<Record<string, unknown>>;
  getState(config: RunConfig): Promise<Snapshot>;
  invoke(input: unknown, config: RunConfig): Promise<unknown>;
  updateState(config: RunConfig, values: unknown, asNode: string): Promise<unknown>;
}

interface GraphRunOptions<State> {
  readonly graph: CompiledGraph;
  readonly runId: string;
  readonly initial: State;
  readonly isDone: (state: State) => boolean;
}

export class GraphRun<State extends GraphState> implements Drivable<State> {
  readonly #options: GraphRunOptions<State>;
  readonly #config: RunConfig;

  constructor(options: GraphRunOptions<State>) {
    this.#options = options;
    // Rounds are limited by the workflow itself, with a reason; LangGraph's own limit would only say "too many".
    this.#config = {
      configurable: { thread_id: options.runId },
      durability: 'sync',
      recursionLimit: 1_000_000,
    };
  }

  async proceed(): Promise<Standing<State>> {
    const snapshot = await this.#options.graph.getState(this.#config);
    const source = snapshot.metadata?.source;
    // A process that died right after handing in its input left a checkpoint from which LangGraph takes no step: no
    // node has run yet, so it is begun anew.
    if (source === undefined || source === 'input') return this.#invoke({ run: this.#options.initial });
    return this.#standingOf(snapshot) ?? this.#invoke(null);
  }

  async beginAt(node: string, state: State): Promise<Standing<State>> {
    if (!Object.hasOwn(this.#options.graph.nodes, node))
      throw new GatewrightError('cassette-mismatch', `The workflow has no node "${node}" in this version.`);
    return this.#invoke(new Command({ goto: node, update: { run: state } }));
  }

  async look(): Promise<Place<State> | null> {
    const snapshot = await this.#options.graph.getState(this.#config);
    const source = snapshot.metadata?.source;
    const [task] = snapshot.tasks;
    const { run: state } = (snapshot.values ?? {}) as { readonly run?: State };
    if (source === undefined || source === 'input' || task === undefined || state === undefined) return null;
    const [pending] = task.interrupts;
    const question = pending === undefined ? null : (pending.value as GateQuestion);
    return { node: task.name, question, state };
  }

  async returnTo(node: string, change: (at: Place<State>) => Promise<State | null>): Promise<void> {
    const place = await this.look();
    if (place === null) return;
    const next = await change(place);
    if (next !== null) await this.#options.graph.updateState(this.#config, { run: next }, node);
  }

  answer(answer: GateAnswer): Promise<Standing<State>> {
    return this.#invoke(new Command({ resume: answer }));
  }

  async #invoke(input: unknown): Promise<Standing<State>> {
    const { graph } = this.#options;
    await graph.invoke(input, this.#config);
    const standing = this.#standingOf(await graph.getState(this.#config));
    if (standing === null)
      throw new GatewrightError('internal', 'The workflow stands still without being done.');
    return standing;
  }

  /** Null when a node is still to run. What LangGraph calls `next` is no help: it is empty too between a node's end and its checkpoint. */
  #standingOf(snapshot: Snapshot): Standing<State> | null {
    const [task] = snapshot.tasks;
    const [pending] = task?.interrupts ?? [];
    if (pending !== undefined)
      return { at: 'gate', node: task?.name ?? '', question: pending.value as GateQuestion };
    const { run: state } = snapshot.values as { readonly run?: State };
    return state !== undefined && this.#options.isDone(state) ? { at: 'end', state } : null;
  }
}

/** For a run that is played again: its checkpoints end with the process. */
export function makeMemoryCheckpoints(): MemorySaver {
  return new MemorySaver();
}
