/** An agent's context in which a tape gives every answer. Nothing outside is read or changed. */
import type { AgentContext } from '../../agents/agent.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import type { FleetSettings } from '../../domain/fleet/fleet-settings.ts';
import { canonicalJson, type Json } from '../../domain/ledger/hash.ts';
import type { AgentRequest } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import {
  keyOfCall,
  promptOfCall,
  type Tape,
  type TapeCall,
  type TapedError,
} from '../../domain/recordings/tape.ts';
import { decodeValue, encodeValue } from '../../domain/recordings/tape-values.ts';
import { type ErrorCode, GatewrightError } from '../../errors.ts';
import type { Prompts } from '../../ports/prompts.ts';

/** An effect or an entry of the ledger, compared with the recorded one. */
export interface Compared {
  readonly name: string;
  /** `extra`: the recorded run did not do it. */
  readonly state: 'same' | 'differs' | 'missing' | 'extra';
}

function decodeError({ code, message, hint, until, details, output }: TapedError): GatewrightError {
  return new GatewrightError(code as ErrorCode, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(until === undefined ? {} : { until }),
    ...(details === undefined ? {} : { details }),
    ...(output === undefined ? {} : { output }),
  });
}

/** In words, short enough for a line. */
function nameOf({ port, method, args }: Pick<TapeCall, 'port' | 'method' | 'args'>): string {
  const text = args.map((one) => canonicalJson(one)).join(', ');
  return `${port}.${method}(${text.length > 160 ? `${text.slice(0, 160)}…` : text})`;
}

const comparedCalls: ReadonlySet<string> = new Set(['effects.perform', 'context.record']);

function describeCompared({ port, method, args }: Pick<TapeCall, 'port' | 'method' | 'args'>): string {
  if (port === 'effects') return `effect ${String(args[1])} ${String(args[0])}`;
  const { kind, key } = (method === 'record' ? args[0] : {}) as {
    readonly kind?: string;
    readonly key?: string;
  };
  return `entry ${kind ?? ''} ${key ?? ''}`;
}

export class TapePlayer {
  readonly compared: Compared[] = [];
  readonly changedPrompts: string[] = [];
  /** The first call that the recorded run did not make; what the agent does after it means nothing. */
  mismatch: GatewrightError | null = null;
  readonly #waiting = new Map<string, TapeCall[]>();
  /** What the replay did as well, compared or not. */
  readonly #met = new Set<string>();
  #left: number;

  constructor({ calls }: Pick<Tape, 'calls'>) {
    this.#left = 1_000 + 10 * calls.length;
    for (const call of [...calls].sort((a, b) => a.at - b.at)) {
      const key = keyOfCall(call.port, call.method, call.args);
      const list = this.#waiting.get(key) ?? [];
      list.push(call);
      this.#waiting.set(key, list);
    }
  }

  /** The recorded call; the last one of its kind answers as often as it is asked. */
  take(port: string, method: string, args: readonly unknown[]): TapeCall {
    const told = args.map((one) => encodeValue(one));
    this.#left -= 1;
    // Answers that were made up can keep an agent asking for ever.
    if (this.#left < 0) throw this.#refuse({ port, method, args: told });
    const list = this.#waiting.get(keyOfCall(port, method, told)) ?? [];
    const found = list.length > 1 ? list.shift() : list[0];
    if (found === undefined) throw this.#refuse({ port, method, args: told });
    this.#met.add(describeCompared(found));
    const [now, then] = [promptOfCall(port, method, told), promptOfCall(port, method, found.args)];
    if (now !== then) this.changedPrompts.push(keyOfCall(port, method, told));
    return found;
  }

  #refuse(call: Pick<TapeCall, 'port' | 'method' | 'args'>): GatewrightError {
    if (this.mismatch !== null) return this.mismatch;
    if (comparedCalls.has(`${call.port}.${call.method}`))
      this.compared.push({ name: describeCompared(call), state: 'extra' });
    this.mismatch = new GatewrightError(
      'cassette-mismatch',
      `The agent now asks ${nameOf(call)}, which the recorded run did not ask.`,
      {
        hint: 'The agent decides otherwise than the version that was recorded; compare what it did until here.',
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
  listMissing(calls: Tape['calls']): Compared[] {
    return calls
      .filter(({ port, method }) => comparedCalls.has(`${port}.${method}`))
      .map(describeCompared)
      .filter((name) => !this.#met.has(name))
      .map((name) => ({ name, state: 'missing' }));
  }

  answer({ value, error }: Pick<TapeCall, 'value' | 'error'>): unknown {
    if (error !== undefined) throw decodeError(error);
    return decodeValue(value ?? null);
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

function replayEffects(player: TapePlayer): AgentContext['effects'] {
  const { momentOf } = player.port<AgentContext['effects']>('effects');
  return {
    momentOf,
    perform: async (key, kind, build) => {
      const call = player.take('effects', 'perform', [key, kind]);
      // Null: an earlier attempt had done it, so that it was not built again.
      if (call.built !== null && call.built !== undefined)
        player.compare(call, encodeValue(await build()), call.built);
      return player.answer(call) as Awaited<ReturnType<AgentContext['effects']['perform']>> as never;
    },
  };
}

export function replayContext({ head }: Tape, player: TapePlayer, prompts: Prompts): AgentContext {
  const request = decodeValue(head.request) as AgentRequest;
  return {
    runId: head.run,
    subject: head.subject as Subject,
    request,
    event: decodeValue(head.event) as FleetEvent,
    repository: request.repository,
    own: head.own,
    startedAt: new Date(head.startedAt),
    settings: decodeValue(head.settings) as FleetSettings,
    forge: player.port('forge', [], { kind: request.forge }),
    trees: player.port('trees'),
    workspaces: player.port('workspaces'),
    templates: player.port('templates'),
    transport: player.port('transport'),
    commands: player.port('commands'),
    views: player.port('views'),
    ledger: player.port('ledger'),
    models: player.port('models', ['titleOf']),
    prompts: {
      render: (...args) => prompts.render(...args),
      template: player.port<Prompts>('prompts').template,
    },
    effects: replayEffects(player),
    progress: () => undefined,
    record: async (entry) => {
      const call = player.take('context', 'record', [entry]);
      player.compare(call, encodeValue(entry), call.args[0] ?? null);
      player.answer(call);
    },
    once: async <T>(step: string, produce: () => Promise<T>) => {
      const call = player.take('context', 'once', [step]);
      return (call.built === true ? await produce() : player.answer(call)) as T;
    },
    withLease: async <T>(subject: Subject, work: (check: () => Promise<void>) => Promise<T>) => {
      const call = player.take('context', 'withLease', [subject]);
      // A lease that was not given, or was lost, ends the run as it did then.
      if (call.error?.code === 'lease-held') throw decodeError(call.error);
      return work(async () => undefined);
    },
  };
}
