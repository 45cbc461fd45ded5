/**
 * Compiling a schema takes longer than all that is checked with it, so what has the shape of something that fits is not
 * checked again: not by this process, and not by the others of the same test run.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from './json-schema.ts';

/** Where the word itself decides and not only that it is one. */
const wordKeys = [
  ...[
    'state',
    'status',
    'conclusion',
    'type',
    'content',
    'author_association',
    'permission',
    'event',
    'action',
  ],
  ...[
    'mergeable_state',
    'side',
    'subject_type',
    'repository_selection',
    'role_name',
    'visibility',
    'state_reason',
  ],
  ...['merge_method', 'sort', 'direction', 'filter', 'user_view_type', 'code', 'reason'],
];

function shapeOfText(text: string, key: string): string {
  // GraphQL's own words are told from those of people by their spelling.
  if (wordKeys.includes(key) || key === '__typename' || /^[A-Z][A-Z_]+$/u.test(text)) return text;
  if (/^[0-9a-f]{40}$/u.test(text)) return 'commit';
  if (/^[a-z]+:\/\/\S+$/u.test(text)) return 'address';
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/u.test(text)) return 'moment';
  if (/^\S+@\S+$/u.test(text)) return 'mail';
  return text === '' ? 'empty' : 'text';
}

/** Everything that a schema of GitHub's looks at, and little else. */
function shapeOf(value: unknown, key: string): unknown {
  if (typeof value === 'string') return shapeOfText(value, key);
  if (typeof value === 'number')
    return Number.isInteger(value) ? (value < 0 ? 'negative' : 'integer') : 'number';
  if (Array.isArray(value)) {
    const shapes = new Map(value.map((one) => [JSON.stringify(shapeOf(one, key)), shapeOf(one, key)]));
    return [value.length === 0 ? 'none' : 'some', ...shapes.values()];
  }
  if (!isRecord(value)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner, name)]));
}

const known = new Set<string>();

function markOf(key: string): string | null {
  const folder = process.env.GATEWRIGHT_TEST_PACKAGE;
  return folder === undefined ? null : join(folder, 'fitting-shapes', key);
}

/** Checks what has no known shape, and remembers the shape when nothing is wrong with it. */
export function checkShape(scope: string, value: unknown, check: () => string[]): string[] {
  const key = createHash('sha256')
    .update(JSON.stringify([scope, shapeOf(value, '')]))
    .digest('hex');
  const mark = markOf(key);
  if (known.has(key) || (mark !== null && existsSync(mark))) {
    known.add(key);
    return [];
  }
  const wrong = check();
  if (wrong.length > 0) return wrong;
  known.add(key);
  if (mark !== null) {
    mkdirSync(join(mark, '..'), { recursive: true });
    writeFileSync(mark, '');
  }
  return [];
}
