/** Messages of the loop's commits. Titles come from a model or a stranger, and forges read them there. */
import { plainTitle } from '../../../domain/forge/plain-title.ts';

export function taskMessage(
  prefix: string,
  { id, title }: { readonly id: string; readonly title: string },
  issue: number,
): string {
  return `${prefix}(${id}): ${plainTitle(title, issue)} (#${issue})\n\nAcceptance criteria: all passing\n`;
}

export function stateMessage(prefix: string, what: string, issue: number): string {
  return `${prefix}: ${what} (#${issue})\n`;
}
