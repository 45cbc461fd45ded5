/** The first lines by which the comments of the loop are recognised. */
import { hasUnsafeCharacters } from '../../../../domain/text/untrusted-text.ts';

/** The names are those of `commentPrefixes` in `.issueloop.config.json`. */
export const commentPrefixes = {
  plan: '## 📋 Implementation Plan',
  approved: '## ✅ Plan Approved',
  taskLog: '## 📝 Task Log:',
  discovery: '## 🔍 Discovery Note',
  compactedSummary: '## 🧾 Compacted Summary',
  wisp: '## 🪶 Wisp',
  replanCheckpoint: '## 🔁 Replan Checkpoint',
  testingCheckpoint: '## 🧪 Testing Checkpoint',
  debugSession: '## 🔧 Debug Session',
  debugFixed: '## ✅ Debug Fix Applied',
  debugBlocked: '## 🚫 Debug Blocked',
  finalReport: '## 📊 Final Report',
} as const;

export type CommentKind = keyof typeof commentPrefixes;
export type CommentPrefixes = Readonly<Record<CommentKind, string>>;

const kinds = Object.keys(commentPrefixes) as CommentKind[];

/** A heading with words in it, and nothing that Markdown or a forge acts on. */
const usable = /^#{1,6} (?=.*\p{L})[^`*_~[\]<>#|\\&@]{1,80}$/u;

/** The prefix without its emoji: people and older tools write it so. */
function wordsOf(prefix: string): string {
  return prefix.replaceAll('\uFE0F', '').replace(/^(#{1,6} )(?:\p{Extended_Pictographic}\s*)+/u, '$1');
}

/**
 * The prefixes with those of a configuration in their place. One that is no plain heading, or that could be taken for
 * the prefix of another kind, is left out.
 */
export function choosePrefixes(overrides: Readonly<Record<string, unknown>> = {}): CommentPrefixes {
  const chosen: Record<CommentKind, string> = { ...commentPrefixes };
  for (const kind of kinds) {
    const wanted = Object.hasOwn(overrides, kind) ? overrides[kind] : undefined;
    if (typeof wanted !== 'string' || !usable.test(wanted) || hasUnsafeCharacters(wanted)) continue;
    const prefix = wanted.trimEnd();
    const words = wordsOf(prefix);
    const isTaken = kinds.some((other) => {
      const theirs = wordsOf(chosen[other]);
      return other !== kind && (begins(theirs, words) || begins(words, theirs));
    });
    if (!isTaken) chosen[kind] = prefix;
  }
  return chosen;
}

/** Whether a line is the prefix, or the prefix with more behind it as a word of its own. */
function begins(line: string, prefix: string): boolean {
  if (!line.startsWith(prefix)) return false;
  return prefix.endsWith(':') || /^(?:$|[\s:])/u.test(line.slice(prefix.length));
}

/** What the first line says that a comment is, and what stands behind the prefix; null for any other comment. */
export function readHeading(
  body: string,
  prefixes: CommentPrefixes = commentPrefixes,
): { readonly kind: CommentKind; readonly rest: string } | null {
  // Longer than any first line that we write: it is cut before it is compared. A byte order mark does not count.
  const [first = ''] = body.slice(0, 2000).split(/[\r\n]/u, 1);
  const line = first
    .replace(/^\uFEFF/u, '')
    .replaceAll('\uFE0F', '')
    .trimEnd();
  for (const kind of kinds) {
    const prefix = prefixes[kind].replaceAll('\uFE0F', '');
    const found = [prefix, wordsOf(prefix)].find((one) => begins(line, one));
    if (found !== undefined) return { kind, rest: line.slice(found.length).trim() };
  }
  return null;
}

export function kindOfComment(body: string, prefixes: CommentPrefixes = commentPrefixes): CommentKind | null {
  return readHeading(body, prefixes)?.kind ?? null;
}
