/** Every agent that there is, by name. */
import type { WorkerName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { labelKeeper } from './label-keeper/label-keeper.ts';
import { dailyDigest } from './daily-digest/daily-digest.ts';
import { healthReport } from './health-report/health-report.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';
import { staleGardener } from './stale-gardener/stale-gardener.ts';
import { reviewer } from './reviewer/reviewer.ts';

export const agents: Readonly<Partial<Record<WorkerName, Agent>>> = {
  'pr-size-guardian': prSizeGuardian,
  'label-keeper': labelKeeper,
  'daily-digest': dailyDigest,
  'health-report': healthReport,
  'stale-gardener': staleGardener,
  reviewer,
};
