/** A model that answers a prompt, in text or in a schema. It gets text and returns data; it can do nothing else. */
import type { z } from 'zod';
import type { Usage } from '../domain/models/budget.ts';
import type { Price } from '../domain/models/model-price.ts';
import type { ErrorCode } from '../errors.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Later requests of this role in the same run begin with the same messages up to this one: it is worth caching. */
  readonly isKept?: true;
}

/** A try that gave no answer to use: what it cost all the same, and why it was not used. */
export interface SpentAttempt {
  /** Name of the credential, never the secret. */
  readonly credential: string;
  /** Empty when none answered. */
  readonly reportedModel: string;
  readonly usage: Usage;
  readonly why: ErrorCode;
}

export interface ModelRequest {
  /** What it is asked to be: `drafter`, `reviewer`. */
  readonly role: string;
  /** Which call of that role in this run it is, counted from 1. */
  readonly call: number;
  readonly instructions: string;
  /** What is kept grows at its end only, so that providers' prompt caches hit. */
  readonly messages: readonly Message[];
  /** Turns at most, where a model may take several to answer; one that answers in a single call has no use for it. */
  readonly turnLimit?: number;
  /** The same facts as data, for the built-in rules, which read no prose. */
  readonly material?: Readonly<Record<string, string>>;
  /** Ends the call with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called for every try whose answer is not the one that is returned, before the call ends. */
  readonly onSpent?: (attempt: SpentAttempt) => void;
}

export interface ModelAnswer<T> {
  readonly value: T;
  /** The model that the provider says has answered. */
  readonly reportedModel: string;
  readonly usage: Usage;
}

export interface Model {
  /** As it was asked for: `provider:model`. */
  readonly name: string;
  /** Null when it is a set of rules and no model. */
  readonly family: string | null;
  /** Null when it is not known. */
  readPrice(): Promise<Price | null>;
  /** It only plays back a recording: nothing is paid, no matter how it ends. */
  readonly isFree?: true;
  /** The name of it on a screen, such as "Gemini" or "the built-in checklist". */
  readonly title: string;
  /** What stands in the way of using it, found without paying for a call; null when nothing does. */
  checkReady(): Promise<string | null>;
  answerText(request: ModelRequest): Promise<ModelAnswer<string>>;
  answerObject<T>(request: ModelRequest, schema: z.ZodType<T>): Promise<ModelAnswer<T>>;
}

/** What models cost, by what is known here. */
interface Prices {
  /** @param model as it is configured, `provider:model`; null when its price is not known */
  find(model: string): Price | null;
}

/** Loaded when the first model is asked: a catalogue is large. */
export type LoadPrices = () => Promise<Prices>;
