/** The entries of the ledger and the chain that ties them together. */

import type { ErrorCode } from '../../errors.ts';
import type { GateAnswer, GateQuestion } from '../drafts/gate.ts';
import type { Decision } from '../drafts/verdict.ts';
import type { Usage } from '../models/budget.ts';
import type { Grant } from '../models/open-grants.ts';
import type { Denials } from './denial.ts';
import type { Effect, EffectResults } from './effect.ts';
import type { LearningEntryData } from './entries/learning-entries.ts';
import type { LoopEntryData } from './entries/loop-entries.ts';
import type { PipelineEntryData } from './entries/pipeline-entries.ts';
import type { FleetEntryData, Handoff } from './fleet-entries.ts';
import { canonicalJson, type Json, type Sha256, sha256 } from './hash.ts';
import type { RunRequest, RunResult, RunStatus, StopReason } from './run.ts';
import type { Subject } from './subject.ts';

/** What each kind of entry records. */
export interface EntryData extends FleetEntryData, LoopEntryData, PipelineEntryData, LearningEntryData {
  'run-started': { readonly request: RunRequest };
  /** A person changed the brief while its run waited; the run goes on with the new text. */
  'brief-changed': { readonly brief: Sha256; readonly previous: Sha256 };
  'run-resumed': {
    readonly from: RunStatus;
    /** The fleet resumed it, and may do so again by itself when it stops; missing when a person did. */
    readonly isByFleet?: true;
    readonly drafter?: string;
    readonly reviewer?: string;
    /** Where its folder is from here on, if the folder was moved. */
    readonly root?: string;
    /** The file that the run is recorded to from here on. */
    readonly record?: string;
  };
  'run-stopped': { readonly status: Exclude<RunStatus, 'running' | 'done'>; readonly reason: StopReason };
  'run-ended': {
    readonly reason: StopReason;
    readonly result: RunResult | null;
    /** What other agents are to do next; each becomes an event of its own. */
    readonly handoffs?: readonly Handoff[];
    /** Of a run that a person cancelled: the name by which people call the agent. */
    readonly handle?: string;
  };
  /** The run and its lineage were given up so that its name can be used anew. */
  'run-dropped': { readonly why: string };
  /** A person put a stopped run aside: lists of what waits leave it out until it is resumed. */
  'run-dismissed': { readonly by: string };
  'node-begun': { readonly node: string; readonly step: number };
  /** The names of the files that the repository had; noted when they are first looked at and when they changed. */
  'files-listed': { readonly files: Sha256; readonly count: number };
  'independence-waived': { readonly drafter: string; readonly reviewer: string; readonly why: string };
  'prompt-sent': {
    readonly role: string;
    readonly model: string;
    readonly prompt: Sha256;
    readonly instructions: Sha256;
    /** Missing where nothing is paid. */
    readonly grant?: Grant;
  };
  /** What a coding agent has used so far: if its process is killed, no entry at the end says it. */
  'work-metered': { readonly role: string; readonly model: string; readonly grant: Grant };
  'model-answered': {
    readonly role: string;
    readonly model: string;
    readonly reportedModel: string;
    readonly answer: Sha256;
    readonly usage: Usage;
    readonly milliseconds: number;
    /** The run that the answer was taken over from; then nothing was sent and nothing was paid. */
    readonly takenFrom?: string;
    /** With it, what would have been sent. */
    readonly prompt?: Sha256;
    /** What it was granted by, which ends with it. */
    readonly grant?: Pick<Grant, 'id'>;
    /** What a coding agent was not allowed to do; missing when there was nothing. */
    readonly denials?: Denials;
  };
  /** A call that gave no answer to use, and what it cost all the same. */
  'model-failed': {
    readonly role: string;
    readonly model: string;
    readonly reportedModel: string;
    /** Name of the credential, never the secret. */
    readonly credential: string;
    readonly why: ErrorCode;
    readonly usage: Usage;
    readonly denials?: Denials;
    /** The provider did not report the cost: this is the most that it can have been. */
    readonly isAtMost?: true;
    readonly grant?: Pick<Grant, 'id'>;
  };
  verdict: {
    readonly decision: Decision;
    readonly by: string;
    readonly prompt: Sha256;
    readonly draft: Sha256;
    readonly verdict: Sha256;
    readonly blocking: number;
    /** The run that it was given in, for this very draft. */
    readonly takenFrom?: string;
  };
  'gate-asked': { readonly question: GateQuestion };
  'gate-answered': { readonly gate: string; readonly answer: GateAnswer };
  'effect-intended': { readonly effect: Effect; readonly dryRun: boolean };
  'effect-receipted': { readonly result: EffectResults[keyof EffectResults]; readonly found: boolean };
  'effect-failed': { readonly code: ErrorCode; readonly message: string };
}

export type EntryKind = keyof EntryData;

export type NewEntry = {
  [K in EntryKind]: {
    readonly subject: Subject;
    readonly kind: K;
    readonly run: string;
    readonly actor: string;
    readonly data: EntryData[K];
    /** Makes the entry unique among its kind: a second one with the same key is refused. */
    readonly key?: string;
  };
}[EntryKind];

export type LedgerEntry = NewEntry & {
  readonly seq: number;
  readonly at: string;
  readonly previous: Sha256;
  readonly hash: Sha256;
};

export type EntryOf<K extends EntryKind> = Extract<LedgerEntry, { kind: K }>;

/** The hash before the first entry of a chain. */
export const chainStart: Sha256 = '0'.repeat(64);

/** What is hashed of an entry: everything but the hash itself. */
export interface HashedFields {
  readonly subject: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly run: string;
  readonly actor: string;
  readonly key: string | null;
  /** The data as it is stored, so that verifying needs no re-serialising. */
  readonly data: string;
  readonly previous: Sha256;
}

/** Of the canonical JSON of these fields, put together by hand: a ledger is verified entry by entry, and has many. */
export function hashEntry({ subject, seq, at, kind, run, actor, key, data, previous }: HashedFields): Sha256 {
  const text = (value: string | number | null): string => JSON.stringify(value);
  return sha256(
    `{"actor":${text(actor)},"at":${text(at)},"data":${text(data)},"key":${text(key)},"kind":${text(kind)},` +
      `"previous":${text(previous)},"run":${text(run)},"seq":${text(seq)},"subject":${text(subject)}}`,
  );
}

export function serialiseData(data: NewEntry['data']): string {
  return canonicalJson(data as unknown as Json);
}

export interface ChainProblem {
  readonly subject: Subject;
  /** Sequence number of the entry that is wrong, or where the missing one should be. */
  readonly seq: number;
  readonly kind: string;
  /** `projection`: what is kept beside the ledger, and follows from it, says something else. */
  readonly problem: 'changed' | 'removed' | 'reordered' | 'head' | 'projection';
  readonly explanation: string;
}
