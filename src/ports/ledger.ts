/** The append-only, hash-chained record of everything that was decided and done. */

import type { CorrectionEnd } from '../domain/changes/convergence-words.ts';
import type { WorkerName } from '../domain/fleet/agent-names.ts';
import type { Sha256 } from '../domain/ledger/hash.ts';
import type {
  ChainProblem,
  EntryKind,
  EntryOf,
  LedgerEntry,
  NewEntry,
} from '../domain/ledger/ledger-entry.ts';
import type { RunRequest, RunSummary } from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import type { SubjectState } from '../domain/ledger/subject-state.ts';
import type { Usage } from '../domain/models/budget.ts';

/** Proof that the writer still holds the subject; an entry written with an old token is refused. */
export interface Fence {
  readonly subject: Subject;
  readonly token: number;
}

export interface VerifyReport {
  readonly subjects: number;
  readonly entries: number;
  readonly problems: readonly ChainProblem[];
}

/** An entry with its place among all that were written. */
export interface News {
  /** Only grows: a reader that has seen this position has seen everything before it. */
  readonly position: number;
  readonly entry: LedgerEntry;
}

/** What a decision may be about long after the event was settled, without any run for it. */
export type ToldKind = 'labeled' | 'pull-request-dequeued';

export interface Ledger {
  /**
   * Appends entries in one transaction. Fails with `ledger-conflict` when an entry of the same kind and key exists,
   * and with `lease-lost` when the fence is out of date; then nothing is written.
   */
  append(entries: readonly NewEntry[], fence?: Fence): Promise<LedgerEntry[]>;
  /**
   * Appends those entries of which none of the same kind and key exists, in one transaction, and says of each whether it
   * was; null stands for one that was there. Fails with `lease-lost` as `append` does.
   */
  appendNew(entries: readonly NewEntry[], fence?: Fence): Promise<(LedgerEntry | null)[]>;
  /** Of each entry, whether `appendNew` would leave it out now. Asked first, it saves texts and a transaction. */
  areKnown(entries: readonly NewEntry[]): Promise<boolean[]>;
  /**
   * Keeps an entry in memory until the next append, which writes it first and in the same transaction; an entry whose
   * kind and key exist by then is left out. It is lost if the process dies before, so it is only for entries that a
   * resumed run would record again.
   */
  defer(entry: NewEntry, fence: Fence): void;
  /** The entry of a kind with that key, if it exists. */
  find<K extends EntryKind>(kind: K, key: string): Promise<EntryOf<K> | null>;
  /** Entries of one run, oldest first. */
  readRun(run: string): Promise<LedgerEntry[]>;
  /** Entries of one subject, oldest first. */
  readSubject(subject: Subject): Promise<LedgerEntry[]>;
  /** Those of them after a sequence number (0: from the beginning), at most so many. */
  readPart(subject: Subject, after: number, limit: number): Promise<LedgerEntry[]>;
  /**
   * Entries about a repository in the order in which they were written, after a position (0: from the beginning). Runs
   * that only try something are left out.
   */
  readNews(repository: string, after: number, limit: number): Promise<News[]>;
  /** The position of the newest entry of all; 0 when there is none. */
  readPosition(): Promise<number>;
  /** Those of them that belong to a run: without the events, of which a subject may have any number. */
  readWork(subject: Subject): Promise<LedgerEntry[]>;
  /** The newest refusals about a subject, newest first. */
  readRefusals(subject: Subject, limit: number): Promise<EntryOf<'event-refused'>[]>;
  /** Events of one kind about a subject, oldest first; however many others there are, it costs the same. */
  readTold(subject: Subject, kind: ToldKind): Promise<EntryOf<'event-received'>[]>;
  /**
   * What `foldChain` makes of the entries of a subject. Kept with them, in the same transaction, so that it costs the same
   * however many there are; one that is missing, of another version or not ours is made from the entries.
   */
  readState(subject: Subject): Promise<SubjectState>;
  /** Recomputes the chain of one subject, or of all. */
  verify(subject?: Subject): Promise<VerifyReport>;
  /** Makes anew what is kept beside the entries and follows from them; says in how many places it differed. */
  rebuildProjections(): Promise<number>;
  /** Subjects that have entries, most recent first. */
  listSubjects(): Promise<Subject[]>;

