/**
 * Brings an older document to the version of this program. A newer minor version only adds fields: it is read as it is and
 * keeps its number. A newer major version may mean something else by the same field: it is refused.
 */
import type { Json } from '../../../../domain/ledger/hash.ts';
import type { JsonProblem } from '../../../documents/json-tree.ts';

export const currentVersion = '1.0';
const currentMajor = 1;

type Fields = { readonly [key: string]: Json };

/** Makes a document of one major version one of the next. */
type Migration = (fields: Fields) => Fields;

/** By the major version that they start from. Version 1.0 is the first one that was published. */
const migrations: ReadonlyMap<number, Migration> = new Map();

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function migrateState(
  value: Json,
  from: ReadonlyMap<number, Migration> = migrations,
): { readonly value: Json } | { readonly problems: JsonProblem[] } {
  const version = isFields(value) && Object.hasOwn(value, 'version') ? value.version : undefined;
  const numbers = typeof version === 'string' ? /^(\d{1,4})\.\d{1,4}$/u.exec(version) : null;
  // The form of the document says what is wrong with a version that is none.
  if (!isFields(value) || numbers === null) return { value };
  const refused = (why: string) => ({ problems: [{ path: 'version', message: `is ${numbers[0]}, ${why}` }] });
  const major = Number(numbers[1]);
  if (major > currentMajor)
    return refused(`and this program reads ${currentMajor}.x: use a newer version of Gatewright`);
  let migrated: Fields = value;
  for (let step = major; step < currentMajor; step += 1) {
    const migrate = from.get(step);
    if (migrate === undefined) return refused(`and no newer version was ever made from ${step}.x`);
    migrated = migrate(migrated);
  }
  return { value: major === currentMajor ? value : { ...migrated, version: currentVersion } };
}
