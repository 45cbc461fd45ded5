/** Names of tasks that every worker computes in the same way: no time and no chance in them. */
import { canonicalJson, sha256 } from '../../../../domain/ledger/hash.ts';

/** Words of a title or a criterion as they are compared: small letters, single spaces. */
function normalizeWords(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').toLowerCase();
}

interface TaskOrigin {
  /** Null for a task list without an issue, as older forms have it. */
  readonly issue: number | null;
  readonly title: string;
  /** The uid of the task that found this one. */
  readonly discoveredFrom: string | null;
  /** From 1: the place in the plan, or among the tasks that the same parent found. */
  readonly ordinal: number;
}

/** `tsk_` and 12 hexadecimal digits. */
export function makeTaskUid({ issue, title, discoveredFrom, ordinal }: TaskOrigin): string {
  const text = [issue ?? 'null', normalizeWords(title), discoveredFrom ?? 'null', ordinal].join('|');
  return `tsk_${sha256(text).slice(0, 12)}`;
}

/** The same for two reports of one piece of work by the same parent. Canonical JSON, so that no text can move a border. */
export function discoveryFingerprint(found: {
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  readonly parentUid: string;
}): string {
  const criteria = found.acceptanceCriteria.map(normalizeWords);
  const parts = [normalizeWords(found.title), normalizeWords(found.description), criteria, found.parentUid];
  return sha256(canonicalJson(parts)).slice(0, 12);
}
