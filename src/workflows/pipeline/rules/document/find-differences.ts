/** Where two JSON values differ, as deep inside as possible. The order of keys makes no difference. */
import type { JsonPath } from '../../../documents/json-tree.ts';

export interface Difference {
  readonly path: JsonPath;
  readonly kind: 'added' | 'removed' | 'changed';
  /** The new value; undefined when it was removed. */
  readonly value: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Keys with a value: JSON has no `undefined`, so that such a field is not written. */
function stepsOf(value: object): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [key]));
}

function valueAt(value: object, step: string | number): unknown {
  return Object.hasOwn(value, step) ? (value as Readonly<Record<string | number, unknown>>)[step] : undefined;
}

export function findDifferences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  const compare = (old: unknown, fresh: unknown, path: JsonPath): void => {
    if (old === fresh) return;
    if (isObject(old) && isObject(fresh) && Array.isArray(old) === Array.isArray(fresh)) {
      for (const step of new Set([...stepsOf(old), ...stepsOf(fresh)]))
        compare(valueAt(old, step), valueAt(fresh, step), [...path, step]);
      return;
    }
    const kind = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed';
    found.push({ path, kind, value: fresh });
  };
  compare(before, after, []);
  return found;
}
