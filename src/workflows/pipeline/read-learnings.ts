/** The learnings of a repository, from what the ledger keeps beside its entries. */
import { listLearnings } from '../../domain/learnings/fold-learnings.ts';
import type { Learning } from '../../domain/learnings/learnings.ts';
import { choreSubject, type Subject } from '../../domain/ledger/subject.ts';
import type { Ledger } from '../../ports/ledger.ts';

export function learningsSubject(repository: string): Subject {
  return choreSubject(repository, 'learnings');
}

export async function readLearnings(
  ledger: Pick<Ledger, 'readState'>,
  repository: string,
): Promise<Learning[]> {
  return listLearnings((await ledger.readState(learningsSubject(repository))).learnings);
}
