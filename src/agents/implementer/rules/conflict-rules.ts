/** Which conflicts with the base the implementer settles, and what it says about them. Pure. */

import { isSteeringPath } from '../../../domain/changes/path-class.ts';
import { asCode, callPerson } from '../../../domain/text/comment-parts.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

interface Conflict {
  readonly path: string;
  readonly kinds: readonly string[];
  readonly isFile: boolean;
}

/** What git calls the conflicts that can be read in the files themselves. Every other kind is left to a person. */
const settledKinds: ReadonlySet<string> = new Set(['contents', 'modify/delete', 'rename/delete']);

function whyByHand({ path, kinds, isFile }: Conflict): string | null {
  if (isSteeringPath(path)) return 'it steers builds or agents';
  if (kinds.includes('binary')) return 'it is a binary file';
  if (!isFile) return 'it is not an ordinary file on both sides';
  const other = kinds.find((kind) => !settledKinds.has(kind));
  return kinds.length === 0 || other !== undefined ? `git calls it ${other ?? 'a conflict'}` : null;
}

/** Conflicts that only a person settles, one sentence each. */
export function listByHand(conflicts: readonly Conflict[]): string[] {
  return conflicts.flatMap((conflict) => {
    const why = whyByHand(conflict);
    return why === null ? [] : [`${escapeForLine(conflict.path, 200)}: ${why}`];
  });
}

const mostPaths = 20;

function list(items: readonly string[]): string[] {
  const shown = items.slice(0, mostPaths).map((item) => `- ${asCode(item)}`);
  return items.length <= mostPaths ? shown : [...shown, `- and ${items.length - mostPaths} more`];
}

interface MetConflict {
  readonly person: string | null;
  readonly handle: string;
  /** The branch that it is to be merged into. */
  readonly base: string;
  readonly paths: readonly string[];
}

function howToGoOn({ handle, base }: MetConflict): string {
  return `To go on, merge ${asCode(base)} into the branch of this pull request, settle the conflicts and push; or mention \`@${handle}\` here and say how to settle them; or close the pull request.`;
}

export function conflictLimitComment(met: MetConflict & { readonly rounds: number }): string {
  return [
    `${callPerson(met.person)}This pull request conflicts with ${asCode(met.base)} again after ${countOf(met.rounds, 'attempt')} to bring it up to date, so a person is needed. These files conflict:`,
    '',
    ...list(met.paths),
    '',
    howToGoOn(met),
    '',
  ].join('\n');
}

export function conflictLimitOnIssue(pull: number, person: string | null, rounds: number): string {
  return `${callPerson(person)}The pull request #${pull} for this issue is stuck: it conflicts with its base after ${countOf(rounds, 'attempt')} to bring it up to date. The comment there says how to go on.\n`;
}

/** @param byHand sentences that name a file each */
export function conflictByHandComment(met: MetConflict, byHand: readonly string[]): string {
  return [
    `${callPerson(met.person)}This pull request conflicts with ${asCode(met.base)}, and a person has to settle it, because of:`,
    '',
    ...list(byHand),
    '',
    howToGoOn(met),
    '',
  ].join('\n');
}

/** The message of the commit that merges the base in. */
export function mergeMessage(
  { branch, base, number }: { readonly branch: string; readonly base: string; readonly number: number },
  paths: readonly string[],
): string {
  const names = paths.slice(0, mostPaths).map((path) => `- ${escapeForLine(path, 200)}`);
  const more = paths.length <= mostPaths ? [] : [`- and ${paths.length - mostPaths} more`];
  const title = `Merge ${escapeForLine(base, 80)} into ${escapeForLine(branch, 80)}`;
  return `${title}\n\nFor #${number}. These files were in conflict:\n\n${[...names, ...more].join('\n')}\n`;
}
