/** Writes down what a pull request waits for that only a person can do, so that lists show it until it is looked at again. */
import type { FleetEntryData } from '../../domain/ledger/fleet-entries.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { findFailed } from '../pull-requests/failed-command.ts';
import type { Member } from './land-pull-request.ts';
import type { UnmetCondition } from './rules/merge-conditions.ts';
import { listWaiting } from './rules/waiting-conditions.ts';

type Waiting = FleetEntryData['merge-waits']['unmet'];

export async function findWaiting(
  { ledger, repository, settings: { agents } }: AgentContext,
  { number, head }: Member,
  conditions: readonly UnmetCondition[],
): Promise<Waiting> {
  const isOurs = (await ledger.find('pull-request-made', issueSubject(repository, number))) !== null;
  const waiting = listWaiting(conditions, { isOurs, agents });
  const failed = waiting.length === 0 ? null : await findFailed({ ledger, repository }, number, head);
  if (failed === null) return waiting;
  // No label would let it be merged: its own check comes first.
  const what = `"${failed.data.command.join(' ')}" fails on it`.slice(0, 300);
  return [{ code: 'verify-failed', what, how: 'push a fix, or order one from the agent' }, ...waiting];
}

/** All conditions held, and still it was not merged and no run follows. */
export function whatIsLeft({ message, result, handoffs = [] }: AgentEnd): Waiting {
  if (result !== undefined || handoffs.length > 0) return [];
  const how = 'push a fix, change one of its labels to have it tried again, or merge it by hand';
  return [{ code: 'not-merged', what: message.replace(/^not merged: /u, '').slice(0, 300), how }];
}

export async function recordWaiting(context: AgentContext, own: Member, unmet: Waiting): Promise<void> {
  const { number, head } = own;
  if (unmet.length === 0 || context.request.dryRun) return;
  await context.record({ kind: 'merge-waits', key: `${context.runId}/waits`, data: { number, head, unmet } });
}
