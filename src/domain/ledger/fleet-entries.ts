/**
 * What the ledger records of the fleet. Counters, approvals and verdicts are read from here and from nowhere else:
 * comments and labels show them to people and grant nothing.
 */
import type { CorrectionEnd } from '../changes/convergence-words.ts';
import type { AgentName, ScheduleName, WorkerName, WorkflowName } from '../fleet/agent-names.ts';
import type { EventKind, HandoffTask } from '../fleet/event.ts';
import type { SeenText } from '../forge/seen-text.ts';
import type { Sha256 } from './hash.ts';

export interface Handoff {
  readonly to: AgentName | WorkflowName;
  readonly task: HandoffTask;
  /** The issue or pull request that it is about. */
  readonly number: number;
}

/** Why an event that asked for something got nothing. */
export type RefusalReason =
  | 'own'
  | 'bot'
  | 'not-permitted'
  /** Programs have given too many orders in a row; a person has to give the next. */
  | 'loop'
  /** An actor set a label that this actor may not set, or that does not follow from the state. */
  | 'label'
  /** What is stored cannot be read: written by another version, or damaged. */
  | 'unreadable'
  /** The run was about to be resumed, but another run had worked on the same subject since. */
  | 'overtaken'
  /** A workflow works on the issue: orders about it are answers to that workflow. */
  | 'run-open';

/** Everything that allowed one merge. */
export interface MergeGrounds {
  readonly number: number;
  readonly head: string;
  /** The branch that it is merged into. */
  readonly base: string;
  /** How it is merged: by us, or by the merge queue of the forge. */
  readonly by: 'merge' | 'queue';
  /** The label that permits it: set by our own rules, a listed program or a person. */
  readonly label: {
    readonly by: 'us' | 'program' | 'person';
    readonly actor: string;
    readonly at: string;
    /** The head that it was set at. */
    readonly head: string;
    /** Later commits of ours that it covers, oldest first. */
    readonly carriedBy: readonly string[];
  };
  /** Our reviews of this head: the hashes of their entries. */
  readonly reviews: readonly { readonly entry: Sha256; readonly by: string }[];
  /** Approvals on the forge by people with write permission. */
  readonly approvals: readonly { readonly by: string; readonly commit: string }[];
  readonly checks: readonly { readonly name: string; readonly state: string }[];
  /** The commit that our command tested, of which `command-verified` tells; null where no command is set. */
  readonly tested: string | null;
}

