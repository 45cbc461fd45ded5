/** The loop as the fleet runs it: an event starts it or answers its question, and no person is at the machine. */
import type { FleetEvent } from '../../domain/fleet/event.ts';
import { toKnown } from '../../domain/fleet/stop-comment.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import {
  isLoopRun,
  type LoopRun,
  optionsOfRun,
  resumeCommandOf,
  type StopReason,
} from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { isPlainOrder } from '../../domain/spoken/plan-approval.ts';
import { mentions, spokenLines, withoutMention } from '../../domain/spoken/spoken-text.ts';
import { type ErrorCode, errorCatalogue, GatewrightError, isGatewrightError } from '../../errors.ts';
import type { OpenGate } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import { noDialogue } from '../../runs/gates/resolve-gate.ts';
import { type Workflow, type WorkflowOutcome, type WorkflowSession, workflowRunKey } from '../workflow.ts';
import { hearForge, type VoidApproval } from './answer-on-forge.ts';
import {
  findLoop,
  type LoopOptions,
  type LoopOutcome,
  resumeLoop,
  startLoop,
  withIssue,
} from './drive-loop.ts';
import { followUp } from './follow-up.ts';
import { moveLabel, say } from './forge-steps.ts';
import { type DrivenLoop, type LoopContext, type LoopTools, makeLoopContext } from './loop-context.ts';
import { writeStopped, writeUnread, writeVoidApproval } from './rules/comments/replies.ts';
import { tellStop } from './tell-stop.ts';

/** The issue that the event is about; for a merged pull request, the one that it was made for. */
async function issueOf({ ledger, repositoryName }: LoopTools, event: FleetEvent): Promise<number | null> {
  if (event.kind === 'pull-request-closed') {
    const made = await ledger.find('pull-request-made', issueSubject(repositoryName, event.number));
    return made?.data.issue ?? null;
  }
  return 'number' in event ? event.number : null;
}

function startsLoop(event: FleetEvent): boolean {
  if (event.kind === 'handed-on') return true;
  return event.kind === 'labeled' && event.label.toLowerCase() === labelNames.loop.toLowerCase();
}

async function findGate({ views }: LoopTools, { id, subject }: LoopRun): Promise<OpenGate | null> {
  return (await views.listOpenGates({ subject })).find(({ run }) => run.id === id) ?? null;
}

/** Words with which a person has a stopped run tried again. */
const goingOn = /^(?:continue|retry|go on|resume|try again)[.!]*$/iu;

function saysGoOn(text: string, handle: string): boolean {
  if (!mentions(text, handle)) return false;
  const words = spokenLines(text)
    .flat()
    .map((line) => withoutMention(line, handle))
    .join(' ')
    .trim();
  return goingOn.test(words) || isPlainOrder(text, handle);
}

/** Something short that is done on the issue beside the graph, under the same leases. */
async function onIssue(
  tools: LoopTools,
  { id, subject, request, startedAt }: LoopRun | DrivenLoop,
  session: WorkflowSession,
  act: (context: LoopContext) => Promise<void>,
): Promise<void> {
  const run = { id, subject, request, startedAt };
  await withIssue(tools, { subject, number: request.number }, session, async (lease, signal) => {
    const progress = session.progressOf?.(run) ?? (() => undefined);
    await act(makeLoopContext(tools, run, { own: session.own, progress, signal }, lease));
  });
}

/** Drives it, and tells a person of a stop that needs one. */
async function drive(
  tools: LoopTools,
  session: WorkflowSession,
  person: string,
  go: (options: LoopOptions, onStart: (run: DrivenLoop) => void) => Promise<LoopOutcome>,
): Promise<WorkflowOutcome> {
  let progress: Progress = () => undefined;
  let begun: DrivenLoop | null = null;
  const options: LoopOptions = {
    ...{ own: session.own, person, dialogue: noDialogue, isByFleet: true },
    progress: (event) => progress(event),
    ...(session.signal === undefined ? {} : { signal: session.signal }),
  };
  const onStart = (run: DrivenLoop): void => {
    begun = run;
    progress = session.progressOf?.(run) ?? progress;
  };
  try {
    return await go(options, onStart);
  } catch (error) {
    const run = begun as DrivenLoop | null;
    if (run === null || !isGatewrightError(error) || error.stop === null) throw error;
    const stopped = await tools.views.findRun(run.id);
    if (stopped?.reason == null) throw error;
    // The stop is on the ledger and in `status`, even if it cannot be told now.
    await onIssue(tools, run, session, (context) => tellStop(context, toKnown(error))).catch(
      (failure: unknown) =>
        progress({ kind: 'warning', message: failure instanceof Error ? failure.message : String(failure) }),
    );
    return { run, status: stopped.status, reason: stopped.reason, result: null };
  }
}

function continueRun(
  tools: LoopTools,
  found: LoopRun,
  session: WorkflowSession,
  person: string,
): Promise<WorkflowOutcome> {
  return drive(tools, session, person, (options, onStart) => {
    onStart(found);
    session.onStart?.(found, true);
    return resumeLoop(tools, found, options);
  });
}

