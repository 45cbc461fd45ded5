/**
 * What starts an agent, or starts or continues a workflow: a kind of event, with the code that decides about one. Pure:
 * facts are passed in. The fleet reads triggers and knows no agent and no workflow by name.
 */
import type { GateQuestion } from '../drafts/gate.ts';
import type { RunStatus } from '../ledger/run.ts';
import type { SubjectHistory } from '../ledger/subject-history.ts';
import type { WorkflowName } from './agent-names.ts';
import type { EventKind, EventOf } from './event.ts';
import type { LoopLabelSetting } from './fleet-settings.ts';

/** What is known of every event. */
export interface PlainFacts {
  /** What people call the agents by, without the @. */
  readonly handle: string;
  /** The login under which Gatewright acts. */
  readonly own: string;
  /** Whether labels of people start and approve a loop. */
  readonly loopLabels: LoopLabelSetting;
}

/** A run of a workflow that works on the issue and is not done. */
export interface OpenRun {
  readonly workflow: WorkflowName;
  readonly id: string;
  readonly status: RunStatus;
  /** The question that it waits with; null when it waits for no answer. */
  readonly gate: GateQuestion['kind'] | null;
}

/** What a trigger may ask for before it decides. */
interface AskedFacts {
  /** What happened so far to the issue or pull request, by the ledger. */
  readonly history: SubjectHistory;
  /** What the author of a review says on single lines. */
  readonly remarks: readonly string[];
  /** The words of the issue now, for events that do not bring them; null when it is not there. */
  readonly words: { readonly title: string; readonly body: string } | null;
  /** The workflow that works on the issue; for a pull request, the one that made it. Null when there is none. */
  readonly openRun: OpenRun | null;
}

export type WakingFacts = PlainFacts & AskedFacts;
export type FactName = keyof AskedFacts;

interface EventTrigger<K extends EventKind> {
  readonly on: K;
  /** An order counts only from an actor who may give one; an observation is what everybody can see. */
  readonly as: 'order' | 'observation';
  /** When an event starts it, in words for people: completes "if …"; `always` where there is no condition. */
  readonly when: string;
  /** The same in code. Without it, every event of that kind starts it. */
  readonly decides?: (event: EventOf<K>, facts: WakingFacts) => boolean;
  /** What has to be looked up before it can decide about this event. Without it: nothing. */
  readonly asks?: (event: EventOf<K>, facts: PlainFacts) => readonly FactName[];
  /**
   * An order goes to one agent. Where several claim it, one that knows exactly these words comes before those that take
   * every mention.
   */
  readonly isExact?: true;
  /** For events about a commit: the agent starts once for each open pull request whose head is that commit. */
  readonly forEach?: 'pull-request-at-head';
}

export type AnyEventTrigger = { readonly [K in EventKind]: EventTrigger<K> }[EventKind];

/** The triggers for one kind of event. */
export function triggersOn<K extends EventKind>(
  { triggers }: { readonly triggers: readonly object[] },
  kind: K,
): EventTrigger<K>[] {
  const matching: unknown = triggers.filter((one) => 'on' in one && one.on === kind);
  // The compiler cannot follow that the kind picks the form.
  return matching as EventTrigger<K>[];
}
