/** All that the nodes of a loop work with, put together under its lease. */
import type { EffectAllowance } from '../../domain/ledger/effect.ts';
import type { LoopEntryData } from '../../domain/ledger/entries/loop-entries.ts';
import type { LoopRequest } from '../../domain/ledger/run.ts';
import type { Lease } from '../../ports/leases.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { DrivenRun, RunSession } from '../issue-runs/issue-run.ts';
import { makeRunContext, type RunContext } from '../issue-runs/run-context.ts';

/** What a loop is run with. */
export type LoopTools = FleetTools;

export type DrivenLoop = DrivenRun<LoopRequest>;

export type LoopContext = RunContext<LoopRequest, keyof LoopEntryData>;

export type LoopSession = RunSession;

/** Comments and pushes come with every attempt; no plan has more tasks than this allows. */
export const loopAllowance: EffectAllowance = {
  'create-comment': 1000,
  'edit-labels': 200,
  'ensure-label': 20,
  'push-branch': 1000,
  'create-pull-request': 1,
};

export function makeLoopContext(
  tools: LoopTools,
  run: DrivenLoop,
  session: LoopSession,
  lease: Lease,
): LoopContext {
  return makeRunContext(tools, run, session, lease, loopAllowance);
}