/** What is replied to an event that moves nothing; null when nothing is. */
function replyTo(
  { fleet: { handle } }: LoopTools,
  event: FleetEvent,
  { gate, empty, reason }: { gate: OpenGate | null; empty: VoidApproval | null; reason: StopReason | null },
): string | null {
  const who = event.actor;
  const isApproval = event.kind === 'labeled' && empty !== null && 'label' in empty.said;
  const isSaid =
    event.kind === 'comment-created' &&
    empty !== null &&
    'comment' in empty.said &&
    empty.said.comment === event.comment;
  if (gate !== null && empty !== null && (isApproval || isSaid))
    return writeVoidApproval({ who, handle, kind: gate.question.kind, because: empty.because });
  if (event.kind !== 'comment-created' || !mentions(event.text, handle)) return null;
  if (gate !== null) return writeUnread({ who, handle, kind: gate.question.kind });
  return writeStopped({ who, handle, message: reason?.message ?? 'it waits' });
}

/** Whether the fleet drove it last: what a person drives from a terminal is not continued behind their back. */
function isDrivenByFleet(entries: readonly LedgerEntry[]): boolean {
  const last = entries.findLast(({ kind }) => kind === 'run-started' || kind === 'run-resumed');
  if (last?.kind === 'run-resumed') return last.data.isByFleet === true;
  return (
    last?.kind === 'run-started' &&
    'delivery' in last.data.request &&
    last.data.request.delivery !== undefined
  );
}

async function handleOpen(
  tools: LoopTools,
  found: LoopRun,
  event: FleetEvent,
  session: WorkflowSession,
): Promise<WorkflowOutcome | null> {
  const { number } = found.request;
  const gate = await findGate(tools, found);
  const isCutOff = found.status === 'running' || found.reason?.code === 'cancelled';
  let empty: VoidApproval | null = null;
  if (gate !== null && !isCutOff) {
    const heard = await hearForge(tools, { number, own: session.own, run: found.id }, gate.question);
    const isMoving = heard.answer !== null || (await followUp(tools, found, gate.question)) !== null;
    if (isMoving) return continueRun(tools, found, session, event.actor);
    empty = heard.void;
  } else {
    const isAsked = event.kind === 'comment-created' && saysGoOn(event.text, tools.fleet.handle);
    const isAnswered = found.reason?.code === 'gate';
    if (isCutOff || isAsked || isAnswered || startsLoop(event))
      return continueRun(tools, found, session, event.actor);
  }
  const text = replyTo(tools, event, { gate, empty, reason: found.reason });
  if (text === null) return null;
  await onIssue(tools, found, session, async (context) => {
    await say(context, `reply/${event.delivery}`, text);
    // The label showed an approval that does not count.
    if (event.kind === 'labeled')
      await moveLabel(context, `reply/${event.delivery}`, labelNames.loopPlanning);
  });
  return null;
}

export const loop: Workflow = {
  name: 'loop',
  async handle(tools, event, session) {
    const number = await issueOf(tools, event);
    if (number === null) return null;
    const found = await findLoop(tools, number);
    if (found !== null) return handleOpen(tools, found, event, session);
    if (!startsLoop(event)) return null;
    // The run of this event is over.
    if ((await tools.ledger.find('run-started', workflowRunKey(event, 'loop'))) !== null) return null;
    const { delivery, actor } = event;
    // A label on what is closed orders nothing.
    if ((await tools.forge.getIssue(tools.repositoryName, number)).state !== 'open') return null;
    return drive(tools, session, actor, (options, onStart) =>
      startLoop(tools, { number, isQuick: false, delivery }, options, (run) => {
        onStart(run);
        session.onStart?.(run, false);
      }),
    );
  },
  async resume(tools, run, session) {
    if (!isLoopRun(run) || run.isDismissed) return null;
    if (!isDrivenByFleet(await tools.ledger.readRun(run.id))) return null;
    return continueRun(tools, run, session, tools.actor);
  },
  async giveUp(tools, run, times, session) {
    if (!isLoopRun(run) || run.reason === null) return;
    const { reason } = run;
    if (reason.owner === 'person' && reason.isGivenUp !== true) return;
    const { until: _, ...rest } = reason;
    const resume =
      rest.resume ||
      resumeCommandOf(run.request, run.id, `${optionsOfRun(run.request)}${tools.commandSuffix}`);
    const message = `${rest.message} It was tried ${times} times.`;
    const known = Object.hasOwn(errorCatalogue, reason.code) ? (reason.code as ErrorCode) : 'internal';
    await withIssue(
      tools,
      { subject: run.subject, number: run.request.number },
      session,
      async (lease, signal) => {
        if (reason.isGivenUp !== true) {
          const given: StopReason = { ...rest, message, owner: 'person', resume, isGivenUp: true };
          const { id, subject } = run;
          const data = { status: 'blocked', reason: given } as const;
          await tools.ledger.append(
            [{ subject, run: id, actor: tools.actor, kind: 'run-stopped', data }],
            lease,
          );
        }
        const progress = session.progressOf?.(run) ?? (() => undefined);
        const context = makeLoopContext(tools, run, { own: session.own, progress, signal }, lease);
        await tellStop(
          context,
          new GatewrightError(known, reason.isGivenUp === true ? reason.message : message),
          {
            isGivenUp: true,
          },
        );
      },
    );
  },
};
