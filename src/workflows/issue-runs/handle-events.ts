/** A workflow on issues as the fleet runs it: an event starts a run or answers its question, and no person is at the machine. */
import type { EventOf, FleetEvent } from '../../domain/fleet/event.ts';
import { toKnown } from '../../domain/fleet/stop-comment.ts';
import type { EntryKind, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { optionsOfRun, type RunSummary, resumeCommandOf, type StopReason } from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { isPlainOrder } from '../../domain/spoken/plan-approval.ts';
import { mentions, spokenLines, withoutMention } from '../../domain/spoken/spoken-text.ts';
import { type ErrorCode, errorCatalogue, GatewrightError, isGatewrightError } from '../../errors.ts';
import type { Fence, OpenGate } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import { noDialogue } from '../../runs/gates/resolve-gate.ts';
import type { Drivable } from '../../runs/graph/standing.ts';
import type { FleetTools } from '../../runs/house.ts';
import { type Workflow, type WorkflowOutcome, type WorkflowSession, workflowRunKey } from '../workflow.ts';
import { findIssueRun, resumeIssueRun, withIssue } from './drive-issue-run.ts';
import type {
  DrivenRun,
  DriveOptions,
  DriveOutcome,
  IssueRequest,
  IssueRun,
  IssueWorkflow,
  VoidApproval,
} from './issue-run.ts';
import { writeObstacle, writeStopped, writeUnread } from './rules/replies.ts';
import type { RunContext } from './run-context.ts';
import { say } from './say.ts';
import { tellStop } from './tell-stop.ts';

/** What is in the way of a new run. */
interface StartObstacle<R extends IssueRequest> {
  readonly run: IssueRun<R>;
  /** It is told once under that name. */
  readonly name: string;
  /** What is in the way, and what a person can do about it. */
  readonly message: string;
}

/** What a workflow says of itself for the fleet, beside what it is. */
export interface EventHandling<R extends IssueRequest, Context> {
  /** Whether an event starts a run where there is none, and has a stopped one tried again. */
  readonly starts: (event: FleetEvent) => boolean;
  /** The run that keeps a new one from beginning although it has ended, and why; without it: none does. */
  readonly findObstacle?: (tools: FleetTools, number: number) => Promise<StartObstacle<R> | null>;
  readonly start: (
    tools: FleetTools,
    from: { readonly number: number; readonly delivery: string; readonly event: FleetEvent },
    options: DriveOptions,
    onStart: (run: DrivenRun<R>) => void,
  ) => Promise<DriveOutcome<R>>;
  /** Entries after which the same stop is news again: the run went on in between. */
  readonly progress: readonly EntryKind[];
  /** How its questions are answered in a comment, one line each. */
  readonly describeAnswers: (gate: OpenGate, handle: string) => readonly string[];
  /** What follows from an approval that does not count, beside the reply. */
  readonly onVoid?: (context: Context, event: FleetEvent) => Promise<void>;
  readonly writeVoid?: (facts: {
    readonly who: string;
    readonly handle: string;
    readonly because: string;
    readonly remedy?: VoidApproval['remedy'];
  }) => string;
  /** Whether an event says something to a run that has stopped, beside that it goes on; what follows is written down. */
  readonly hearStopped?: (
    tools: FleetTools,
    found: IssueRun<R>,
    event: FleetEvent,
    session: WorkflowSession,
  ) => Promise<boolean>;
  /** Undoes what only the run itself would have undone, when a person cancels it. */
  readonly tidyUp?: (tools: FleetTools, run: IssueRun<R>, fence: Fence) => Promise<void>;
  /** What can be said to it then, one line each. */
  readonly describeStopped?: (found: IssueRun<R>, handle: string) => readonly string[];
  /** What is replied to a label that a question cannot be answered by; null when nothing is. */
  readonly answerLabel?: (event: EventOf<'labeled'>, gate: OpenGate, handle: string) => string | null;
}

/** The issue that the event is about; for a merged pull request, the one that it was made for. */
async function issueOf({ ledger, repositoryName }: FleetTools, event: FleetEvent): Promise<number | null> {
  if (event.kind === 'pull-request-closed') {
    const made = await ledger.find('pull-request-made', issueSubject(repositoryName, event.number));
    return made?.data.issue ?? null;
  }
  return 'number' in event ? event.number : null;
}

async function findGate(
  { views }: FleetTools,
  { id, subject }: Pick<RunSummary, 'id' | 'subject'>,
): Promise<OpenGate | null> {
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

/** What the fleet needs of the context of a run. */
type Reached<R extends IssueRequest> = Omit<RunContext<R, never>, 'record'>;

export function handleEvents<R extends IssueRequest, State, Context extends Reached<R>>(
  workflow: IssueWorkflow<R, State, Context>,
  handling: EventHandling<R, Context>,
): Workflow {
  const { noun, manifest, followUp, hear, makeContext } = workflow;
  const { name } = manifest;
  const isOurs = (run: RunSummary): run is IssueRun<R> => run.request.workflow === name;

  /** Something short that is done on the issue beside the graph, under the same leases. */
  async function onIssue(
    tools: FleetTools,
    { id, subject, request, startedAt }: IssueRun<R> | DrivenRun<R>,
    session: WorkflowSession,
    act: (context: Context) => Promise<void>,
  ): Promise<void> {
    const run = { id, subject, request, startedAt };
    await withIssue(tools, { subject, number: request.number }, session, async (lease, signal) => {
      const progress = session.progressOf?.(run) ?? (() => undefined);
      await act(makeContext(tools, run, { own: session.own, progress, signal }, lease));
    });
  }

  /** Drives it, and tells a person of a stop that needs one. */
  async function drive(
    tools: FleetTools,
    session: WorkflowSession,
    person: string,
    go: (options: DriveOptions, onStart: (run: DrivenRun<R>) => void) => Promise<DriveOutcome<R>>,
  ): Promise<WorkflowOutcome> {
    let progress: Progress = () => undefined;
    let begun: DrivenRun<R> | null = null;
    const options: DriveOptions = {
      ...{ own: session.own, person, dialogue: noDialogue, isByFleet: true },
      progress: (event) => progress(event),
      ...(session.signal === undefined ? {} : { signal: session.signal }),
    };
    const onStart = (run: DrivenRun<R>): void => {
      begun = run;
      progress = session.progressOf?.(run) ?? progress;
    };
    try {
      return await go(options, onStart);
    } catch (error) {
      const run = begun as DrivenRun<R> | null;
      if (run === null || !isGatewrightError(error) || error.stop === null) throw error;
      const stopped = await tools.views.findRun(run.id);
      if (stopped?.reason == null) throw error;
      // The stop is on the ledger and in `status`, even if it cannot be told now.
      await onIssue(tools, run, session, (context) =>
        tellStop(context, { noun, progress: handling.progress }, toKnown(error)),
      ).catch((failure: unknown) =>
        progress({ kind: 'warning', message: failure instanceof Error ? failure.message : String(failure) }),
      );
      return { run, status: stopped.status, reason: stopped.reason, result: null };
    }
  }

  function continueRun(
    tools: FleetTools,
    found: IssueRun<R>,
    session: WorkflowSession,
    person: string,
  ): Promise<WorkflowOutcome> {
    return drive(tools, session, person, (options, onStart) => {
      onStart(found);
      session.onStart?.(found, true);
      return resumeIssueRun(tools, workflow, found, options);
    });
  }

  /** What is replied to an event that moves nothing; null when nothing is. */
  function replyTo(
    { fleet: { handle } }: FleetTools,
    event: FleetEvent,
    { gate, empty, found }: { gate: OpenGate | null; empty: VoidApproval | null; found: IssueRun<R> },
  ): string | null {
    const who = event.actor;
    const isApproval = event.kind === 'labeled' && empty !== null && 'label' in empty.said;
    const isSaid =
      event.kind === 'comment-created' &&
      empty !== null &&
      'comment' in empty.said &&
      empty.said.comment === event.comment;
    if (gate !== null && empty !== null && (isApproval || isSaid))
      return handling.writeVoid?.({ who, handle, ...empty }) ?? null;
    if (event.kind === 'labeled' && gate !== null) return handling.answerLabel?.(event, gate, handle) ?? null;
    if (event.kind !== 'comment-created' || !mentions(event.text, handle)) return null;
    if (gate === null) {
      const more = handling.describeStopped?.(found, handle) ?? [];
      return writeStopped({ noun, who }, handle, found.reason?.message ?? 'it waits', more);
    }
    return writeUnread({ noun, who }, gate.question.kind, handling.describeAnswers(gate, handle));
  }

  async function handleOpen(
    tools: FleetTools,
    found: IssueRun<R>,
    event: FleetEvent,
    session: WorkflowSession,
  ): Promise<WorkflowOutcome | null> {
    const { number } = found.request;
    const gate = await findGate(tools, found);
    const isCutOff =
      found.status === 'running' ||
      found.reason?.code === 'cancelled' ||
      found.reason?.code === 'waits-for-model';
    let empty: VoidApproval | null = null;
    if (gate !== null && !isCutOff) {
      const heard = await hear(tools, { number, own: session.own, run: found.id }, gate.question);
      const isMoving = heard.answer !== null || (await followUp(tools, found, gate.question)) !== null;
      if (isMoving) return continueRun(tools, found, session, event.actor);
      empty = heard.void;
    } else {
      const isAsked = event.kind === 'comment-created' && saysGoOn(event.text, tools.fleet.handle);
      const isAnswered = found.reason?.code === 'gate';
      const isHeard = (await handling.hearStopped?.(tools, found, event, session)) ?? false;
      if (isHeard || isCutOff || isAsked || isAnswered || handling.starts(event))
        return continueRun(tools, found, session, event.actor);
    }
    // The order that began it comes again after a kill; it is no second one.
    const isOwnOrder = found.request.delivery === event.delivery;
    const text = isOwnOrder ? null : replyTo(tools, event, { gate, empty, found });
    if (text === null) return null;
    await onIssue(tools, found, session, async (context) => {
      // A label says the same thing each time: it is answered once for each question.
      const isRepeated = event.kind === 'labeled' && empty === null && gate !== null;
      await say(context, `reply/${isRepeated ? gate.question.id : event.delivery}`, text);
      await handling.onVoid?.(context, event);
    });
    return null;
  }

  return {
    name,
    async handle(tools, event, session) {
      const number = await issueOf(tools, event);
      if (number === null) return null;
      const found = await findIssueRun<R>(tools, name, number);
      if (found !== null) return handleOpen(tools, found, event, session);
      if (!handling.starts(event)) return null;
      // The run of this event is over.
      if ((await tools.ledger.find('run-started', workflowRunKey(event, name))) !== null) return null;
      const { delivery, actor } = event;
      // A label on what is closed orders nothing.
      if ((await tools.forge.getIssue(tools.repositoryName, number)).state !== 'open') return null;
      const obstacle = (await handling.findObstacle?.(tools, number)) ?? null;
      if (obstacle !== null) {
        const text = writeObstacle({ noun, who: actor }, obstacle.message);
        await onIssue(tools, obstacle.run, session, async (context) => {
          await say(context, `reply/${obstacle.name}`, text);
        });
        return null;
      }
      return drive(tools, session, actor, (options, onStart) =>
        handling.start(tools, { number, delivery, event }, options, (run) => {
          onStart(run);
          session.onStart?.(run, false);
        }),
      );
    },
    async resume(tools, run, session, isAsked = false) {
      if (!isOurs(run) || run.isDismissed) return null;
      if (!isAsked && !isDrivenByFleet(await tools.ledger.readRun(run.id))) return null;
      return continueRun(tools, run, session, tools.actor);
    },
    async tidyUp(tools, run, fence) {
      if (isOurs(run)) await handling.tidyUp?.(tools, run, fence);
    },
    async giveUp(tools, run, times, session) {
      if (!isOurs(run) || run.reason === null) return;
      const { reason } = run;
      if (reason.owner === 'person' && reason.isGivenUp !== true) return;
      const { until: _, ...rest } = reason;
      const resume =
        rest.resume ||
        resumeCommandOf(run.request, run.id, `${optionsOfRun(run.request)}${tools.commandSuffix}`);
      const message = `${rest.message} It was tried ${times} times.`;
      const known = Object.hasOwn(errorCatalogue, reason.code) ? (reason.code as ErrorCode) : 'internal';
      const { id, subject, request, startedAt } = run;
      await withIssue(tools, { subject, number: request.number }, session, async (lease, signal) => {
        if (reason.isGivenUp !== true) {
          const given: StopReason = { ...rest, message, owner: 'person', resume, isGivenUp: true };
          const data = { status: 'blocked', reason: given } as const;
          await tools.ledger.append(
            [{ subject, run: id, actor: tools.actor, kind: 'run-stopped', data }],
            lease,
          );
        }
        const progress = session.progressOf?.(run) ?? (() => undefined);
        const driven = { id, subject, request, startedAt };
        const context = makeContext(tools, driven, { own: session.own, progress, signal }, lease);
        const error = new GatewrightError(known, reason.isGivenUp === true ? reason.message : message);
        await tellStop(context, { noun, progress: handling.progress }, error, { isGivenUp: true });
      });
    },
    async openReplay(played) {
      const { makeMemoryCheckpoints } = await import('../../runs/graph/graph-run.ts');
      const context = played as unknown as Context;
      return {
        graph: (await workflow.openGraph(context, makeMemoryCheckpoints())) as Drivable<unknown>,
        conclude: (state) => workflow.conclude(context, state as State),
      };
    },
  };
}
