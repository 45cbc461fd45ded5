/**
 * A delivery in a file of the inbox: a line with its signature, name, id and length, and then its JSON as it came. The id is
 * made of that JSON, so the signature covers all of it.
 */
import { identifyDelivery } from '../../domain/fleet/delivery-id.ts';
import { isSignatureValid, signText } from '../../domain/ledger/hash.ts';
import type { StoredDelivery } from '../../ports/inbox.ts';

const newLine = 0x0a;
const recordEnd = Buffer.from([newLine]);
const header = /^([0-9a-f]{64}) ([a-z][a-z0-9_]{0,63}) (webhook\/[0-9a-f]{64}) (\d{1,9})$/u;
/** Longer than any header, and than any delivery that a forge sends. */
const [longestHeader, longestJson] = [300, 32 * 1024 * 1024];

/** Keeps these signatures apart from all others that the key makes. */
function signed(name: string, delivery: string, length: number | string): string {
  return `inbox ${name} ${delivery} ${length}`;
}

/** In parts, so that the JSON is not copied. */
export function toRecord(key: string, { name, delivery, json }: StoredDelivery): Buffer[] {
  const signature = signText(key, signed(name, delivery, json.length));
  return [Buffer.from(`${signature} ${name} ${delivery} ${json.length}\n`), json, recordEnd];
}

/** One step through a file. `short`: it goes on after the end of what was read. `damaged`: not a record that we wrote. */
type Step =
  | { readonly kind: 'record'; readonly next: number; readonly record: StoredDelivery }
  | { readonly kind: 'damaged'; readonly next: number }
  | { readonly kind: 'short' };

export function readRecord(key: string, buffer: Buffer, from: number): Step {
  const lineEnd = buffer.indexOf(newLine, from);
  if (lineEnd === -1)
    return buffer.length - from > longestHeader
      ? { kind: 'damaged', next: buffer.length }
      : { kind: 'short' };
  const damaged = { kind: 'damaged', next: lineEnd + 1 } as const;
  if (lineEnd - from > longestHeader) return damaged;
  const [, signature = '', name = '', delivery = '', length = ''] =
    header.exec(buffer.toString('latin1', from, lineEnd)) ?? [];
  if (signature === '' || !isSignatureValid(key, signed(name, delivery, length), signature)) return damaged;
  if (Number(length) > longestJson) return damaged;
  const end = lineEnd + 1 + Number(length);
  if (buffer.length <= end) return { kind: 'short' };
  const json = buffer.subarray(lineEnd + 1, end);
  if (buffer[end] !== newLine || identifyDelivery(json) !== delivery) return damaged;
  return { kind: 'record', next: end + 1, record: { name, delivery, json } };
}

/** What the first line of a record says, without proof: how long the record is, and whose it is. Null when it is none. */
export function readHeader(buffer: Buffer): { readonly delivery: string; readonly bytes: number } | null {
  const lineEnd = buffer.indexOf(newLine);
  const [, , , delivery, length] =
    lineEnd === -1 ? [] : (header.exec(buffer.toString('latin1', 0, lineEnd)) ?? []);
  if (delivery === undefined || Number(length) > longestJson) return null;
  return { delivery, bytes: lineEnd + 1 + Number(length) + 1 };
}
