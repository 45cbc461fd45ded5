/** Which issues have an approved design, and for which text of the issue. A view of finished runs, nothing of its own. */
import type { Sha256 } from '../../../../domain/ledger/hash.ts';
import type { RunSummary } from '../../../../domain/ledger/run.ts';

export interface ApprovedDesign {
  readonly issue: number;
  readonly run: string;
  readonly path: string;
  /** Of the issue's text when the design was made. */
  readonly textHash: Sha256;
  readonly approvedAt: string;
}

/** Where designs are asked about. Two forges may have repositories of one name. */
interface Place {
  readonly forge: 'local' | 'github';
  readonly repository: string;
}

/** The newest design of each issue, by number. */
export function approvedDesigns(runs: readonly RunSummary[], place: Place): ApprovedDesign[] {
  const newest = new Map<number, ApprovedDesign>();
  // Runs come newest first, by their start; what counts is which one was finished last.
  for (const run of runs) {
    const { request, result } = run;
    if (request.workflow !== 'lld' || request.dryRun) continue;
    if (request.repository !== place.repository || (request.forge ?? 'local') !== place.forge) continue;
    if (run.status !== 'done' || result?.path === undefined) continue;
    const known = newest.get(result.number);
    if (known !== undefined && known.approvedAt >= run.changedAt) continue;
    newest.set(result.number, {
      issue: result.number,
      run: run.id,
      path: result.path,
      textHash: request.briefHash,
      approvedAt: run.changedAt,
    });
  }
  return [...newest.values()].sort((a, b) => a.issue - b.issue);
}
