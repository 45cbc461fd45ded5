/**
 * A Markdown parser pairs marks of emphasis, links and HTML with each other. With thousands of them in one place that
 * takes minutes, and a stranger may write such a comment. Such a place carries no meaning, so it is left out before
 * parsing.
 */

/** So many are parsed in well under a second, wherever they stand. */
const mostMarks = 2000;
/** In one run of lines without an empty one between them, in a text that has too many. */
const mostInBlock = 300;

const fence = /^[ \t>]*(?:`{3,}|~{3,})/u;

function countMarks(text: string): number {
  let count = 0;
  for (const character of text) if ('*_~<[]'.includes(character)) count += 1;
  return count;
}

/** Whether parsing a text as it is would take too long. */
export function isTangled(text: string): boolean {
  return countMarks(text) > mostMarks;
}

/** What may begin an element of HTML. */
const tag = /<(?:[!?]|\/?[a-z][a-z0-9-]*(?:[\s/>]|$))/imu;

/** A line under another that makes a heading of it. */
const underline = /^[ \t>]*(?:-+|=+)[ \t]*$/gmu;
/** Each takes the parser as long as everything before it. */
const mostUnderlines = 300;

/** The text up to the place from which there are so many that they carry no meaning. */
function untilUnderlined(text: string): string {
  let count = 0;
  for (const { index } of text.matchAll(underline)) {
    count += 1;
    if (count > mostUnderlines) return text.slice(0, index);
  }
  return text;
}

/** Runs of lines without an empty one between them, and the empty ones. */
function listBlocks(text: string): string[][] {
  const blocks: string[][] = [];
  let isEmpty = true;
  for (const line of text.split(/\r\n?|\n/u)) {
    const wasEmpty = isEmpty;
    isEmpty = line.trim() === '';
    const last = blocks.at(-1);
    if (last === undefined || isEmpty || wasEmpty) blocks.push([line]);
    else last.push(line);
  }
  return blocks;
}

/**
 * The text without its tangles. Fences stay, so that code stays code. What goes on after a tangle and would look like
 * something else without it goes too: lines that are indented, which may belong to a box or a quote, and after HTML
 * everything, since the element may not have ended. A comment in HTML would lose its beginning: a text that has both says
 * nothing.
 */
export function withoutTangles(whole: string): string {
  const text = untilUnderlined(whole);
  if (!isTangled(text)) return text;
  if (text.includes('<!--')) return '';
  const lines: string[] = [];
  let isAfterTangle = false;
  for (const block of listBlocks(text)) {
    const words = block.join('\n');
    if (countMarks(words) > mostInBlock) {
      if (tag.test(words)) break;
      lines.push(...block.filter((line) => fence.test(line) && countMarks(line) < 10));
      isAfterTangle = true;
      continue;
    }
    const isEmpty = words.trim() === '';
    if (isAfterTangle && !isEmpty && /^[ \t]/u.test(words)) continue;
    if (!isEmpty) isAfterTangle = false;
    lines.push(...block);
  }
  return lines.join('\n');
}
