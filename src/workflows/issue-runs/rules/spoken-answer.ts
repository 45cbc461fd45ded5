/** A comment taken apart as an answer: only the writer's own words count, without the call to the agent. */
import { isPartlyRead, spokenLines, withoutMention } from '../../../domain/spoken/spoken-text.ts';

/** What a person said in a comment, read as an answer. */
export interface SpokenAnswer {
  readonly choice: string;
  readonly feedback?: string;
}

/** The writer's lines without the call to the agent. */
export function linesOf(body: string, handle: string): string[] {
  return spokenLines(body)
    .flat()
    .map((line) => withoutMention(line, handle))
    .filter((line) => line !== '');
}

/** The first word, in lower case, and what follows it; null when there are no words, or more than can be read. */
export function cutFirstWord(
  body: string,
  handle: string,
): { readonly word: string; readonly rest: string } | null {
  if (isPartlyRead(body)) return null;
  const [first = '', ...lines] = linesOf(body, handle);
  const [, word = '', rest = ''] = /^([A-Za-z]+)(?:$|[\s:,.;!–—-]+)(.*)$/su.exec(first) ?? [];
  return word === '' ? null : { word: word.toLowerCase(), rest: [rest, ...lines].join('\n').trim() };
}
