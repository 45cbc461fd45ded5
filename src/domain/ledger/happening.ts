/**
 * Identifies what happened, independently of the delivery. A forge may report the same thing in two deliveries: a
 * webhook of the repository and a webhook of a GitHub App each send one. Two events with the same content are the same,
 * no matter which webhook sent them.
 */
import type { FleetEvent } from '../fleet/event.ts';
import { canonicalJson, type Json, type Sha256, sha256 } from './hash.ts';

/** The fields in which two deliveries of the same event differ: the delivery, and the words at that moment. */
const notOfIt: readonly string[] = ['delivery', 'seen'];

/** Null for events that no forge reports: Gatewright itself makes those, each once. */
export function identifyHappening(event: FleetEvent): Sha256 | null {
  if (event.kind === 'schedule-due' || event.kind === 'handed-on') return null;
  const told = Object.entries({ ...event, repository: event.repository.toLowerCase() }).filter(
    ([name, value]) => !notOfIt.includes(name) && value !== undefined,
  );
  return sha256(canonicalJson(Object.fromEntries(told) as Json));
}
