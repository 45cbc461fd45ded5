/**
 * An agent's context that writes every call to a tape. Calls that another call makes inside are not written: when the run is
 * played again, the outer call gives the answer. Work that the agent itself hands over (to build an effect, to be done
 * once, under a lease) is the agent's, and its calls are written.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentContext } from '../../agents/agent.ts';
import type { Json } from '../../domain/ledger/hash.ts';
import type { TapeCall, TapeEnd } from '../../domain/recordings/tape.ts';
import { encodeValue } from '../../domain/recordings/tape-values.ts';
import { toGatewrightError } from '../../errors.ts';

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

class Recorder {
  readonly #write: Write;
  readonly #isInside = new AsyncLocalStorage<boolean>();
  #count = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Makes the call, and writes it down when it has ended. */
  observe(
    port: string,
    method: string,
    args: readonly unknown[],
    call: () => unknown,
    built?: () => Json,
  ): unknown {
    if (this.#isInside.getStore() === true) return call();
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

  /** A piece of the agent's own work inside of a call. */
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

function recordEffects(recorder: Recorder, effects: AgentContext['effects']): AgentContext['effects'] {
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

export function recordContext(context: AgentContext, write: Write): AgentContext {
  const recorder = new Recorder(write);
  return {
    ...context,
    forge: recorder.port('forge', context.forge),
    trees: recorder.port('trees', context.trees),
    workspaces: recorder.port('workspaces', context.workspaces),
    templates: recorder.port('templates', context.templates),
    transport: recorder.port('transport', context.transport),
    commands: recorder.port('commands', context.commands),
    views: recorder.port('views', context.views),
    ledger: recorder.port('ledger', context.ledger),
    models: recorder.port('models', context.models),
    // The words of today's prompts are used when the run is played again.
    prompts: recorder.port('prompts', context.prompts, (method) => method === 'render'),
    effects: recordEffects(recorder, context.effects),
    record: (entry) =>
      recorder.observe('context', 'record', [entry], () => context.record(entry)) as Promise<void>,
    once: <T>(step: string, produce: () => Promise<T>) => {
      let isDone = false;
      const watched = (): Promise<T> => {
        isDone = true;
        return recorder.own(produce);
      };
      return recorder.observe(
        'context',
        'once',
        [step],
        () => context.once(step, watched),
        () => isDone,
      ) as Promise<T>;
    },
    withLease: <T>(
      subject: Parameters<AgentContext['withLease']>[0],
      work: (check: () => Promise<void>) => Promise<T>,
    ) =>
      recorder.observe('context', 'withLease', [subject], () =>
        context.withLease(subject, (check) => recorder.own(() => work(check))),
      ) as Promise<T>,
  };
}
