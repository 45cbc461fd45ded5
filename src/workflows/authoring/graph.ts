/**
 * The authoring graph: seven nodes, N0 to N6, and the gate that a failed filing leads to. This is the only file of the
 * workflow that knows LangGraph, which takes long to load; everything else is plain functions.
 */

import { END, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { GraphRun, makeChannels, makeNodes } from '../../runs/graph/graph-run.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import type { AuthoringContext } from './definition.ts';
import { loadBrief } from './nodes/n0-load-brief.ts';
import { prepareSandbox } from './nodes/n1-sandbox.ts';
import { writeDraft } from './nodes/n2-draft.ts';
import { applyDraftAnswer, askAboutDraft } from './nodes/n3-draft-gate.ts';
import { reviewDraft } from './nodes/n4-review.ts';
import { applyVerdictAnswer, askAboutVerdict } from './nodes/n5-verdict-gate.ts';
import { applyFilingAnswer, askAboutFiling } from './nodes/n6-filing-gate.ts';
import { type AuthoringState, initialState } from './state.ts';

const Channels = makeChannels(initialState);

function compileGraph(context: AuthoringContext, checkpointer: BaseCheckpointSaver) {
  const { work, gate } = makeNodes<AuthoringContext, AuthoringState>(context);
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

/** A run of the graph, begun or at its last checkpoint. */
export function openAuthoringGraph(
  context: AuthoringContext,
  checkpointer: BaseCheckpointSaver,
): Drivable<AuthoringState> {
  return new GraphRun({
    graph: compileGraph(context, checkpointer),
    runId: context.runId,
    initial: initialState,
    isDone: ({ route }) => route === 'done',
  });
}
