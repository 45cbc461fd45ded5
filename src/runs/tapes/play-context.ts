/** The context of an agent or a workflow in which a tape gives every answer. Nothing outside is read or changed. */
import { type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { decodeValue, encodeValue } from '../../domain/recordings/tape-values.ts';
import type { Effects } from '../../ports/effects.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Prompts } from '../../ports/prompts.ts';
import { contextPorts, synchronousMethods } from './context-ports.ts';
import { decodeError, type TapePlayer } from './tape-player.ts';

/** Has every port and every call; each run takes what its own context has. */
export type PlayedContext = Readonly<Record<string, unknown>>;

function playEffects(player: TapePlayer): Effects {
  const { momentOf } = player.port<Effects>('effects');
  return {
    momentOf,
    perform: async (key, kind, build) => {
      const call = player.take('effects', 'perform', [key, kind]);
      // Null: an earlier attempt had done it, so that it was not built again.
      if (call.built !== null && call.built !== undefined)
        player.compare(call, encodeValue(await build()), call.built);
      return player.answer(call) as Awaited<ReturnType<Effects['perform']>> as never;
    },
  };
}

/** A text is known by its hash: one that was never recorded can be kept and read again as well. */
function playLedger(player: TapePlayer): object {
  const texts = new Map<string, string>();
  const ledger = player.port<Pick<Ledger, 'getText'>>('ledger');
  const own = {
    putText: async (text: string) => {
      if (player.has('ledger', 'putText', [text]))
        return player.answer(player.take('ledger', 'putText', [text]));
      const hash = sha256(text);
      texts.set(hash, text);
      return hash;
    },
    getText: async (hash: Sha256) => texts.get(hash) ?? ledger.getText(hash),
  };
  return player.port('ledger', [], own);
}

function playCalls(player: TapePlayer): PlayedContext {
  const compareWhole = (method: string, value: unknown): void => {
    const call = player.take('context', method, [value]);
    player.compare(call, encodeValue(value), call.args[0] ?? null);
    player.answer(call);
  };
  return {
    progress: () => undefined,
    note: (entry: unknown) => compareWhole('note', entry),
    record: async (entry: unknown) => compareWhole('record', entry),
    handOn: async (handoffs: unknown) => compareWhole('handOn', handoffs),
    once: async (step: string, produce: () => Promise<unknown>) => {
      const call = player.take('context', 'once', [step]);
      return call.built === true ? produce() : player.answer(call);
    },
    withLease: async (subject: Subject, work: (check: () => Promise<void>) => Promise<unknown>) => {
      const call = player.take('context', 'withLease', [subject]);
      // A lease that was not given, or was lost, ends the run as it did then.
      if (call.error?.code === 'lease-held') throw decodeError(call.error);
      return work(async () => undefined);
    },
  };
}

/** `data`: what the context holds besides, as the head of the tape has it. */
export function playContext(
  data: Parameters<typeof decodeValue>[0],
  player: TapePlayer,
  prompts: Prompts,
): PlayedContext {
  const members = decodeValue(data) as Readonly<Record<string, unknown>>;
  const { forge } = (members.request ?? {}) as { readonly forge?: unknown };
  const portOf = (name: (typeof contextPorts)[number]): object =>
    player.port(name, synchronousMethods[name], name === 'forge' ? { kind: forge } : {});
  return {
    ...members,
    ...Object.fromEntries(contextPorts.map((name) => [name, portOf(name)])),
    prompts: {
      render: (...args: Parameters<Prompts['render']>) => prompts.render(...args),
      template: player.port<Prompts>('prompts').template,
    },
    ledger: playLedger(player),
    effects: playEffects(player),
    ...playCalls(player),
  };
}
