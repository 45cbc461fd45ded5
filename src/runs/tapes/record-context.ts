/**
 * The context of an agent or a workflow that writes every call to a tape. Calls that another call makes inside are not
 * written: when the run is played again, the outer call gives the answer. Work that the run itself hands over (to build an
 * effect, to be done once, under a lease) is the run's, and its calls are written.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json } from '../../domain/ledger/hash.ts';
import type { TapeCall, TapeEnd } from '../../domain/recordings/tape.ts';
import { encodeValue } from '../../domain/recordings/tape-values.ts';
import { toGatewrightError } from '../../errors.ts';
import type { Effects } from '../../ports/effects.ts';
import { type ContextPort, contextPorts } from './context-ports.ts';

type Call = (...args: readonly unknown[]) => unknown;
type Write = (call: TapeCall) => void;

/** How a call or a run ended. */
export function encodeError(error: unknown): TapeEnd {
  const { code, message, hint, until, details, output } = toGatewrightError(error);
  return {
    error: {
      ...{ code, message, hint, details: [...details] },
      ...(until === null ? {} : { until }),
      ...(output === null ? {} : { output }),
    },
  };
}

export class Recorder {
  readonly #write: Write;
  readonly #isOn: () => boolean;
  readonly #isInside = new AsyncLocalStorage<boolean>();
  #count = 0;

  /** @param isOn false before that which is recorded begins */
  constructor(write: Write, isOn: () => boolean = () => true) {
    this.#write = write;
    this.#isOn = isOn;
  }

  /** Makes the call, and writes it down when it has ended. */
  observe(
    port: string,
    method: string,
    args: readonly unknown[],
    call: () => unknown,
    built?: () => Json,
  ): unknown {
    if (this.#isInside.getStore() === true || !this.#isOn()) return call();
    const at = this.#count;
    this.#count += 1;
    const told = { at, port, method, args: args.map((one) => encodeValue(one)) };
    const note = (end: TapeEnd): void => {
      const made = built?.();
      this.#write({ ...told, ...end, ...(made === undefined ? {} : { built: made }) });
    };
    const fail = (error: unknown): never => {
      note(encodeError(error));
      throw error;
    };
    try {
      const result = this.#isInside.run(true, call);
      if (!(result instanceof Promise)) {
        note({ value: encodeValue(result) });
        return result;
      }
      return result.then((value: unknown) => {
        note({ value: encodeValue(value) });
        return value;
      }, fail);
    } catch (error) {
      return fail(error);
    }
  }

  /** A piece of the run's own work inside of a call. */
  own<T>(work: () => T): T {
    return this.#isInside.run(false, work);
  }

  port<P extends object>(name: string, port: P, isLeftOut: (method: string) => boolean = () => false): P {
    return new Proxy(port, {
      get: (target, method) => {
        const found: unknown = Reflect.get(target, method, target);
        if (typeof found !== 'function' || typeof method !== 'string') return found;
        const call = found as Call;
        if (isLeftOut(method)) return call.bind(target);
        return (...args: readonly unknown[]) =>
          this.observe(name, method, args, () => call.apply(target, [...args]));
      },
    });
  }
}

type Members = Readonly<Record<string, unknown>>;

function recordEffects(recorder: Recorder, effects: Effects): Effects {
  return {
    momentOf: (key) =>
      recorder.observe('effects', 'momentOf', [key], () => effects.momentOf(key)) as Promise<Date | null>,
    perform: (key, kind, build) => {
      let made: Json | undefined;
      const watched = async () => {
        const effect = await recorder.own(build);
        made = encodeValue(effect);
        return effect;
      };
      const perform = () => effects.perform(key, kind, watched);
      return recorder.observe('effects', 'perform', [key, kind], perform, () => made ?? null) as ReturnType<
        typeof perform
      >;
    },
  };
}

/** Members that are calls themselves. Some take a piece of the run's own work. */
function recordCalls(recorder: Recorder, { record, note, handOn, once, withLease }: Members): Members {
  const plain = (name: string, call: unknown): Members =>
    typeof call === 'function'
      ? {
          [name]: (...args: readonly unknown[]) =>
            recorder.observe('context', name, args, () => (call as Call)(...args)),
        }
      : {};
  const recordOnce = (step: string, produce: () => unknown): unknown => {
    let isDone = false;
    const watched = (): unknown => {
      isDone = true;
      return recorder.own(produce);
    };
    const call = (): unknown => (once as Call)(step, watched);
    return recorder.observe('context', 'once', [step], call, () => isDone);
  };
  const recordLease = (subject: string, work: (check: unknown) => unknown): unknown =>
    recorder.observe('context', 'withLease', [subject], () =>
      (withLease as Call)(subject, (check: unknown) => recorder.own(() => work(check))),
    );
  return {
    ...plain('record', record),
    ...plain('note', note),
    ...plain('handOn', handOn),
    ...(once === undefined ? {} : { once: recordOnce }),
    ...(withLease === undefined ? {} : { withLease: recordLease }),
  };
}

function isLeftOut(port: ContextPort, method: string): boolean {
  // The words of today's prompts are used when the run is played again.
  return port === 'prompts' && method === 'render';
}

export function recordContext<C extends { readonly effects: object }>(context: C, recorder: Recorder): C {
  const members = context as unknown as Members;
  const ports = contextPorts.filter((name) => members[name] !== undefined);
  return {
    ...context,
    ...Object.fromEntries(
      ports.map((name) => [
        name,
        recorder.port(name, members[name] as object, (method) => isLeftOut(name, method)),
      ]),
    ),
    effects: recordEffects(recorder, context.effects as Effects),
    ...recordCalls(recorder, members),
  };
}
