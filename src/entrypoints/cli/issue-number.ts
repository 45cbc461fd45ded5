/** An issue number as people type it: `42` or `#42`. */
import { GatewrightError } from '../../errors.ts';

export function readIssueNumber(typed: string | undefined): number {
  const text = (typed ?? '').replace(/^#/u, '');
  if (!/^[1-9]\d{0,8}$/u.test(text))
    throw new GatewrightError('usage', `"${typed ?? ''}" is not an issue number.`);
  return Number(text);
}
