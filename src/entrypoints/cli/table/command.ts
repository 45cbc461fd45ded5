/** One table describes every command; parsing, help, completion and the reference page all read it. */
import type { App } from '../app.ts';

export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value; absent for a switch. */
  readonly value?: string;
  readonly about: string;
  /** The only values allowed. */
  readonly oneOf?: readonly string[];
  readonly repeatable?: boolean;
}

interface Argument {
  readonly name: string;
  readonly about: string;
  readonly isOptional?: boolean;
  /** Takes all that follow; only the last argument can. */
  readonly isRepeated?: boolean;
  readonly oneOf?: readonly string[];
}

/** Options and arguments as they were given. */
export interface Given {
  readonly args: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | null;
  texts(name: string): readonly string[];
  /** A whole number of at least 1. */
  count(name: string): number | null;
}

export type Handler = (app: App, given: Given) => Promise<number>;

export interface Command {
  /** The words that call it, such as `ledger verify`. */
  readonly name: string;
  readonly about: string;
  readonly more?: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly examples?: readonly (readonly [command: string, about: string])[];
  /** Loads the code that does it; loaded only when it is called. */
  readonly load: () => Promise<Handler>;
}
