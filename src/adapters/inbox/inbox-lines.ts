/** A delivery in a file of the inbox is one line: its signature, and the event as JSON. */
import { eventSchema, type FleetEvent } from '../../domain/fleet/event.ts';
import { isSignatureValid, signText } from '../../domain/ledger/hash.ts';

/** Keeps signatures of the inbox apart from all others that the key makes. */
const purpose = 'inbox';

export function toLine(key: string, event: string): string {
  return `${signText(key, `${purpose} ${event}`)} ${event}\n`;
}

/** Null when we did not write it, or wrote it only in part, or another version wrote it. */
export function readLine(key: string, line: string): FleetEvent | null {
  const at = line.indexOf(' ');
  const text = line.slice(at + 1);
  if (at < 1 || !isSignatureValid(key, `${purpose} ${text}`, line.slice(0, at))) return null;
  const { data } = eventSchema.safeParse(JSON.parse(text));
  return data ?? null;
}
