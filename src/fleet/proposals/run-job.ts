/** What one job of a workflow run does that may make changes: with a proposal, or before there is one. */
import type { WorkerName, WorkflowName } from '../../domain/fleet/agent-names.ts';
import { workflowFileOfWorker } from '../../domain/fleet/workflow-files.ts';
import { choreSubject } from '../../domain/ledger/subject.ts';
import { listLeft, type Proposal } from '../../domain/proposals/proposal.ts';
import { openProposal, type ProposalPlace } from '../../domain/proposals/seal-proposal.ts';
import { isGatewrightError } from '../../errors.ts';
import type { OpenParcel } from '../../ports/proposals/parcels.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { FleetSession } from '../run-agent.ts';
import { type Applied, applyRuns, checkTips } from './apply-runs.ts';
import { ProposedAnswers } from './proposed-answers.ts';
import { type Starts, startWorkflows } from './start-workflows.ts';

export interface ActionsJob {
  readonly place: ProposalPlace;
  readonly agents: readonly (WorkerName | WorkflowName)[];
  /** The workflow's own file; null when it is not known. */
  readonly workflowFile: string | null;
}

export interface JobEnd extends Starts {
  /** What the workflow run goes on with. */
  readonly next: 'propose' | 'done';
  /** Null when nothing was applied. */
  readonly applied: Applied | null;
  /** Of the proposal: why nothing of it was used. */
  readonly refused: string | null;
  readonly proposal: Proposal | null;
}

interface Checked {
  readonly proposal: Proposal;
  readonly parcel: OpenParcel;
}

/** All of it is checked before anything of it is used. */
async function check(house: FleetTools, place: ProposalPlace, bytes: Uint8Array): Promise<Checked> {
  const proposal = openProposal(house.signingKey, bytes, place);
  await checkTips(house, proposal);
  const parcel = await house.parcels.open(place.base, proposal.bundle?.base64 ?? null, listLeft(proposal));
  return { proposal, parcel };
}

async function writeRefusal(
  { ledger, actor, repositoryName }: FleetTools,
  { workflowRun, attempt }: ProposalPlace,
  why: string,
): Promise<void> {
  await ledger.appendNew([
    {
      ...{ subject: choreSubject(repositoryName, 'proposals'), run: '', actor, kind: 'proposal-refused' },
      key: `${workflowRun}/${attempt}`,
      data: { workflowRun, attempt, why },
    },
  ]);
}

/** @param bytes the proposal as it came; null before there is one */
export async function runJob(
  house: FleetTools,
  { place, agents, workflowFile }: ActionsJob,
  bytes: Uint8Array | null,
  session: FleetSession,
): Promise<JobEnd> {
  let checked: Checked | null = null;
  try {
    checked = bytes === null ? null : await check(house, place, bytes);
  } catch (error) {
    if (!isGatewrightError(error, 'proposal-refused')) throw error;
    await writeRefusal(house, place, error.message);
    return {
      next: 'done',
      applied: null,
      refused: error.message,
      proposal: null,
      started: [],
      notStarted: [],
    };
  }
  const proposal = checked?.proposal ?? null;
  try {
    const answers = new ProposedAnswers(proposal, checked?.parcel ?? null);
    const isFirst = proposal === null;
    const applied = await applyRuns(house, agents, answers, session, isFirst);
    const next = isFirst && applied.waiting.length > 0 ? 'propose' : 'done';
    const file = workflowFile ?? agents.map(workflowFileOfWorker).find((one) => one !== null) ?? null;
    const own = file === null ? null : { file, workflowRun: place.workflowRun };
    // What the next job of this workflow run goes on with needs no other one.
    const { waiting, left } = next === 'propose' ? { waiting: [], left: [] } : applied;
    const isStopped = session.signal?.aborted === true;
    const unanswered = new Set(proposal?.runs.flatMap(({ run, calls }) => (calls.length === 0 ? [run] : [])));
    const { started, notStarted } = await startWorkflows(
      house,
      { waiting, left: isStopped ? [] : left, others: applied.others, unanswered },
      own,
    );
    return { next, applied, refused: null, proposal, started, notStarted };
  } finally {
    await checked?.parcel.close();
  }
}
