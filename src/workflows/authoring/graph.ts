/**
 * The authoring graph: seven nodes, N0 to N6, and the gate that a failed filing leads to. This is the only file of the
 * workflow that knows LangGraph, which takes long to load; everything else is plain functions.
 */

import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { GateAnswer, GateQuestion } from '../../domain/gate.ts';
import { GatewrightError } from '../../errors.ts';
import type { AuthoringContext } from './definition.ts';
import { loadBrief } from './nodes/n0-load-brief.ts';
import { prepareSandbox } from './nodes/n1-sandbox.ts';
import { writeDraft } from './nodes/n2-draft.ts';
import { applyDraftAnswer, askAboutDraft } from './nodes/n3-draft-gate.ts';
import { reviewDraft } from './nodes/n4-review.ts';
import { applyVerdictAnswer, askAboutVerdict } from './nodes/n5-verdict-gate.ts';
import { applyFilingAnswer, askAboutFiling } from './nodes/n6-filing-gate.ts';
import { type AuthoringState, initialState } from './state.ts';

/** One channel holds the whole state: a node's update is one object, replaced whole. */
const Channels = Annotation.Root({
  run: Annotation<AuthoringState>({ reducer: (_, next) => next, default: () => initialState }),
});

type Graph = ReturnType<typeof compileGraph>;
type Work = (context: AuthoringContext, state: AuthoringState) => Promise<Partial<AuthoringState>>;
type Ask = (context: AuthoringContext, state: AuthoringState) => GateQuestion;
type Apply = (state: AuthoringState, answer: GateAnswer) => Partial<AuthoringState>;

function advance(state: AuthoringState, update: Partial<AuthoringState>): { run: AuthoringState } {
  return { run: { ...state, ...update, step: state.step + 1 } };
}

function compileGraph(context: AuthoringContext, checkpointer: BaseCheckpointSaver) {
  const begin = (node: string, state: AuthoringState): void => {
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
  const work =
    (node: string, run: Work) =>
    async ({ run: state }: typeof Channels.State) => {
      begin(node, state);
      return advance(state, await run(context, state));
    };
  // The interrupt is the first thing that happens: whatever stood before it would happen again on resume.
  const gate =
    (ask: Ask, apply: Apply) =>
    ({ run: state }: typeof Channels.State) => {
      const answer = interrupt(ask(context, state)) as GateAnswer;
      return advance(state, apply(state, answer));
    };
  const route =
    <T extends string>(targets: Readonly<Partial<Record<AuthoringState['route'], T>>>, otherwise: T) =>
    ({ run: state }: typeof Channels.State): T =>
      targets[state.route] ?? otherwise;

  return new StateGraph(Channels)
    .addNode('N0_load_brief', work('N0_load_brief', loadBrief))
    .addNode('N1_sandbox', work('N1_sandbox', prepareSandbox))
    .addNode('N2_draft', work('N2_draft', writeDraft))
    .addNode('N3_human_edit_draft', gate(askAboutDraft, applyDraftAnswer))
    .addNode('N4_review', work('N4_review', reviewDraft))
    .addNode('N5_human_edit_verdict', gate(askAboutVerdict, applyVerdictAnswer))
    .addNode('N6_file', work('N6_file', context.definition.finish))
    .addNode('N6_filing_gate', gate(askAboutFiling, applyFilingAnswer))
    .addEdge(START, 'N0_load_brief')
    .addEdge('N0_load_brief', 'N1_sandbox')
    .addEdge('N1_sandbox', 'N2_draft')
    .addEdge('N2_draft', 'N3_human_edit_draft')
    .addConditionalEdges('N3_human_edit_draft', route({ review: 'N4_review' }, 'N2_draft'), [
      'N4_review',
      'N2_draft',
    ])
    .addEdge('N4_review', 'N5_human_edit_verdict')
    .addConditionalEdges(
      'N5_human_edit_verdict',
      route({ finish: 'N6_file', review: 'N4_review' }, 'N2_draft'),
      ['N6_file', 'N4_review', 'N2_draft'],
    )
    .addConditionalEdges('N6_file', route({ done: END }, 'N6_filing_gate'), [END, 'N6_filing_gate'])
    .addConditionalEdges('N6_filing_gate', route({ finish: 'N6_file' }, 'N5_human_edit_verdict'), [
      'N6_file',
      'N5_human_edit_verdict',
    ])
    .compile({ checkpointer });
}

/** Where the graph stands when nothing can be done without an answer: at a gate, or finished. */
export type Standing =
  | { readonly at: 'gate'; readonly node: string; readonly question: GateQuestion }
  | { readonly at: 'end'; readonly state: AuthoringState };

type Snapshot = Awaited<ReturnType<Graph['getState']>>;

/** Null when a node is still to run. What LangGraph calls `next` is no help: it is empty too between a node's end and its checkpoint. */
function standingOf(snapshot: Snapshot): Standing | null {
  const [task] = snapshot.tasks;
  const [pending] = task?.interrupts ?? [];
  if (pending !== undefined)
    return { at: 'gate', node: task?.name ?? '', question: pending.value as GateQuestion };
  const state = (snapshot.values as Partial<typeof Channels.State>).run;
  return state?.route === 'done' ? { at: 'end', state } : null;
}

/** A run of the graph that can be driven from gate to gate, over any number of processes. */
export class AuthoringGraph {
  readonly #graph: Graph;
  readonly #config: { configurable: { thread_id: string }; durability: 'sync'; recursionLimit: number };

  constructor(context: AuthoringContext, checkpointer: BaseCheckpointSaver) {
    this.#graph = compileGraph(context, checkpointer);
    // Rounds are limited by the workflow itself, with a reason; LangGraph's own limit would only say "too many".
    this.#config = {
      configurable: { thread_id: context.runId },
      durability: 'sync',
      recursionLimit: 1_000_000,
    };
  }

  /** Begins, or goes on from the last checkpoint, until the next gate or the end. */
  async proceed(): Promise<Standing> {
    const snapshot = await this.#graph.getState(this.#config);
    const source = snapshot.metadata?.source;
    // A process that died right after handing in its input left a checkpoint from which LangGraph takes no step: no
    // node has run yet, so it is begun anew.
    if (source === undefined || source === 'input') return this.#invoke({ run: initialState });
    return standingOf(snapshot) ?? this.#invoke(null);
  }

  /** Answers the gate that it stands at, then goes on. */
  answer(answer: GateAnswer): Promise<Standing> {
    return this.#invoke(new Command({ resume: answer }));
  }

  async #invoke(input: Parameters<Graph['invoke']>[0]): Promise<Standing> {
    await this.#graph.invoke(input, this.#config);
    const standing = standingOf(await this.#graph.getState(this.#config));
    if (standing === null)
      throw new GatewrightError('internal', 'The workflow stands still without being done.');
    return standing;
  }
}
