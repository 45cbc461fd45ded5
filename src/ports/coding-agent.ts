/**
 * A coding agent works in a folder: it reads and changes files there and may run the commands it is given. Its result
 * is returned as data. It never holds a credential of the forge, and nothing it says counts without a check.
 */
import type { z } from 'zod';
import type { Usage } from '../domain/models/budget.ts';
import type { Price } from '../domain/models/model-price.ts';
import type { ReadGrant } from './sandbox.ts';

/** What it may do. Everything that is not listed is denied, and the denial is part of the report. */
export type CodingTools =
  /** Reading and searching below the folder. */
  | { readonly mode: 'plan' }
  /** Also changing files below the folder, and running these commands (`npm test`, `npm run *`). */
  | { readonly mode: 'implement'; readonly commands: readonly string[] };

export interface CodingTask {
  /** What it is asked to be, such as `coder`. */
  readonly role: string;
  /** Which call of that role in this run it is, counted from 1. */
  readonly call: number;
  /** The worktree, an absolute path. */
  readonly folder: string;
  /** The commit that the worktree is a copy of; missing where no files of it count. */
  readonly start?: string;
  /** Ours: how to work. */
  readonly instructions: string;
  /** What to do. The caller that writes it fences text from outside. */
  readonly task: string;
  readonly tools: CodingTools;
  /** What it and its commands may read beside the folder and the system, where they run in a sandbox. */
  readonly readable?: readonly ReadGrant[];
  /** Model turns, over all attempts together. */
  readonly turnLimit: number;
  /** USD at list prices, over all attempts together; it stops at the first turn that goes beyond. */
  readonly costLimitUsd?: number;
  /** Bounds the whole work, over all attempts together. */
  readonly limitMilliseconds: number;
  readonly signal?: AbortSignal;
  /** Called while the coding agent works. The reported text is free of secrets but otherwise untrusted. */
  readonly onProgress?: (progress: CodingProgress) => void;
}

export interface CodingProgress {
  /** Model turns so far in this attempt. */
  readonly turns: number;
  /** The tool that it uses, if any. */
  readonly tool: string | null;
  /** The file or command that the tool is used on; a path below the folder is shown relative to it. */
  readonly target: string | null;
  /** The beginning of what it says, if anything. */
  readonly text: string | null;
  /** What it has used so far in this attempt, as far as can be seen. */
  readonly usage?: Usage;
}

export interface CodingUsage extends Usage {
  /** Parts of `inputTokens`. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** `crash` is a process that ended without a result; `garbage` a result that cannot be read or does not fit the schema. */
export type CodingFailure =
  | 'timeout'
  | 'aborted'
  | 'crash'
  | 'garbage'
  | 'overload'
  /** The cost limit was reached. */
  | 'budget'
  | 'not-authenticated'
  | 'not-installed'
  | 'unknown-model'
  | 'wrong-model';

export type CodingOutcome<T> =
  /** `object` is null when no schema was asked for. */
  | { readonly kind: 'finished'; readonly text: string; readonly object: T | null }
  | { readonly kind: 'turns-exhausted' }
  /** `until` is when to try again: as the provider said, else a guess; null when there is none. */
  | { readonly kind: 'quota'; readonly until: string | null }
  /** The model would not do it, or everything it wanted to do was denied. */
  | { readonly kind: 'refused'; readonly by: 'model' | 'permissions'; readonly detail: string }
  | {
      readonly kind: 'failed';
      readonly why: CodingFailure;
      readonly detail: string;
      /** The fields of the answer that are wrong, each with what was expected. */
      readonly problems?: readonly string[] | undefined;
    };

export interface PermissionDenial {
  readonly tool: string;
  readonly target: string;
}

/** One attempt with one credential. */
export interface CodingAttempt<T> {
  /** Name of the credential, never the secret. */
  readonly credential: string;
  readonly outcome: CodingOutcome<T>;
  readonly usage: CodingUsage;
  /** Empty when it never began. */
  readonly sessionId: string;
  /** The model that did most of the work, as the provider says; empty when none answered. */
  readonly reportedModel: string;
  readonly denials: readonly PermissionDenial[];
  readonly milliseconds: number;
}

/** The last attempt is what came of the work; the earlier ones are there so that their usage can be recorded too. */
export interface CodingReport<T> extends CodingAttempt<T> {
  readonly earlier: readonly CodingAttempt<T>[];
}

export interface CodingAgent {
  /** As it was asked for: `provider:model`. */
  readonly name: string;
  readonly family: string;
  /** Null when it is not known. */
  readPrice(): Promise<Price | null>;
  /** It only plays back a recording: nothing is paid, no matter how it ends. */
  readonly isFree?: true;
  /** The name of it on a screen. */
  readonly title: string;
  /** What stands in the way of using it, found without paying for a call; null when nothing does. */
  checkReady(): Promise<string | null>;
  /** Works until it is done, cannot go on, or is stopped. Rejects only for mistakes of the caller. */
  work<T>(task: CodingTask, schema: z.ZodType<T> | null): Promise<CodingReport<T>>;
}
