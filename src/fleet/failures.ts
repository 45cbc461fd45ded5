/** What failed while events were worked through: one that fails must not keep those after it from being handled. */
import type { Subject } from '../domain/ledger/subject.ts';

export interface Failure {
  readonly subject: Subject;
  readonly error: unknown;
}

export class Failures {
  readonly all: Failure[] = [];

  /** What comes of the work, or `otherwise` when it fails; the error is kept, to be told when the rest is done. */
  async collect<T>(subject: Subject, otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.all.push({ subject, error });
      return otherwise;
    }
  }
}
