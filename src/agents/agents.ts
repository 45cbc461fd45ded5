/** Every agent that there is, by name. */
import type { WorkerName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { autoMerge } from './auto-merge/auto-merge.ts';
import { dailyDigest } from './daily-digest/daily-digest.ts';
import { healthReport } from './health-report/health-report.ts';
import { implementer } from './implementer/implementer.ts';
import { labelKeeper } from './label-keeper/label-keeper.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';
import { reviewer } from './reviewer/reviewer.ts';
import { staleGardener } from './stale-gardener/stale-gardener.ts';

export const agents: Readonly<Partial<Record<WorkerName, Agent>>> = {
  implementer,
  'pr-size-guardian': prSizeGuardian,
  'label-keeper': labelKeeper,
  'daily-digest': dailyDigest,
  'health-report': healthReport,
  'stale-gardener': staleGardener,
  reviewer,
  'auto-merge': autoMerge,
};
