/** Plays an agent's run again from its tape, and compares what it does with what it did. */
import { loadAgent } from '../../agents/agents.ts';
import { canonicalJson } from '../../domain/ledger/hash.ts';
import type { Tape, TapeEnd } from '../../domain/recordings/tape.ts';
import { encodeValue } from '../../domain/recordings/tape-values.ts';
import type { Prompts } from '../../ports/prompts.ts';
import { encodeError } from './record-context.ts';
import { type Compared, replayContext, TapePlayer } from './replay-context.ts';

export interface TapeReport {
  readonly compared: readonly Compared[];
  /** Questions to models whose words are others by now; the answers are the recorded ones. */
  readonly changedPrompts: readonly string[];
  /** How it ended, in words; when it was recorded and now. Null: the tape does not tell. */
  readonly ended: { readonly before: string | null; readonly now: string };
  readonly isSame: boolean;
}

function describeEnd({ value, error }: TapeEnd): string {
  if (error !== undefined) return `${error.code}: ${error.message}`;
  const { message } = (value ?? {}) as { readonly message?: string };
  return message ?? 'finished';
}

/** What the comparison of two ends looks at: hints and details are for people. */
function essenceOf({ value, error }: TapeEnd): string {
  return canonicalJson(error === undefined ? (value ?? null) : { code: error.code, message: error.message });
}

export async function replayTape(tape: Tape, prompts: Prompts): Promise<TapeReport> {
  const player = new TapePlayer(tape);
  const agent = await loadAgent(tape.head.agent);
  let now: TapeEnd;
  try {
    now = { value: encodeValue(await agent.run(replayContext(tape, player, prompts))) };
  } catch (error) {
    now = encodeError(error);
  }
  // An agent that could not go on stops in its own way; why it could not is what matters.
  if (player.mismatch !== null) now = encodeError(player.mismatch);
  const compared = [...player.compared, ...player.listMissing(tape.calls)];
  const isEndSame = player.mismatch === null && (tape.end === null || essenceOf(tape.end) === essenceOf(now));
  return {
    compared,
    changedPrompts: player.changedPrompts,
    ended: { before: tape.end === null ? null : describeEnd(tape.end), now: describeEnd(now) },
    isSame: isEndSame && compared.every(({ state }) => state === 'same'),
  };
}
