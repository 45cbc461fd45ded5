/** Starts a loop on an issue, or resumes it, and drives it from gate to gate until it is done or has to stop. */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import { describeMissingWrite, howToGetWrite, isAtLeast } from '../../domain/forge/permission.ts';
import { makeRunId } from '../../domain/ledger/ids.ts';
import type { LoopRequest, LoopRun } from '../../domain/ledger/run.ts';
import { issueSubject, type Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError } from '../../errors.ts';
import type { Lease } from '../../ports/leases.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import { recordAnswer } from '../../runs/gates/answer-gate.ts';
import { type Dialogue, type LeftOpen, resolveGate } from '../../runs/gates/resolve-gate.ts';
import { driveGraph, type GateStop, type GraphOutcome } from '../../runs/graph/drive-graph.ts';
import { holdLease } from '../../runs/hold-lease.ts';
import { workflowRunKey } from '../workflow.ts';
import { hearForge } from './answer-on-forge.ts';
import { followUp } from './follow-up.ts';
import { type DrivenLoop, type LoopSession, type LoopTools, makeLoopContext } from './loop-context.ts';
import { loopManifest } from './manifest.ts';
import type { LoopState } from './state.ts';

export interface LoopOptions extends LoopSession {
  readonly dialogue: Dialogue;
  /** The person at this machine; their answers are recorded under this login. */
  readonly person: string;
  /** No person is at this machine: what they said on the forge is followed as far as it goes. */
  readonly isByFleet?: true;
}

/** What a loop is started for. */
interface LoopStart {
  readonly number: number;
  readonly isQuick: boolean;
  /** The event that started it. */
  readonly delivery?: string;
}

export type LoopOutcome = GraphOutcome<DrivenLoop>;

const noMode = { auto: false, testMode: false, strict: true } as const;

/** The loop of an issue that is not done yet. */
export async function findLoop(
  { views, repositoryName }: LoopTools,
  number: number,
): Promise<LoopRun | null> {
  const filter = {
    repository: repositoryName,
    workflows: ['loop'],
    issue: number,
    doneSince: 'never',
  } as const;
  const runs = await views.listRuns(filter);
  return (runs[0] as LoopRun | undefined) ?? null;
}

export async function requirePerson({ forge, repositoryName }: LoopTools, person: string): Promise<void> {
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

export async function startLoop(
  tools: LoopTools,
  input: LoopStart,
  options: LoopOptions,
  onStart: (run: DrivenLoop) => void = () => undefined,
): Promise<LoopOutcome> {
  const { clock, forge, ledger, repositoryName, namedModels } = tools;
  const { title, state } = await forge.getIssue(repositoryName, input.number);
  if (state !== 'open')
    throw new GatewrightError('issue-changed', `Issue #${input.number} is closed.`, {
      hint: 'Open it again to have it worked on.',
    });
  const request: LoopRequest = {
    ...{ workflow: 'loop', title, ...input, forge: forge.kind, repository: repositoryName, dryRun: false },
    root: tools.repository.root,
    ...(Object.keys(namedModels).length === 0 ? {} : { models: namedModels }),
  };
  const id = makeRunId(clock.now(), clock.randomBytes(10));
  const subject = loopManifest.subjectOf(repositoryName, input.number);
  return withIssue(tools, { subject, number: input.number }, options, async (lease, signal) => {
    // Another process may have begun it while this one waited.
    const begun = await findLoop(tools, input.number);
    if (begun !== null)
      throw new GatewrightError(
        'lease-held',
        `The loop of #${input.number} was begun a moment ago: ${begun.id}.`,
      );
    const { delivery } = input;
    const key = delivery === undefined ? id : workflowRunKey({ delivery }, 'loop');
    const [entry] = await ledger.append(
      [{ subject, run: id, actor: options.person, kind: 'run-started', key, data: { request } }],
      lease,
    );
    const run = { id, subject, request, startedAt: entry?.at ?? clock.now().toISOString() };
    onStart(run);
    return drive(tools, run, { ...options, signal }, lease);
  });
}

/**
 * Under the leases of the loop and of the issue: no other process works on the loop, and no agent works on the issue
 * beside it.
 */
export async function withIssue<T>(
  tools: LoopTools,
  { subject, number }: { readonly subject: Subject; readonly number: number },
  { signal: outer }: Pick<LoopOptions, 'signal'>,
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

export async function resumeLoop(
  tools: LoopTools,
  found: LoopRun,
  options: LoopOptions,
): Promise<LoopOutcome> {
  const { id, subject, request, startedAt, status } = found;
  return withIssue(tools, { subject, number: request.number }, options, async (lease, signal) => {
    const now = await tools.views.findRun(id);
    if (now === null || now.status === 'done')
      throw new GatewrightError('run-finished', `The loop ${id} was finished or dropped a moment ago.`);
    const { isByFleet } = options;
    const data = { from: status, ...(isByFleet === undefined ? {} : { isByFleet }) };
    await tools.ledger.append(
      [{ subject, run: id, actor: options.person, kind: 'run-resumed', data }],
      lease,
    );
    return drive(tools, { id, subject, request, startedAt }, { ...options, signal }, lease);
  });
}

function drive(tools: LoopTools, run: DrivenLoop, options: LoopOptions, lease: Lease): Promise<LoopOutcome> {
  const openWith = async (signal: AbortSignal) => {
    const { openLoopGraph } = await import('./graph.ts');
    const context = makeLoopContext(tools, run, { ...options, signal }, lease);
    return {
      graph: openLoopGraph(context, await tools.openCheckpoints()),
      resolve: (question: GateQuestion) => resolve(tools, run, options, lease, question),
    };
  };
  const conclude = ({ result }: LoopState) => ({
    message: result === null ? 'it had no result' : `#${run.request.number} is merged with #${result.number}`,
    result,
  });
  return holdLease(lease, options.signal, (signal) => {
    const open = () => openWith(signal);
    return driveGraph(tools, { run, progress: options.progress, open, conclude, explainLeftOpen }, lease);
  });
}

/** An answer that people gave on the issue counts first; then the person at this machine is asked. */
async function resolve(
  tools: LoopTools,
  run: DrivenLoop,
  options: LoopOptions,
  lease: Lease,
  question: GateQuestion,
): Promise<GateAnswer> {
  const { ledger, repository } = tools;
  if ((await ledger.find('gate-answered', question.id)) === null) {
    const { number } = run.request;
    const { answer } = await hearForge(tools, { number, own: options.own, run: run.id }, question);
    const given =
      answer !== null
        ? { ...answer, actor: answer.author, by: 'person' as const }
        : options.isByFleet === true
          ? await followUp(tools, run, question)
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

const waitsFor: Readonly<Partial<Record<GateQuestion['kind'], string>>> = {
  scope: 'the issue leaves questions open',
  plan: 'the plan waits for its approval',
  work: 'the next task waits to be begun',
  blocked: 'a person has to decide how it goes on',
  testing: 'all tasks passed; a person has to test it',
  close: 'it was tested; it waits to be closed',
  merge: 'it waits for its pull request to be merged',
};

function explainLeftOpen({ question }: LeftOpen, resume: string): GateStop {
  const because = question.because === undefined ? '' : `: ${question.because}`;
  const message = `waiting for a person at the ${question.kind} gate (${question.id}): ${waitsFor[question.kind] ?? question.kind}${because}`;
  return {
    status: question.kind === 'blocked' ? 'blocked' : 'waiting',
    reason: { code: 'gate', message, owner: 'person', resume },
    gate: question,
    failure: null,
  };
}
