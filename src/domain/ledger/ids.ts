/** Identifiers: sortable run ids, and short gate ids that a person can type. Time and randomness are passed in. */
import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function encodeBase32(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < length; place += 1) {
    text = alphabet.charAt(Number(rest % 32n)) + text;
    rest /= 32n;
  }
  return text;
}

/** A ULID: 48 bits of time, 80 bits of randomness; sorts by time. */
export function makeRunId(now: Date, random: Uint8Array): string {
  let entropy = 0n;
  for (const byte of random.subarray(0, 10)) entropy = entropy * 256n + BigInt(byte);
  return encodeBase32(BigInt(now.getTime()), 10) + encodeBase32(entropy, 16);
}

/** The id of the gate that a run reaches at a step: the same on every replay of that step. */
export function makeGateId(runId: string, step: number): string {
  const digest = createHash('sha256').update(`${runId}/${step}`).digest();
  return `G${encodeBase32(digest.readBigUInt64BE(0), 13).slice(-6)}`;
}
