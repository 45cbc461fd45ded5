/**
 * What goes into a call of a tape and what comes out of it, as JSON. What JSON has no form for gets a mark of its own:
 * `$date`, `$undefined`, `$map`, `$set`; a function or an object of another kind is only marked as one.
 */
import type { Json } from '../ledger/hash.ts';

const deepest = 60;

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function encodeValue(value: unknown, depth = 0): Json {
  const inner = (one: unknown): Json => encodeValue(one, depth + 1);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === undefined) return { $undefined: true };
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) };
  if (typeof value !== 'object' || depth > deepest) return { $other: true };
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? { $other: true } : { $date: value.toISOString() };
  if (value instanceof Map) return { $map: [...value].map((pair) => pair.map(inner)) };
  if (value instanceof Set) return { $set: [...value].map(inner) };
  if (!isPlain(value)) return { $other: true };
  // A field of that name in the data of a forge is no mark.
  const named = (name: string): string => (name.startsWith('$') ? `$${name}` : name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [named(name), inner(field)]),
  );
}

function decodeMark(name: string, value: Json): { readonly value: unknown } | null {
  const list = Array.isArray(value) ? (value as readonly Json[]) : null;
  if (name === '$undefined') return { value: undefined };
  if (name === '$date') return { value: new Date(String(value)) };
  if (name === '$number') return { value: Number(value) };
  if (name === '$set' && list !== null) return { value: new Set(list.map(decodeValue)) };
  if (name === '$map' && list !== null)
    return { value: new Map(list.map((pair) => decodeValue(pair) as [unknown, unknown])) };
  return name === '$other' ? { value: undefined } : null;
}

export function decodeValue(value: Json): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(decodeValue);
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  const [first] = entries;
  const marked = entries.length === 1 && first !== undefined ? decodeMark(...first) : null;
  if (marked !== null) return marked.value;
  return Object.fromEntries(
    entries.map(([name, field]) => [name.startsWith('$$') ? name.slice(1) : name, decodeValue(field)]),
  );
}
