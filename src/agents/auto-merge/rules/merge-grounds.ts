/** What a merge rests on, from the facts that allowed it. */
import type { MergeGrounds } from '../../../domain/ledger/fleet-entries.ts';
import type { MergeFacts } from './merge-conditions.ts';

/** Null when nothing permits it, so that there is nothing to write down. */
export function findGrounds(
  facts: MergeFacts,
  how: Pick<MergeGrounds, 'by' | 'tested'>,
): MergeGrounds | null {
  const { number, head, base, grant, reviews, approvals = [], checks } = facts;
  if (facts.state !== 'open' || grant === null || grant.by === 'nobody' || grant.head === null) return null;
  return {
    ...{ number, head, base, ...how },
    label: {
      ...{ by: grant.by, actor: grant.actor, at: grant.at },
      ...{ head: grant.head, carriedBy: grant.carriedBy },
    },
    reviews: reviews.flatMap(({ commit, entry, by = '' }) =>
      commit === head && entry !== undefined ? [{ entry, by }] : [],
    ),
    approvals: [...approvals],
    checks: checks.map(({ name, state }) => ({ name, state })),
  };
}
