/** Content hashes and the one canonical JSON form that they are taken of. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { GatewrightError } from '../../errors.ts';

export type Sha256 = string;

export function sha256(text: string): Sha256 {
  return hash('sha256', text, 'hex');
}

export function signText(key: string, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('hex');
}

export function isSignatureValid(key: string, text: string, signature: string): boolean {
  const expected = Buffer.from(signText(key, text));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** JSON with sorted keys and no white space, so that equal values have equal text and so equal hashes. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') {
    // JSON.stringify returns undefined for such a value; the hashed text would then hold the word "undefined", which
    // cannot be parsed.
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined)
      throw new GatewrightError('internal', `A ${typeof value} cannot be written as JSON.`);
    return text;
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** The first characters of a hash, enough for people to compare. */
export function shortHash(hash: Sha256): string {
  return hash.slice(0, 8);
}
