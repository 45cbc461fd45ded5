/** Whether the run that a fork was made from, or another fork of it, has filed its issue: then the fork would file a second one. */
import { type AuthoringRun, isAuthoringRun } from '../../../domain/ledger/run.ts';
import type { RunViews } from '../../../ports/ledger.ts';

export interface FiledRun {
  readonly run: string;
  readonly number: number;
}

/** The run that all forks go back to. */
function originOf(run: string, runs: ReadonlyMap<string, AuthoringRun>): string {
  const seen = new Set<string>();
  let at = run;
  for (;;) {
    const before = runs.get(at)?.request.fork?.run;
    if (before === undefined || seen.has(at)) return at;
    seen.add(at);
    at = before;
  }
}

/** @param forked the run that is or was forked @param own the fork itself, which does not count; null before there is one */
export async function findFiled(
  views: RunViews,
  forked: string,
  own: string | null = null,
): Promise<FiledRun | null> {
  const all = (await views.listRuns({ workflows: ['issue'] })).filter(isAuthoringRun);
  const runs = new Map(all.map((run) => [run.id, run]));
  const origin = originOf(forked, runs);
  const filed = all.find(
    (run) =>
      run.id !== own && run.result !== null && !run.request.dryRun && originOf(run.id, runs) === origin,
  );
  return filed?.result == null ? null : { run: filed.id, number: filed.result.number };
}
