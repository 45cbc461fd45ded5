/**
 * What of a template is brought over. Three lists of files are compared: the template when it was last brought over,
 * the template now, and ours. Where both sides changed a file, its content is merged; where that is not possible, the
 * file stays as it is here and is named, and never gets conflict marks.
 */

import type { TreeFile } from '../../../domain/changes/tree-file.ts';
import { inertCode } from '../../../domain/text/inert-markdown.ts';

export interface TemplateFacts {
  /** Null the first time: then whatever differs is proposed, and nothing is removed. */
  readonly before: readonly TreeFile[] | null;
  readonly now: readonly TreeFile[];
  readonly ours: readonly TreeFile[];
  readonly isIgnored: (path: string) => boolean;
  /** Of the template, what must not come into a repository. */
  readonly unsafe: readonly string[];
}

export interface TemplatePlan {
  /** As they are in the template; those that are gone there are removed. */
  readonly take: readonly string[];
  /** Changed on both sides. */
  readonly merge: readonly string[];
  readonly conflicts: readonly string[];
  /** Changed in the template, and removed here on purpose. */
  readonly gone: readonly string[];
  /** Wanted, and must not come in. */
  readonly refused: readonly string[];
}

type Fate = keyof TemplatePlan | null;

function isSame(one: TreeFile | undefined, other: TreeFile | undefined): boolean {
  return one?.object === other?.object && one?.kind === other?.kind;
}

function isText(file: TreeFile): boolean {
  return file.kind === 'file' || file.kind === 'program';
}

/** Whether a file stands where a folder has to be, or the other way round. */
function standsInTheWay(path: string, ours: ReadonlySet<string>, folders: ReadonlySet<string>): boolean {
  if (folders.has(path)) return true;
  const parts = path.split('/');
  return parts.some((_, index) => index > 0 && ours.has(parts.slice(0, index).join('/')));
}

export function planTemplate({ before, now, ours, isIgnored, unsafe }: TemplateFacts): TemplatePlan {
  const byPath = (files: readonly TreeFile[]) => new Map(files.map((file) => [file.path, file] as const));
  const [old, theirs, own] = [byPath(before ?? []), byPath(now), byPath(ours)];
  const isRemoved = (path: string): boolean =>
    !isIgnored(path) && old.has(path) && !theirs.has(path) && isSame(own.get(path), old.get(path));
  const names = new Set([...own.keys()].filter((path) => !isRemoved(path)));
  const folders = new Set(
    [...names].flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
  );
  const notAllowed = new Set(unsafe);
  const decide = (path: string): Fate => {
    const [was, is, mine] = [old.get(path), theirs.get(path), own.get(path)];
    if (isIgnored(path) || isSame(is, mine) || (before !== null && isSame(is, was))) return null;
    if (is === undefined) return isSame(mine, was) ? 'take' : 'conflicts';
    if (notAllowed.has(path)) return 'refused';
    if (standsInTheWay(path, names, folders)) return 'conflicts';
    if (before === null || isSame(mine, was)) return 'take';
    if (mine === undefined) return 'gone';
    if (was === undefined || ![was, is, mine].every(isText)) return 'conflicts';
    return 'merge';
  };
  const plan: Record<keyof TemplatePlan, string[]> = {
    take: [],
    merge: [],
    conflicts: [],
    gone: [],
    refused: [],
  };
  for (const path of [...new Set([...old.keys(), ...theirs.keys()])].sort()) {
    const fate = decide(path);
    if (fate !== null) plan[fate].push(path);
  }
  return plan;
}

export interface SyncReport {
  readonly source: string;
  readonly template: string;
  readonly since: string | null;
  readonly taken: readonly string[];
  readonly merged: readonly string[];
  readonly conflicts: readonly string[];
  readonly gone: readonly string[];
  readonly refused: readonly string[];
}

const mostShown = 100;

function part(heading: string, note: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, mostShown).map((path) => `- ${inertCode(path, 300)}`);
  const more = paths.length > shown.length ? [`- and ${paths.length - shown.length} more`] : [];
  return ['', `## ${heading}`, '', ...(note === '' ? [] : [note, '']), ...shown, ...more];
}

export function renderSync(report: SyncReport): string {
  const { source, template, since } = report;
  const span =
    since === null
      ? `as of ${template.slice(0, 12)}; it is the first time, so that every file of the template that differs here is in it`
      : `from ${since.slice(0, 12)} to ${template.slice(0, 12)}`;
  return [
    `This brings over what changed in the template ${inertCode(source)}, ${span}. Files of a template steer builds and agents, so that a person has to look at it; it is never merged by an agent.`,
    ...part(
      'Conflicts',
      'These were changed here and in the template in ways that do not fit. They are left as they are here; bring the changes over by hand.',
      report.conflicts,
    ),
    ...part(
      'Must not come in',
      'Links that lead outside, repositories, or names that are none.',
      report.refused,
    ),
    ...part('Removed here, changed in the template', 'They stay removed.', report.gone),
    ...part('As in the template', '', report.taken),
    ...part('Merged with changes made here', '', report.merged),
    '',
    'To keep a path out of this, list it in `.templatesyncignore`. Closing this pull request declines the changes: the next one begins after them.',
    '',
  ].join('\n');
}

/** Of a template of which nothing could be brought over. */
export function renderConflicts(report: SyncReport): string {
  const { source, template } = report;
  return [
    `Nothing could be brought over from the template ${inertCode(source)} up to ${template.slice(0, 12)}: all that changed there was changed here as well, in ways that do not fit.`,
    ...part('Conflicts', 'Bring these changes over by hand.', report.conflicts),
    ...part(
      'Must not come in',
      'Links that lead outside, repositories, or names that are none.',
      report.refused,
    ),
    '',
    'To keep a path out of this, list it in `.templatesyncignore`.',
    '',
  ].join('\n');
}
