/** Which issues and pull requests are known to be closed or on hold, without asking over a network. */
import type { Subject } from '../domain/ledger/subject.ts';

export interface ClosedIssues {
  /** Those of the subjects that are; of a forge elsewhere none is known. */
  listClosed(subjects: readonly Subject[]): Promise<Subject[]>;
  /** Those that carry the label "hold"; the same is known. */
  listHeld(subjects: readonly Subject[]): Promise<Subject[]>;
}
