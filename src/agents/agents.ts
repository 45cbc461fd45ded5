/** Every agent that there is, by name. */
import type { WorkerName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { autoMerge } from './auto-merge/auto-merge.ts';
import { ciDoctor } from './ci-doctor/ci-doctor.ts';
import { dailyDigest } from './daily-digest/daily-digest.ts';
import { docDrift } from './doc-drift/doc-drift.ts';
import { healthReport } from './health-report/health-report.ts';
import { implementer } from './implementer/implementer.ts';
import { labelKeeper } from './label-keeper/label-keeper.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';
import { reviewer } from './reviewer/reviewer.ts';
import { staleGardener } from './stale-gardener/stale-gardener.ts';
import { withStopsTold } from './tell-of-stop.ts';
import { templateSync } from './template-sync/template-sync.ts';

export const agents: Readonly<Record<WorkerName, Agent>> = {
  'ci-doctor': ciDoctor,
  implementer,
  'pr-size-guardian': withStopsTold(prSizeGuardian, 'Measuring this', null),
  'label-keeper': labelKeeper,
  'daily-digest': dailyDigest,
  'doc-drift': docDrift,
  'health-report': healthReport,
  'stale-gardener': staleGardener,
  'template-sync': templateSync,
  reviewer: withStopsTold(reviewer, 'The review of this', 'review'),
  'auto-merge': withStopsTold(autoMerge, 'Merging this', null),
};
