/** Starts a run on an issue, or resumes it, and drives it from gate to gate until it is done or has to stop. */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import { workflowNames } from '../../domain/fleet/agent-names.ts';
import { describeMissingWrite, howToGetWrite, isAtLeast } from '../../domain/forge/permission.ts';
import { makeRunId } from '../../domain/ledger/ids.ts';
import { issueSubject, type Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { Lease } from '../../ports/leases.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import { recordAnswer } from '../../runs/gates/answer-gate.ts';
import { type LeftOpen, resolveGate } from '../../runs/gates/resolve-gate.ts';
import { driveGraph, type GateStop } from '../../runs/graph/drive-graph.ts';
import { holdLease } from '../../runs/hold-lease.ts';
import type { FleetTools } from '../../runs/house.ts';
import { type Recordable, SessionTape } from '../../runs/tapes/session-tape.ts';
import { workflowRunKey } from '../workflow.ts';
import type {
  DrivenRun,
  DriveOptions,
  DriveOutcome,
  IssueRequest,
  IssueRun,
  IssueWorkflow,
} from './issue-run.ts';

const noMode = { auto: false, testMode: false, strict: true } as const;

/** The run of that workflow on an issue that is not done yet. */
export async function findIssueRun<R extends IssueRequest>(
  { views, repositoryName }: Pick<FleetTools, 'views' | 'repositoryName'>,
  workflow: R['workflow'],
  number: number,
): Promise<IssueRun<R> | null> {
  const filter = {
    repository: repositoryName,
    workflows: [workflow],
    issue: number,
    doneSince: 'never',
  } as const;
  const runs = await views.listRuns(filter);
  return (runs[0] as IssueRun<R> | undefined) ?? null;
}

export async function requirePerson(
  { forge, repositoryName }: Pick<FleetTools, 'forge' | 'repositoryName'>,
  person: string,
): Promise<void> {
  const permission = await forge.permissionOf(repositoryName, person);
  if (isAtLeast(permission, 'write')) return;
  throw new GatewrightError(
    'forge-forbidden',
    `${describeMissingWrite(person, permission, repositoryName)}.`,
    {
      hint: `To continue, ${howToGetWrite(forge.kind, person, repositoryName)}`,
    },
  );
}

/** Under the leases of the run and of the issue: no other process works on the run, and no agent on the issue beside it. */
export async function withIssue<T>(
  tools: FleetTools,
  { subject, number }: { readonly subject: Subject; readonly number: number },
  { signal: outer }: Pick<DriveOptions, 'signal'>,
  work: (lease: Lease, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = await acquireLease(tools, subject);
  try {
    const issue = await acquireLease(tools, issueSubject(tools.repositoryName, number));
    try {
      return await holdLease(issue, outer, (signal) => work(lease, signal));
    } finally {
      await issue.release();
    }
  } finally {
    await lease.release();
  }
}

/** What every request for such a run has; a workflow adds what is its own. */
type CommonRequest = Pick<
  IssueRequest,
  'title' | 'number' | 'forge' | 'repository' | 'dryRun' | 'root' | 'models' | 'delivery'
>;

/** What it is started for. */
interface IssueStart {
  readonly number: number;
  /** The event that started it. */
  readonly delivery?: string;
}

/** A forge answers to the number of a pull request as to that of an issue. */
export async function refusePullRequest(
  { forge, repositoryName }: Pick<FleetTools, 'forge' | 'repositoryName'>,
  number: number,
): Promise<void> {
  try {
    await forge.getPullRequest(repositoryName, number);
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found')) return;
    throw error;
  }
  throw new GatewrightError('usage', `#${number} is a pull request; only an issue can be worked on.`, {
    hint: 'Name the number of the issue that it is for.',
  });
}

async function requestOf(
  { forge, repositoryName, repository, namedModels }: FleetTools,
  { number, delivery }: IssueStart,
): Promise<CommonRequest> {
  const { title, state } = await forge.getIssue(repositoryName, number);
  // Events say themselves what they are about.
  if (delivery === undefined) await refusePullRequest({ forge, repositoryName }, number);
  if (state !== 'open')
    throw new GatewrightError('issue-changed', `Issue #${number} is closed.`, {
      hint: 'Open it again to have it worked on.',
    });
  return {
    ...{ title, number, forge: forge.kind, repository: repositoryName, dryRun: false },
    ...(delivery === undefined ? {} : { delivery }),
    root: repository.root,
    ...(Object.keys(namedModels).length === 0 ? {} : { models: namedModels }),
  };
}

/** One workflow works on an issue at a time: another one that waits at a gate has not let go of it. */
async function refuseBeside(
  tools: FleetTools,
  name: IssueRequest['workflow'],
  number: number,
): Promise<void> {
  for (const other of workflowNames.filter((one) => one !== name)) {
    const run = await findIssueRun(tools, other, number);
    if (run === null || run.isDismissed) continue;
    throw new GatewrightError('usage', `The ${other} ${run.id} works on #${number} already.`, {
      hint: `Go on with it, or give it up: gatewright runs cancel ${run.id}`,
    });
  }
}

export async function startIssueRun<R extends IssueRequest, State, Context extends Recordable>(
  tools: FleetTools,
  workflow: IssueWorkflow<R, State, Context>,
  input: IssueStart,
  makeRequest: (common: CommonRequest) => R,
  options: DriveOptions,
  onStart: (run: DrivenRun<R>) => void = () => undefined,
): Promise<DriveOutcome<R>> {
  const { clock, ledger, repositoryName } = tools;
  const { name, subjectOf } = workflow.manifest;
  const request = makeRequest(await requestOf(tools, input));
  const id = makeRunId(clock.now(), clock.randomBytes(10));
  const subject = subjectOf(repositoryName, input.number);
  return withIssue(tools, { subject, number: input.number }, options, async (lease, signal) => {
    // Another process may have begun it while this one waited.
    const begun = await findIssueRun(tools, name, input.number);
    if (begun !== null)
      throw new GatewrightError(
        'lease-held',
        `The ${workflow.noun} of #${input.number} was begun a moment ago: ${begun.id}.`,
      );
    await refuseBeside(tools, name, input.number);
    const { delivery } = input;
    const key = delivery === undefined ? id : workflowRunKey({ delivery }, name);
    const [entry] = await ledger.append(
      [{ subject, run: id, actor: options.person, kind: 'run-started', key, data: { request } }],
      lease,
    );
    const run = { id, subject, request, startedAt: entry?.at ?? clock.now().toISOString() };
    onStart(run);
    return drive(tools, workflow, run, { ...options, signal }, lease);
  });
}

export async function resumeIssueRun<R extends IssueRequest, State, Context extends Recordable>(
  tools: FleetTools,
  workflow: IssueWorkflow<R, State, Context>,
  found: IssueRun<R>,
  options: DriveOptions,
): Promise<DriveOutcome<R>> {
  const { id, subject, request, startedAt, status } = found;
  return withIssue(tools, { subject, number: request.number }, options, async (lease, signal) => {
    const now = await tools.views.findRun(id);
    if (now === null || now.status === 'done')
      throw new GatewrightError(
        'run-finished',
        `The ${workflow.noun} ${id} was finished or dropped a moment ago.`,
      );
    const isAnswered = (await tools.ledger.readRun(id)).some(({ kind }) => kind === 'model-answered');
    if (isAnswered) await tools.keptWork?.bring(id);
    const { isByFleet } = options;
    const data = { from: status, ...(isByFleet === undefined ? {} : { isByFleet }) };
    await tools.ledger.append(
      [{ subject, run: id, actor: options.person, kind: 'run-resumed', data }],
      lease,
    );
    return drive(tools, workflow, { id, subject, request, startedAt }, { ...options, signal }, lease);
  });
}

function drive<R extends IssueRequest, State, Context extends Recordable>(
  tools: FleetTools,
  workflow: IssueWorkflow<R, State, Context>,
  run: DrivenRun<R>,
  options: DriveOptions,
  lease: Lease,
): Promise<DriveOutcome<R>> {
  const conclude = (state: State) => workflow.conclude(run, state);
  const explain = (left: LeftOpen, resume: string) => explainLeftOpen(workflow.waitsFor, left, resume);
  return holdLease(lease, options.signal, async (signal) => {
    const tape = new SessionTape(tools.tapes, run);
    const open = async () => {
      const context = tape.recordContext(workflow.makeContext(tools, run, { ...options, signal }, lease));
      return {
        graph: await workflow.openGraph(context, await tools.openCheckpoints()),
        resolve: (question: GateQuestion) => resolve(tools, workflow, run, options, lease, question),
      };
    };
    const job = { run, progress: options.progress, open, conclude, explainLeftOpen: explain, tape };
    const outcome = await driveGraph(tools, job, lease);
    if (outcome.status === 'done') await tools.keptWork?.drop(run.id);
    return outcome;
  });
}

/**
 * An answer that people gave on the issue counts first; then the person at this machine is asked. A person who has said
 * that it ends is not overruled by an earlier word to go on.
 */
async function resolve<R extends IssueRequest, State, Context extends Recordable>(
  tools: FleetTools,
  workflow: IssueWorkflow<R, State, Context>,
  run: DrivenRun<R>,
  options: DriveOptions,
  lease: Lease,
  question: GateQuestion,
): Promise<GateAnswer> {
  const { ledger, repository } = tools;
  const isEnded = options.dialogue.ends?.(question) === true;
  if (!isEnded && (await ledger.find('gate-answered', question.id)) === null) {
    const { number } = run.request;
    const { answer } = await workflow.hear(tools, { number, own: options.own, run: run.id }, question);
    const given =
      answer !== null
        ? { ...answer, actor: answer.author, by: 'person' as const }
        : options.isByFleet === true
          ? await workflow.followUp(tools, run, question)
          : null;
    if (given !== null) {
      const { choice, feedback, actor, by, said } = given;
      return recordAnswer(ledger, repository, {
        ...{ runId: run.id, subject: run.subject, question, choice, by, actor },
        ...(feedback === undefined ? {} : { feedback }),
        ...(said === undefined ? {} : { said }),
        ...{ shown: null, isDryRun: false, fence: lease },
      });
    }
  }
  const asking = { ledger, repository, actor: options.person };
  const { dialogue, progress } = options;
  return resolveGate(asking, run, { mode: noMode, dialogue, progress, fence: lease, replay: null }, question);
}

function explainLeftOpen(
  waitsFor: Readonly<Partial<Record<GateQuestion['kind'], string>>>,
  { question }: LeftOpen,
  resume: string,
): GateStop {
  const because = question.because === undefined ? '' : `: ${question.because}`;
  const message = `waiting for a person at the ${question.kind} gate (${question.id}): ${waitsFor[question.kind] ?? question.kind}${because}`;
  return {
    status: question.kind === 'blocked' ? 'blocked' : 'waiting',
    reason: { code: 'gate', message, owner: 'person', resume },
    gate: question,
    failure: null,
  };
}
