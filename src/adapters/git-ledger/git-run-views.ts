/** What lists read, from the mirror of a git ref. */
import type { RunViews } from '../../ports/ledger.ts';
import type { SharedLedger } from './shared-ledger.ts';

/** @param views of the mirror: each is looked at when what is in the mirror is new enough */
export function makeGitRunViews(shared: SharedLedger, views: RunViews): RunViews {
  const fresh =
    <A extends unknown[], T>(read: (...asked: A) => Promise<T>) =>
    async (...asked: A): Promise<T> => {
      await shared.freshen();
      return read.apply(views, asked);
    };
  return {
    listOpenEvents: fresh(views.listOpenEvents),
    findRun: fresh(views.findRun),
    listRuns: fresh(views.listRuns),
    listLastRuns: fresh(views.listLastRuns),
    listOpenGates: fresh(views.listOpenGates),
    listWaiting: fresh(views.listWaiting),
    listRenamed: fresh(views.listRenamed),
    countDone: fresh(views.countDone),
    costSince: fresh(views.costSince),
  };
}