export interface FleetEntryData {
  /** Written before an agent acts on the event. Its key is the delivery, so a second delivery adds no second entry. */
  'event-received': {
    readonly kind: EventKind;
    readonly actor: string;
    readonly event: Sha256;
    /**
     * Identifies what happened, no matter which webhook delivered it, so that it has one entry. Missing for events that
     * can be delivered only once.
     */
    readonly happening?: Sha256;
  };
  /**
   * From here on, slots of this schedule count; its key is the chore. Slots that were due before the first watch are
   * not made up for.
   */
  'schedule-begun': { readonly schedule: ScheduleName };
  /** Which repository a name stood for when it was first worked on; its key is the name. */
  'repository-identified': { readonly id: string; readonly name: string };
  /** What the repository is called now. */
  'repository-renamed': { readonly id: string; readonly name: string };
  /** Every run for it has ended or has stopped with a reason. */
  'event-settled': { readonly runs: readonly string[] };
  'event-refused': {
    readonly delivery: string;
    /** Null when it never came to asking who it is for. */
    readonly agent: WorkerName | WorkflowName | null;
    readonly by: string;
    readonly because: RefusalReason;
    readonly detail: string;
  };
  /** What a job of GitHub Actions was to apply was not what it had to be; nothing of it was used. */
  'proposal-refused': { readonly workflowRun: number; readonly attempt: number; readonly why: string };
  /** The result of a step, so that a run that is resumed after a crash does not repeat the step. */
  'step-done': { readonly step: string; readonly result: Sha256 };
  /** The orchestrator ran a command itself. What an agent says about its tests counts for nothing. */
  'command-verified': {
    readonly command: readonly string[];
    readonly commit: string;
    readonly exitCode: number | null;
    readonly output: Sha256;
    readonly sandbox: string;
    readonly milliseconds: number;
  };
  /**
   * Whether a change is proven: its tests were counted, run without it, and compared with those before. Its key is the
   * run and the commit.
   */
  'change-proven': {
    readonly commit: string;
    readonly base: string;
    readonly isProven: boolean;
    readonly redGreen: 'shown' | 'not-red' | 'no-tests-changed' | 'unknown-runner' | 'not-run';
    /** How many tests ran; null when no report says so. */
    readonly executed: number | null;
    /** In how many places it makes tests or checks weaker. */
    readonly weakened: number;
    /** All of it, with the places, as JSON. */
    readonly proof: Sha256;
  };
  /** The command that makes a copy ready (`fleet.setup`) was run, with success or not. */
  'copy-prepared': {
    readonly command: readonly string[];
    readonly exitCode: number | null;
    readonly output: Sha256;
    /** Its last lines, without what looks like a secret. */
    readonly end: string;
    readonly sandbox: string;
    readonly milliseconds: number;
  };
  /** What a coding agent was shut in by; `none` with why nothing better could be had. */
  'sandbox-used': { readonly kind: string; readonly reason: string | null };
  'plan-proposed': {
    readonly plan: Sha256;
    readonly comment: number;
    /** The words of the issue that it was made from. */
    readonly seen?: SeenText | undefined;
    /** The name by which people call the agent in their answer. */
    readonly handle?: string;
  };
  /** Of exactly that plan. */
  'plan-approved': { readonly plan: Sha256; readonly by: string; readonly comment: number };
  /** How an order is carried out, and why. */
  'strategy-chosen': { readonly strategy: 'direct' | WorkflowName; readonly because: string };
  /** A branch that holds work on an issue, pushed; the newest counts. */
  'work-pushed': { readonly issue: number | null; readonly branch: string; readonly commit: string };
  /** A pull request of ours: which issue it is for, found again by its key `owner/repo#number`. */
  'pull-request-made': {
    readonly number: number;
    readonly issue: number | null;
    readonly branch: string;
    readonly base: string;
    /** The words of the issue that were carried out. */
    readonly text?: Sha256;
    /** What was done and why, in the words of the coding agent. */
    readonly summary?: Sha256;
    /** Files that only keep how it came about: they are no part of the work that is reviewed. */
    readonly archive?: readonly string[];
  };
  /** What a later commit of ours on a pull request did, in the words of the coding agent; its key is that of a review. */
  'work-summarised': { readonly number: number; readonly commit: string; readonly summary: Sha256 };
  /** A review of one commit; its key is `owner/repo#number@commit`. */
  'code-reviewed': {
    readonly number: number;
    readonly commit: string;
    readonly isClean: boolean;
    readonly review: Sha256;
    readonly by: string;
    /** Of the instructions that the model was given. Missing, as the three after it, in entries of older versions. */
    readonly prompt?: Sha256;
    /** Of all that the model was shown: the instructions, the description, the issues and the change. */
    readonly input?: Sha256;
    readonly model?: string;
    /** The model that answered, by its own account. */
    readonly reportedModel?: string;
  };
  /**
   * What a merge rests on, as it was read right before the merge; written before it. Its key is that of the review, with
   * a number after it when the same head was granted anew on other grounds.
   */
  'merge-granted': MergeGrounds;
  /** What it would make of its base was tried and is not good; its key is `owner/repo#number@commit/base`, so it is said once. */
  'merge-rejected': {
    readonly number: number;
    readonly commit: string;
    readonly base: string;
    readonly why: 'conflict' | 'failed' | 'timed-out';
    readonly output: Sha256;
  };
  /**
   * A run works on a pull request that conflicts with its base. Written before it begins, so that a push of that run is
   * known to hold settled conflicts: no grant and no approval of the old head carries over to it.
   */
  'conflict-met': {
    readonly number: number;
    /** The head and the tip of the base that conflict. */
    readonly head: string;
    readonly base: string;
    readonly paths: readonly string[];
  };
  /** A pull request that is not merged until a person does something about it; the newest counts. */
  'merge-waits': {
    readonly number: number;
    readonly head: string;
    /** What a person can change, and how; at least one. */
    readonly unmet: readonly { readonly code: string; readonly what: string; readonly how: string }[];
  };
  'finding-dismissed': { readonly finding: string; readonly by: string; readonly why: string };
  /** A loop reached its limit; people are told once. */
  'limit-reached': {
    readonly what: 'continue' | 'fix' | 'conflict' | 'diagnosis' | 'merge';
    /** After how many rounds. */
    readonly limit: number;
    readonly handle?: string;
    /** Of corrections that ended earlier: another round would have come to nothing. */
    readonly because?: CorrectionEnd;
  };
  /** A failed build that people are told about. Its key is one of the few places of a day for it. */
  'failure-diagnosed': {
    readonly workflowRun: number;
    readonly attempt: number;
    /** The workflow and the steps that failed. */
    readonly signature: Sha256;
    /** The pull request; null when it is said on the commit. */
    readonly number: number | null;
  };
  /** Changes of a template that were brought over in a pull request, up to a commit of the template. */
  'template-synced': {
    readonly number: number;
    /** Of the name of the template: another one has another history. */
    readonly source: Sha256;
    /** Newest commit of the template that is in it. */
    readonly template: string;
    /** The commit of ours that was pushed. */
    readonly commit: string;
  };
}
