/**
 * Fields that have one of several values. The example of the document writes all of them into the field: "SMALL | MEDIUM |
 * LARGE". Tools begin with a copy of that example, so this one text is read too: it means that nothing is decided yet, as
 * `null` does, and it is written back as it was. Whoever asks what was decided uses `decidedOf`.
 */
import { z } from 'zod';
import { said } from '../../../documents/field-forms.ts';

type Listed<Options extends readonly string[]> = Options extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? Rest extends readonly []
    ? First
    : `${First} | ${Listed<Rest>}`
  : never;

/** One of the documented values, all of them as the document lists them, or one that was added later. */
export function makeChoice<
  const Documented extends readonly string[],
  const Added extends readonly string[] = readonly [],
>(documented: Documented, added: Added = [] as readonly string[] as Added) {
  const listed = documented.join(' | ') as Listed<Documented>;
  const values: readonly (Documented[number] | Added[number] | Listed<Documented>)[] = [
    ...documented,
    ...added,
    listed,
  ];
  return z.enum(values, said(`has to be one of ${[...documented, ...added].join(', ')}`));
}

/** The value, or null while nothing is decided. */
export function decidedOf<Value extends string>(
  value: Value | null | undefined,
): Exclude<Value, `${string} | ${string}`> | null {
  if (value === null || value === undefined || value.includes(' | ')) return null;
  return value as Exclude<Value, `${string} | ${string}`>;
}
