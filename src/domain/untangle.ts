/**
 * Marks of emphasis, links and HTML are paired with each other by a Markdown parser. With thousands of them in one place
 * that takes minutes, and anybody may write such a comment. Nobody means anything by it, so it is left out before parsing.
 */

/** So many are parsed in well under a second, wherever they stand. */
const mostMarks = 2000;
/** In one run of lines without an empty one between them, in a text that has too many. */
const mostInBlock = 300;

const fence = /^[ \t>]*(?:`{3,}|~{3,})/u;

function countMarks(text: string): number {
  let count = 0;
  for (const character of text) if ('*_<[]'.includes(character)) count += 1;
  return count;
}

/** Whether parsing a text as it is would take too long. */
export function isTangled(text: string): boolean {
  return countMarks(text) > mostMarks;
}

/**
 * The text without its tangles. Fences stay, so that code stays code. A comment in HTML would lose its beginning: a text
 * that has both says nothing.
 */
export function withoutTangles(text: string): string {
  if (!isTangled(text)) return text;
  if (text.includes('<!--')) return '';
  let block: string[] = [];
  const lines: string[] = [];
  const flush = (): void => {
    const isHeavy = countMarks(block.join('\n')) > mostInBlock;
    lines.push(...(isHeavy ? block.filter((line) => fence.test(line) && countMarks(line) < 10) : block));
    block = [];
  };
  for (const line of text.split(/\r\n?|\n/u)) {
    if (line.trim() === '') {
      flush();
      lines.push('');
    } else block.push(line);
  }
  flush();
  return lines.join('\n');
}
