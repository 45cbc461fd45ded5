/** What the commands of `forge …` are given, read in one way: texts from files, lists of names. */
import { readFileSync } from 'node:fs';
import { GatewrightError, systemErrorCode } from '../../../../errors.ts';
import type { Given } from '../../table/command.ts';

/** `--body`, or what is in `--body-file`; null when neither was given. */
export function bodyOf(given: Given): string | null {
  const file = given.text('body-file');
  if (file === null) return given.text('body');
  if (given.text('body') !== null) throw new GatewrightError('usage', 'Give one of --body and --body-file.');
  return readGivenFile(file);
}

/** A file that was named; - is standard input. */
export function readGivenFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new GatewrightError('usage', `The file ${file} cannot be read (${systemErrorCode(cause)}).`, {
      hint: 'Check the path.',
      cause,
    });
  }
}

/** As many as `gh` lists, unless another number was given. */
const usualLimit = 30;

export function limitOf(given: Given): number {
  return given.count('limit') ?? usualLimit;
}

/** Names that may be given one by one or with commas. */
export function namesOf(given: Given, option: string): string[] {
  return given.texts(option).flatMap((names) => names.split(','));
}

/** Labels and assignees to put on and take off. */
export interface Sorting {
  readonly addLabels: readonly string[];
  readonly removeLabels: readonly string[];
  readonly addAssignees: readonly string[];
  readonly removeAssignees: readonly string[];
}

export function sortingOf(given: Given): Sorting {
  return {
    addLabels: namesOf(given, 'add-label'),
    removeLabels: namesOf(given, 'remove-label'),
    addAssignees: namesOf(given, 'add-assignee'),
    removeAssignees: namesOf(given, 'remove-assignee'),
  };
}
