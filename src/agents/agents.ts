/** Every agent that there is, by name. */
import type { WorkerName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { ciDoctor } from './ci-doctor/ci-doctor.ts';
import { labelKeeper } from './label-keeper/label-keeper.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';

export const agents: Readonly<Partial<Record<WorkerName, Agent>>> = {
  'ci-doctor': ciDoctor,
  'pr-size-guardian': prSizeGuardian,
  'label-keeper': labelKeeper,
};
