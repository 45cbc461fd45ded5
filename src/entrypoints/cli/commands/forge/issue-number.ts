/** The number of an issue or a pull request, as people type it: `42` or `#42`. */
import { GatewrightError } from '../../../../errors.ts';

/** Null when it is something else, such as the name of a branch. */
export function findIssueNumber(typed: string): number | null {
  const text = typed.replace(/^#/u, '');
  return /^[1-9]\d{0,8}$/u.test(text) ? Number(text) : null;
}

export function readIssueNumber(typed: string | undefined): number {
  const number = findIssueNumber(typed ?? '');
  if (number === null) throw new GatewrightError('usage', `"${typed ?? ''}" is not an issue number.`);
  return number;
}
