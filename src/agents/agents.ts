/** Every agent that there is, by name. */
import type { AgentName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { ciDoctor } from './ci-doctor/ci-doctor.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';

export const agents: Readonly<Partial<Record<AgentName, Agent>>> = {
  'ci-doctor': ciDoctor,
  'pr-size-guardian': prSizeGuardian,
};
