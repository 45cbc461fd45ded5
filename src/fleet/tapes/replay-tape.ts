/** Plays a run of an agent or a workflow again from its tape, and compares what it does with what it did. */
import type { AgentContext } from '../../agents/agent.ts';
import { loadAgent } from '../../agents/agents.ts';
import { canonicalJson, type Json } from '../../domain/ledger/hash.ts';
import type { Tape, TapedSession, TapeEnd } from '../../domain/recordings/tape.ts';
import { decodeValue, encodeValue } from '../../domain/recordings/tape-values.ts';
import type { Prompts } from '../../ports/prompts.ts';
import { LeftOpen } from '../../runs/gates/resolve-gate.ts';
import { playContext } from '../../runs/tapes/play-context.ts';
import { encodeError } from '../../runs/tapes/record-context.ts';
import { concludeLeftOpen, playAnswer } from '../../runs/tapes/session-tape.ts';
import { type Compared, TapePlayer } from '../../runs/tapes/tape-player.ts';
import { loadWorkflow } from '../../workflows/workflows.ts';

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

type Taped = Pick<Tape, 'calls' | 'end'>;

/** Plays it and compares. A tape that was cut off is the same if everything that it holds is done again. */
async function play(
  { calls, end: before }: Taped,
  run: (player: TapePlayer) => Promise<unknown>,
): Promise<TapeReport> {
  const player = new TapePlayer(calls);
  let now: TapeEnd;
  try {
    now = { value: encodeValue(await run(player)) };
  } catch (error) {
    now = encodeError(error);
  }
  const { mismatch } = player;
  const isBeyond = before === null && mismatch !== null && player.isAtEnd;
  // A run that could not go on stops in its own way; why it could not is what matters.
  if (mismatch !== null) now = encodeError(mismatch);
  // What comes after the cut was not recorded, so that nothing can be said about it.
  const done = isBeyond ? player.compared.filter(({ state }) => state !== 'extra') : player.compared;
  const compared = isBeyond ? done : [...done, ...player.listMissing()];
  const isEndSame =
    isBeyond || (mismatch === null && (before === null || essenceOf(before) === essenceOf(now)));
  return {
    compared,
    changedPrompts: player.changedPrompts,
    ended: {
      before: before === null ? null : describeEnd(before),
      now: isBeyond ? 'it goes on where the recording was cut off' : describeEnd(now),
    },
    isSame: isEndSame && compared.every(({ state }) => state === 'same'),
  };
}

export async function replayTape(tape: Tape, prompts: Prompts): Promise<TapeReport> {
  const { agent: name, run, subject, startedAt, ...data } = tape.head;
  const agent = await loadAgent(name);
  const { repository = null } = (data.request ?? {}) as { readonly repository?: Json };
  const members = { ...data, runId: run, subject, repository, startedAt: { $date: startedAt } };
  return play(tape, (player) => agent.run(playContext(members, player, prompts) as unknown as AgentContext));
}

/** Each session on its own: it begins where the recorded one began. */
export async function replaySession(session: TapedSession, prompts: Prompts): Promise<TapeReport> {
  const { workflow: name, data, place } = session.head;
  const workflow = await loadWorkflow(name);
  return play(session, async (player) => {
    const { graph, conclude } = await workflow.openReplay(playContext(data, player, prompts));
    try {
      let standing = await (place === null
        ? graph.proceed()
        : graph.beginAt(place.node, decodeValue(place.state)));
      while (standing.at === 'gate')
        standing = await graph.answer(await playAnswer(player, standing.question));
      return conclude(standing.state);
    } catch (error) {
      if (error instanceof LeftOpen) return concludeLeftOpen(error);
      throw error;
    }
  });
}
