/** What a passed task learned about the code, kept in prd.json. The words are an agent's: bounded, and without secrets. */
import { hideTokens } from '../../../../domain/changes/hide-tokens.ts';
import { isPlainPath } from '../../../../domain/changes/plain-path.ts';
import { canonicalJson, type Json, sha256 } from '../../../../domain/ledger/hash.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { editJson } from './edit-json.ts';
import { readPrd } from './prd.ts';

export interface TaskPattern {
  readonly statement: string;
  readonly scope: string;
  readonly files: readonly string[];
  readonly confidence: number;
}

const mostKept = 200;

/** The patterns of a report that are sure enough, in its order and not more than so many. */
export function choosePatterns(
  patterns: readonly TaskPattern[],
  {
    minConfidence,
    maxPatternsPerTask,
  }: { readonly minConfidence: number; readonly maxPatternsPerTask: number },
): TaskPattern[] {
  return patterns
    .map((pattern) => ({
      statement: escapeForLine(hideTokens(pattern.statement), 300).trim(),
      scope: escapeForLine(hideTokens(pattern.scope), 80).trim(),
      files: pattern.files.filter(isPlainPath).slice(0, 5),
      confidence: pattern.confidence,
    }))
    .filter(({ statement, confidence }) => statement !== '' && confidence >= minConfidence)
    .slice(0, maxPatternsPerTask);
}

const wordsOf = (text: string | null | undefined): string =>
  (text ?? '').trim().replace(/\s+/gu, ' ').toLowerCase();

/** The same for the same words about the same part of the code. */
function keyOf(statement: string | null | undefined, scope: string | null | undefined): string {
  return `ptn_${sha256(canonicalJson([wordsOf(statement), wordsOf(scope)])).slice(0, 12)}`;
}

/** prd.json with these patterns in `memory.patterns`, each once. */
export function rememberPatterns(
  text: string,
  patterns: readonly TaskPattern[],
  from: {
    readonly issue: number;
    readonly taskId: string;
    readonly taskUid: string;
    readonly commit: string;
    readonly createdAt: string;
    readonly syncedDocs: readonly string[];
  },
): string {
  const read = readPrd(text);
  if ('problems' in read || patterns.length === 0) return text;
  const { memory } = JSON.parse(text) as { memory?: { patterns?: Json[] | null } | null };
  const known = read.prd.memory?.patterns ?? [];
  const keys = new Set(known.map(({ key, statement, scope }) => key ?? keyOf(statement, scope)));
  const added = patterns.flatMap(({ statement, scope, files, confidence }): Json[] => {
    const key = keyOf(statement, scope);
    if (keys.has(key)) return [];
    keys.add(key);
    const { syncedDocs, ...origin } = from;
    return [{ key, statement, scope, files: [...files], confidence, ...origin, syncedDocs: [...syncedDocs] }];
  });
  if (added.length === 0) return text;
  const all = [...(memory?.patterns ?? []), ...added].slice(-mostKept);
  return editJson(text, [{ path: ['memory'], value: { ...(memory ?? {}), patterns: all } }]);
}
