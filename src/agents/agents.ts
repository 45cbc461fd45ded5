/** Every agent that there is, by name. */
import type { AgentName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';
import { reviewer } from './reviewer/reviewer.ts';

export const agents: Readonly<Partial<Record<AgentName, Agent>>> = {
  'pr-size-guardian': prSizeGuardian,
  reviewer,
};
