/** The learnings of a repository, from the ledger. */
import { choreSubject, type Subject } from '../../domain/ledger/subject.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { foldLearnings, type Learning } from './rules/learnings.ts';

export function learningsSubject(repository: string): Subject {
  return choreSubject(repository, 'learnings');
}

export async function readLearnings(
  ledger: Pick<Ledger, 'readSubject'>,
  repository: string,
): Promise<Learning[]> {
  return foldLearnings(await ledger.readSubject(learningsSubject(repository)));
}
