/**
 * Markdown that a browser would need seconds for: what is nested or left open makes the parser look again and again, and
 * an author can write it on purpose. Such texts are shown as they were written.
 */

/** With all of these together, the slowest text that was found takes a third of a second. */
const longest = 20_000;
/** Lines, and characters that can open or close something. */
const mostMarks = 2_500;
/** Of links and pictures, which are the slowest of them within each other. */
const mostBrackets = 400;

const marks = /[\r\n*_~>]|[-+.)](?=\s)/gu;
const brackets = /\[/gu;
/** A line that opens more quotations and lists within each other than people write. */
const deep = /^[ \t]*(?:(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*){25}/mu;

function count(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Why a text is shown as it was written only, in a sentence; null where Markdown can be rendered. */
export function whyNotRendered(source: string): string | null {
  if (source.length > longest)
    return `The text has ${source.length.toLocaleString('en')} characters. It is shown as it was written, since only texts with up to ${longest.toLocaleString('en')} are rendered.`;
  const isHard =
    count(marks, source) > mostMarks || count(brackets, source) > mostBrackets || deep.test(source);
  if (isHard)
    return 'The text has so many lines, marks or links, or such deep lists, that a browser could need very long to render it. It is shown as it was written.';
  return null;
}
