/** The gate that a person wants to answer, from wherever they do; or why there is nothing to answer. */
import { findChoice, type GateChoice, type GateQuestion } from '../../domain/drafts/gate.ts';
import { GatewrightError } from '../../errors.ts';
import type { OpenGate } from '../../ports/ledger.ts';
import type { Records } from '../house.ts';
import { hintOfAnswered } from './answer-gate.ts';

export async function findOpenGate(
  { ledger, views }: Pick<Records, 'ledger' | 'views'>,
  id: string,
): Promise<OpenGate> {
  const asked = await ledger.find('gate-asked', id);
  if (asked === null) throw new GatewrightError('gate-not-found', `There is no gate ${id}.`);
  const open = (await views.listOpenGates()).find((gate) => gate.question.id === id);
  if (open !== undefined) return open;
  const answered = await ledger.find('gate-answered', id);
  if (answered === null)
    throw new GatewrightError(
      'gate-not-found',
      `Gate ${id} is not open any more: its run was dropped or went on without it.`,
    );
  const { actor: by, at, data } = answered;
  const { choice } = data.answer;
  throw new GatewrightError('gate-answered', `Gate ${id} is already answered, by ${by}: ${choice}.`, {
    hint: hintOfAnswered(answered.run),
    facts: { by, at, choice },
  });
}

/** Some choices only leave the gate as it is, which needs no record. */
export function refuseLeavingOpen(question: GateQuestion, typed: string): GateChoice | null {
  const choice = findChoice(question, typed) ?? null;
  if (choice?.leavesOpen !== true) return choice;
  throw new GatewrightError(
    'gate-choice-invalid',
    `"${choice.name}" leaves the gate open; there is nothing to record.`,
  );
}
