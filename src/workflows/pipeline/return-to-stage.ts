/**
 * Going back to a stage that was reached before. The order is on the ledger first: from there on the question that the run
 * waited with is over, and a process that is killed has the next one follow the order.
 */
import type { PipelineRun } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import type { FleetTools } from '../../runs/house.ts';
import { withIssue } from '../issue-runs/drive-issue-run.ts';
import { parseDocument } from './nodes/read-document.ts';
import { makePipelineContext, type PipelineContext, type PipelineSession } from './pipeline-context.ts';
import type { StateDocument } from './rules/document/state-document.ts';
import { isBefore, isStageName, type StageName, stageNames } from './rules/stages.ts';
import type { PipelineState } from './state.ts';

/** How far a document has come: the stage that would be next. */
function reachedBy({ triage, analysis, writer, build, review }: StateDocument): StageName {
  const open = [triage, analysis, writer, build, review].findIndex(({ completed }) => !completed);
  return stageNames[open === -1 ? stageNames.length - 1 : open] ?? 'triage';
}

/** What later stages said no longer counts. */
function stateAt(state: PipelineState, stage: StageName): PipelineState {
  return {
    ...state,
    step: state.step + 1,
    ...{ route: stage, next: stage, because: '', problems: [], rounds: [], moves: 0 },
    approved: stage === 'committer' ? state.approved : null,
    commit: isBefore(stage, 'build') && stage !== 'writer' ? null : state.commit,
  };
}

/** Follows an order that is on the ledger and was not followed yet. */
async function followReturn(
  { ledger, runId }: Pick<PipelineContext, 'ledger' | 'runId'>,
  graph: Drivable<PipelineState>,
): Promise<void> {
  await graph.returnTo('work_gate', async ({ state }) => {
    const ordered = await ledger.find('stage-returned', `${runId}/returned/${state.step}`);
    const stage = ordered?.data.stage;
    return stage !== undefined && isStageName(stage) ? stateAt(state, stage) : null;
  });
}

/** The graph of a run, at the place that the last order put it at. */
export async function openOrderedGraph(
  context: PipelineContext,
  checkpoints: Awaited<ReturnType<FleetTools['openCheckpoints']>>,
): Promise<Drivable<PipelineState>> {
  const { openPipelineGraph } = await import('./graph.ts');
  const graph = openPipelineGraph(context, checkpoints);
  await followReturn(context, graph);
  return graph;
}

/** Fails where there is nothing to go back to, and where a person has to decide first. */
async function checkReturn(
  { ledger, request: { number } }: Pick<PipelineContext, 'ledger' | 'request'>,
  graph: Drivable<PipelineState>,
  stage: StageName,
): Promise<PipelineState> {
  const place = await graph.look();
  const state = place?.state;
  if (place === null || state === undefined || state.document === null)
    throw new GatewrightError('usage', `The pipeline of #${number} has not reached any stage yet.`);
  // By the state and not by the question: a process may have been killed before it asked.
  if (state.route === 'escalation')
    throw new GatewrightError('usage', 'A person has to decide first, and going back would pass that by.', {
      hint: `Answer it with: gatewright solve ${number} --proceed "TEXT"\nor: gatewright solve ${number} --stop "TEXT"`,
    });
  const { question } = place;
  const isAnswered = question !== null && (await ledger.find('gate-answered', question.id)) !== null;
  if (isAnswered || state.route === 'stop')
    throw new GatewrightError(
      'usage',
      'A person has decided how it goes on, and going back would undo that.',
      {
        hint: `Have it done with: gatewright solve ${number}`,
      },
    );
  const document = parseDocument(await ledger.getText(state.document), 'The stored state');
  if (isBefore(reachedBy(document), stage))
    throw new GatewrightError('usage', `The pipeline of #${number} has not reached ${stage} yet.`, {
      hint: `It got to ${reachedBy(document)}. Go on with: gatewright solve ${number}`,
    });
  if (
    (isBefore('writer', stage) && state.commit === null) ||
    (stage === 'committer' && state.approved === null)
  )
    throw new GatewrightError('usage', `There is no change that the ${stage} stage could work on.`, {
      hint: `Go back further, such as: gatewright solve ${number} --from writer`,
    });
  return state;
}

/** The run goes on from that stage when it is resumed. */
export async function returnToStage(
  tools: FleetTools,
  { id, subject, request, startedAt }: PipelineRun,
  stage: StageName,
  { person, ...session }: PipelineSession & { readonly person: string },
): Promise<void> {
  await withIssue(tools, { subject, number: request.number }, session, async (lease, signal) => {
    const run = { id, subject, request, startedAt };
    const context = makePipelineContext(tools, run, { ...session, signal }, lease);
    const graph = await openOrderedGraph(context, await tools.openCheckpoints());
    const { step } = await checkReturn(context, graph, stage);
    const entry = { subject, run: id, actor: person, kind: 'stage-returned' } as const;
    await tools.ledger.append([{ ...entry, key: `${id}/returned/${step}`, data: { stage, step } }], lease);
    await followReturn(context, graph);
  });
}
