/** Every agent that there is, by name. */
import type { WorkerName } from '../domain/agent-names.ts';
import type { Agent } from './agent.ts';
import { implementer } from './implementer/implementer.ts';
import { labelKeeper } from './label-keeper/label-keeper.ts';
import { prSizeGuardian } from './pr-size-guardian/pr-size-guardian.ts';

export const agents: Readonly<Partial<Record<WorkerName, Agent>>> = {
  implementer,
  'pr-size-guardian': prSizeGuardian,
  'label-keeper': labelKeeper,
};
