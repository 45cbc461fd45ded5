/**
 * What a passed task learned is written into the managed section of `AGENTS.md` and `CLAUDE.md`, by us, beside prd.json.
 * Agents of this loop do not read it there: they get these files from the base branch, and so only what a person merged.
 */
import type { LoopContext } from '../loop-context.ts';
import { updatePatternSection } from '../rules/context/pattern-section.ts';
import { choosePatterns, rememberPatterns, type TaskPattern } from '../rules/document/remember-patterns.ts';
import type { LoopConfig } from '../rules/planning/loop-config.ts';

interface Kept {
  /** The patterns that were sure enough. */
  readonly patterns: readonly TaskPattern[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Documents whose section is damaged: they stay as they are. */
  readonly notes: readonly string[];
}

/** Changes of documents that are there, as ordinary files; none is made, and a link is not followed. */
export async function keepPatterns(
  { trees, workspaces }: Pick<LoopContext, 'trees' | 'workspaces'>,
  { memory }: Pick<LoopConfig, 'memory'>,
  head: string,
  reported: readonly TaskPattern[],
): Promise<Kept> {
  const patterns = choosePatterns(reported, memory);
  const { autoSyncDocs, docTargets, managedSectionMarker: marker } = memory;
  if (patterns.length === 0 || !autoSyncDocs) return { patterns, files: [], notes: [] };
  const there = new Set(
    (await trees.listFiles(head)).flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])),
  );
  const files: { path: string; text: string }[] = [];
  const notes: string[] = [];
  for (const path of new Set(docTargets)) {
    const before = there.has(path) ? await workspaces.readFile(head, path) : null;
    if (before === null) continue;
    const updated = updatePatternSection(before, patterns, { marker });
    if ('problem' in updated) notes.push(`The patterns were not added to ${path}: ${updated.problem}.`);
    else if (updated.text !== before) files.push({ path, text: updated.text });
  }
  return { patterns, files, notes };
}

/** prd.json with the patterns of the task. */
export function withPatterns(
  text: string,
  { patterns, files }: Kept,
  from: Omit<Parameters<typeof rememberPatterns>[2], 'syncedDocs'>,
): string {
  return rememberPatterns(text, patterns, { ...from, syncedDocs: files.map(({ path }) => path) });
}
