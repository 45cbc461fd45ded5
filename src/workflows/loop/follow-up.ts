/**
 * Where no person is at the machine, what a person said on the forge is followed as far as it goes: an approved plan is
 * carried out, work that was tested is closed, and a merge ends the loop. A word at a terminal is not followed: there the
 * next command says how it goes on.
 */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import type { FollowingAnswer } from '../issue-runs/issue-run.ts';
import type { DrivenLoop, LoopTools } from './loop-context.ts';

/** What follows at a gate from the answer that was given last. */
const following: Readonly<Partial<Record<GateQuestion['kind'], Readonly<Record<string, string>>>>> = {
  work: { approve: 'loop', skip: 'loop' },
  close: { works: 'close' },
};

/** Null when nothing that was said decides the question. */
export async function followUp(
  { ledger, forge, repositoryName }: Pick<LoopTools, 'ledger' | 'forge' | 'repositoryName'>,
  run: Pick<DrivenLoop, 'id'>,
  { kind }: GateQuestion,
): Promise<FollowingAnswer | null> {
  const entries = await ledger.readRun(run.id);
  if (kind === 'merge') {
    const made = entries.findLast((entry) => entry.kind === 'pull-request-made');
    if (made?.kind !== 'pull-request-made') return null;
    const { state } = await forge.getPullRequest(repositoryName, made.data.number);
    return state === 'merged' ? { choice: 'check', actor: '', by: 'auto' } : null;
  }
  const last = entries.findLast(
    (entry) => entry.kind === 'gate-answered' || entry.kind === 'debugging-dropped',
  );
  if (last?.kind === 'debugging-dropped') {
    const { by: actor, comment } = last.data;
    if (kind !== 'close' || comment === undefined) return null;
    return { choice: 'close', actor, by: 'person', said: { comment } };
  }
  if (last?.kind !== 'gate-answered' || last.data.answer.said === undefined) return null;
  const { choice, said } = last.data.answer;
  const next = following[kind]?.[choice];
  return next === undefined ? null : { choice: next, actor: last.actor, by: 'person', said };
}
