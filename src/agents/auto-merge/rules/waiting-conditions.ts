/** Which of the unmet conditions wait for a person, for lists: what the agents take care of themselves is left out. */
import type { AgentName } from '../../../domain/fleet/agent-names.ts';
import type { FleetEntryData } from '../../../domain/ledger/fleet-entries.ts';
import { remedies, type UnmetCondition } from './merge-conditions.ts';

type Waiting = FleetEntryData['merge-waits']['unmet'];

const reviewing: readonly UnmetCondition['code'][] = ['not-reviewed', 'review-outdated', 'review-other-base'];
const longest = 300;

/** Empty when no person is needed now. */
export function listWaiting(
  unmet: readonly UnmetCondition[],
  { isOurs, agents }: { readonly isOurs: boolean; readonly agents: readonly AgentName[] },
): Waiting {
  const has = (codes: readonly UnmetCondition['code'][]): boolean =>
    unmet.some(({ code }) => codes.includes(code));
  // The reviewer looks at it first, and on our own pull requests the implementer follows its findings.
  if (has(reviewing) && agents.includes('reviewer')) return [];
  if (has(['issues-found']) && isOurs && agents.includes('implementer')) return [];
  return unmet
    .filter(({ code }) => remedies[code] !== '')
    .map(({ code, what }) => ({ code, what: what.slice(0, longest), how: remedies[code] }));
}
