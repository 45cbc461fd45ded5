/** Every agent that there is, by name. */
import type { AgentName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { dailyDigest } from './daily-digest/daily-digest.ts';
import { healthReport } from './health-report/health-report.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';
import { staleGardener } from './stale-gardener/stale-gardener.ts';

export const agents: Readonly<Partial<Record<AgentName, Agent>>> = {
  'pr-size-guardian': prSizeGuardian,
  'daily-digest': dailyDigest,
  'health-report': healthReport,
  'stale-gardener': staleGardener,
};
