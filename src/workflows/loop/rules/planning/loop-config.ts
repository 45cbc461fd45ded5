/**
 * Reads `.issueloop.config.json` as the tools of the workflow write it. What the file says wins over the profile, the
 * profile over the defaults. A key that is not known is left alone and named in a warning; a value that cannot be used is
 * an error, and all errors are named at once.
 */
import type { z } from 'zod';
import type { Json } from '../../../../domain/ledger/hash.ts';
import { type JsonProblem, jsonValueOf, showPath } from '../../../documents/json-tree.ts';
import { readJsonTree } from '../../../documents/read-json-tree.ts';
import { findInert } from './inert-keys.ts';
import { brownfieldOverlay, loopDefaults } from './loop-config-defaults.ts';
import { commentPrefixKeys, loopConfigSchema } from './loop-config-schema.ts';

export type LoopConfig = z.output<typeof loopConfigSchema>;

type Fields = { readonly [key: string]: Json };

const noPrefixes: Fields = Object.fromEntries(commentPrefixKeys.map((key) => [key, null]));

const largest = 100_000;
const mostProblems = 50;

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ownOf = (fields: Fields, key: string): Json | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

/** The keys of `base`, with the values of `over` where it has one; `null` says nothing. Keys that `base` lacks are left out. */
function lay(base: Json, over: Json | undefined): Json {
  if (over === undefined || over === null) return base;
  if (!isFields(base) || !isFields(over)) return over;
  return Object.fromEntries(Object.entries(base).map(([key, value]) => [key, lay(value, ownOf(over, key))]));
}

/** Keys that no default has. Editors and people write the two of the first line into any JSON file. */
function findUnknown(given: Fields, known: Fields, path: readonly string[]): JsonProblem[] {
  return Object.entries(given).flatMap(([key, value]): JsonProblem[] => {
    if (path.length === 0 && ['$schema', 'description'].includes(key)) return [];
    const here = [...path, key];
    const base = ownOf(known, key);
    if (base === undefined) return [{ path: showPath(here), message: 'is not known and has no effect' }];
    return isFields(value) && isFields(base) ? findUnknown(value, base, here) : [];
  });
}

/** Labels and headings tell stages apart: two of them may not be the same. */
function findSame(fields: Readonly<Record<string, string | undefined>>, name: string): JsonProblem[] {
  const first = new Map<string, string>();
  return Object.entries(fields).flatMap(([key, value]) => {
    const folded = value?.trim().toLowerCase();
    if (folded === undefined) return [];
    const earlier = first.get(folded);
    if (earlier !== undefined)
      return [{ path: `${name}.${key}`, message: `is the same as ${name}.${earlier}` }];
    first.set(folded, key);
    return [];
  });
}

function limit(problems: readonly JsonProblem[]): JsonProblem[] {
  const more = problems.length - mostProblems;
  if (more <= 0) return [...problems];
  return [...problems.slice(0, mostProblems), { path: '', message: `and ${more} more` }];
}

/** Reads the text of the file; `null` when there is none. */
export function readLoopConfig(
  text: string | null,
): { config: LoopConfig; warnings: JsonProblem[] } | { problems: JsonProblem[] } {
  if (text !== null && text.length > largest)
    return { problems: [{ path: '', message: `has more than ${largest} characters` }] };
  const read = readJsonTree(text ?? '{}');
  if ('problems' in read) return { problems: limit(read.problems) };
  const given = jsonValueOf(read.tree.root);
  if (!isFields(given)) return { problems: [{ path: '', message: 'has to be an object' }] };
  const execution = ownOf(given, 'execution');
  const isBrownfield = isFields(execution) && ownOf(execution, 'profile') === 'brownfield';
  const base = (isBrownfield ? lay(loopDefaults, brownfieldOverlay) : loopDefaults) as Fields;
  const whole = lay({ ...base, commentPrefixes: noPrefixes }, given) as Fields;
  const prefixes = whole.commentPrefixes;
  // Those that the file does not name stay out: the comments have defaults of their own.
  const named = isFields(prefixes)
    ? Object.fromEntries(Object.entries(prefixes).filter(([, value]) => value !== null))
    : prefixes;
  const parsed = loopConfigSchema.safeParse({ ...whole, commentPrefixes: named });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path: showPath(path), message }));
    return { problems: limit(problems) };
  }
  const same = [
    ...findSame(parsed.data.labels, 'labels'),
    ...findSame(parsed.data.commentPrefixes, 'commentPrefixes'),
  ];
  if (same.length > 0) return { problems: same };
  return {
    config: parsed.data,
    warnings: limit([
      ...findUnknown(given, { ...loopDefaults, commentPrefixes: noPrefixes }, []),
      ...findInert(given),
    ]),
  };
}
