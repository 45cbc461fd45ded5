/**
 * The id of a delivery is made of what was signed. The id that GitHub sends along is not signed: an attacker who has seen a
 * delivery could send it again under another id.
 */
import { hash } from 'node:crypto';

export function identifyDelivery(json: Uint8Array): string {
  return `webhook/${hash('sha256', json, 'hex')}`;
}