  /** Keeps a text under its hash, at the latest when an entry is appended. */
  putText(text: string): Promise<Sha256>;
  /** The text with that hash; fails with `internal` when it was never kept. */
  getText(hash: Sha256): Promise<string>;

  /** What models used: in one run, for one subject (of an issue also for the brief that it came of), and since a moment. */
  readUsage(
    run: string,
    subject: Subject,
    since: string,
  ): Promise<Readonly<Record<'run' | 'issue' | 'day', Usage>>>;
}

/** A gate without an answer, as lists show it. */
export interface OpenGate {
  readonly run: RunSummary;
  readonly question: EntryOf<'gate-asked'>['data']['question'];
  readonly askedAt: string;
}

/** An event that is not settled yet. */
export interface OpenEvent {
  readonly delivery: string;
  readonly subject: Subject;
  /** Hash of the event itself. */
  readonly event: Sha256;
  readonly receivedAt: string;
}

/**
 * A plan that waits for an answer, a loop that goes on only when a person says so, a pull request that is not merged
 * before a person does something about it, or work that a person cancelled.
 */
export interface Waiting {
  readonly subject: Subject;
  readonly what: 'plan' | 'continue' | 'fix' | 'conflict' | 'merge' | 'cancelled';
  readonly at: string;
  /** Of a merge: what a person can change, and how. */
  readonly unmet?: EntryOf<'merge-waits'>['data']['unmet'];
  /** Of corrections that came to nothing before their limit. */
  readonly because?: CorrectionEnd;
  /** Of cancelled work. */
  readonly cancelled?: { readonly run: string; readonly agent: WorkerName; readonly by: string };
  /** The name by which people call the agent; null in entries from before it was kept. */
  readonly handle: string | null;
}

/** What was spent, and how much of it is only the most that it can have been. */
export interface Cost {
  readonly usd: number;
  readonly atMostUsd: number;
  /** Whether a model without a known price took part: its cost is in no number. */
  readonly hasUnpriced?: boolean;
}

/** Which runs are wanted. What is not said is not looked at. */
export interface RunFilter {
  /** Of the forge, such as `owner/name`. */
  readonly repository?: string;
  /** The folder of the work tree. */
  readonly root?: string;
  readonly subject?: Subject;
  readonly workflows?: readonly RunRequest['workflow'][];
  /** How the id begins. */
  readonly idPrefix?: string;
  /** The number of the issue or pull request that it is about, once there is one. */
  readonly issue?: number;
  /** Short names, of which it has one; runs of agents have none. */
  readonly slugs?: readonly string[];
  /** The brief as the run names it. */
  readonly brief?: string;
  /** Those that were done before this moment are left out; `never` leaves out everything that is done. */
  readonly doneSince?: string | 'never';
}

export interface OpenEventFilter extends Pick<RunFilter, 'repository' | 'subject'> {
  /** What is left out. */
  readonly without?: { readonly subjects: readonly Subject[]; readonly deliveries: readonly string[] };
}

/** Part of a list. */
export interface Page {
  readonly limit: number;
  /** The last run of the page before; the list goes on with what was begun before it. */
  readonly before?: string;
}

/** What lists and status screens read. Separate from the ledger so that they load next to nothing. */
export interface RunViews {
  /** Events that were received and are not settled, oldest first: with what was cut off. */
  listOpenEvents(filter?: OpenEventFilter, limit?: number): Promise<OpenEvent[]>;
  findRun(id: string): Promise<RunSummary | null>;
  /** Newest first. */
  listRuns(filter?: RunFilter, page?: Page): Promise<RunSummary[]>;
  /** Of each agent, its last run in a repository. */
  listLastRuns(repository: string): Promise<RunSummary[]>;
  listOpenGates(filter?: Pick<RunFilter, 'subject'>): Promise<OpenGate[]>;
  /** Oldest first. Only the forge knows whether an issue was closed since. */
  listWaiting(): Promise<Waiting[]>;
  /** Repositories that have another name on the forge than here: the newest of each. */
  listRenamed(): Promise<readonly { readonly repository: string; readonly name: string }[]>;
  /** How many runs of each workflow were done since a moment, without dry runs; of one repository or of all. */
  countDone(
    since: string,
    repository?: string,
  ): Promise<Readonly<Partial<Record<RunRequest['workflow'], number>>>>;
  costSince(since: string, repository?: string): Promise<Cost>;
}
