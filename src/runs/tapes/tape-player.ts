/** Answers from a tape what a run asks, and compares what the run does with what it did. */
import { canonicalJson, type Json } from '../../domain/ledger/hash.ts';
import { keyOfCall, promptOfCall, type TapeCall, type TapedError } from '../../domain/recordings/tape.ts';
import { decodeValue, encodeValue } from '../../domain/recordings/tape-values.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';

/** An effect, an entry of the ledger or a gate, compared with the recorded one. */
export interface Compared {
  readonly name: string;
  /** `extra`: the recorded run did not do it. */
  readonly state: 'same' | 'differs' | 'missing' | 'extra';
}

export function decodeError({ code, message, hint, until, details, output }: TapedError): GatewrightError {
  return new GatewrightError(code as ErrorCode, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(until === undefined ? {} : { until }),
    ...(details === undefined ? {} : { details }),
    ...(output === undefined ? {} : { output }),
  });
}

/** In words, short enough for a line. */
function nameOf({ port, method, args }: Named): string {
  const text = args.map((one) => canonicalJson(one)).join(', ');
  return `${port}.${method}(${text.length > 160 ? `${text.slice(0, 160)}…` : text})`;
}

type Named = Pick<TapeCall, 'port' | 'method' | 'args'>;

interface TapedEntry {
  readonly kind?: string;
  readonly key?: string;
  readonly data?: { readonly node?: string };
}

/** What is compared, and what a person calls it. */
const nameOfCompared: Readonly<Record<string, (args: Named['args']) => string>> = {
  'effects.perform': ([key, kind]) => `effect ${String(kind)} ${String(key)}`,
  'context.record': ([entry]) => {
    const { kind, key } = (entry ?? {}) as TapedEntry;
    return `entry ${kind ?? ''} ${key ?? ''}`;
  },
  'context.note': ([entry]) => {
    const { key, data } = (entry ?? {}) as TapedEntry;
    return `node ${data?.node ?? ''} ${key ?? ''}`;
  },
  'context.handOn': () => 'handed on to agents',
  'gates.answer': ([question]) => {
    const { id, kind } = (question ?? {}) as { readonly id?: string; readonly kind?: string };
    return `gate ${kind ?? ''} ${id ?? ''}`;
  },
};

function isCompared({ port, method }: Named): boolean {
  return Object.hasOwn(nameOfCompared, `${port}.${method}`);
}

function describeCompared({ port, method, args }: Named): string {
  return nameOfCompared[`${port}.${method}`]?.(args) ?? nameOf({ port, method, args });
}

export class TapePlayer {
  readonly compared: Compared[] = [];
  readonly changedPrompts: string[] = [];
  /** The first call that the recorded run did not make; what the run does after it means nothing. */
  mismatch: GatewrightError | null = null;
  readonly #waiting = new Map<string, TapeCall[]>();
  /** What the replay did as well, compared or not. */
  readonly #met = new Set<string>();
  readonly #calls: readonly TapeCall[];
  /** Calls that were not made yet. */
  readonly #open = new Set<TapeCall>();
  #left: number;

  constructor(calls: readonly TapeCall[]) {
    this.#calls = calls;
    this.#left = 1_000 + 10 * calls.length;
    for (const call of [...calls].sort((a, b) => a.at - b.at)) {
      const key = keyOfCall(call.port, call.method, call.args);
      const list = this.#waiting.get(key) ?? [];
      list.push(call);
      this.#open.add(call);
      this.#waiting.set(key, list);
    }
  }

  /** The recorded call; the last one of its kind answers as often as it is asked. */
  take(port: string, method: string, args: readonly unknown[]): TapeCall {
    const told = args.map((one) => encodeValue(one));
    this.#left -= 1;
    // Answers that were made up can keep a run asking for ever.
    if (this.#left < 0) throw this.#refuse({ port, method, args: told });
    const list = this.#waiting.get(keyOfCall(port, method, told)) ?? [];
    const found = list.length > 1 ? list.shift() : list[0];
    if (found === undefined) throw this.#refuse({ port, method, args: told });
    this.#open.delete(found);
    this.#met.add(describeCompared(found));
    const [now, then] = [promptOfCall(port, method, told), promptOfCall(port, method, found.args)];
    if (now !== then) this.changedPrompts.push(keyOfCall(port, method, told));
    return found;
  }

  has(port: string, method: string, args: readonly unknown[]): boolean {
    return this.#waiting.has(
      keyOfCall(
        port,
        method,
        args.map((one) => encodeValue(one)),
      ),
    );
  }

  #refuse(call: Named): GatewrightError {
    if (this.mismatch !== null) return this.mismatch;
    if (isCompared(call)) this.compared.push({ name: describeCompared(call), state: 'extra' });
    this.mismatch = new GatewrightError(
      'cassette-mismatch',
      `The run now asks ${nameOf(call)}, which the recorded run did not ask.`,
      {
        hint: 'It decides otherwise than the version that was recorded; compare what it did until here.',
      },
    );
    return this.mismatch;
  }

  compare(call: TapeCall, now: Json, then: Json): void {
    if (this.mismatch !== null) return;
    const state = canonicalJson(now) === canonicalJson(then) ? 'same' : 'differs';
    this.compared.push({ name: describeCompared(call), state });
  }

  /** What the recorded run did and the replay did not. */
  listMissing(): Compared[] {
    return this.#calls
      .filter(isCompared)
      .map(describeCompared)
      .filter((name) => !this.#met.has(name))
      .map((name) => ({ name, state: 'missing' }));
  }

  answer({ value, error }: Pick<TapeCall, 'value' | 'error'>): unknown {
    if (error !== undefined) throw decodeError(error);
    return decodeValue(value ?? null);
  }

  /**
   * Whether everything was done again up to where a tape was cut off: a call is written when it has ended, so the first
   * number that is missing is a call that was under way then, and what was begun after it may be work inside of it.
   */
  get isAtEnd(): boolean {
    const numbers = new Set(this.#calls.map(({ at }) => at));
    let first = 0;
    while (numbers.has(first)) first += 1;
    return [...this.#open].every(({ at }) => at > first);
  }

  /** `synchronous` are methods that return their answer at once. */
  port<P extends object>(
    name: string,
    synchronous: readonly string[] = [],
    fixed: Readonly<Record<string, unknown>> = {},
  ): P {
    const play = (method: string, args: readonly unknown[]): unknown =>
      this.answer(this.take(name, method, args));
    return new Proxy({} as P, {
      get: (_, method) => {
        // A promise would be asked for `then`.
        if (typeof method !== 'string' || method === 'then') return undefined;
        if (Object.hasOwn(fixed, method)) return fixed[method];
        if (synchronous.includes(method)) return (...args: readonly unknown[]) => play(method, args);
        return async (...args: readonly unknown[]) => play(method, args);
      },
    });
  }
}
