/** Which issues a pull request says it closes ("Closes #12"), read as GitHub reads it: not in code and not in quotes. */
import type { Nodes } from 'mdast';
import { withoutTangles } from '../text/limit-markdown.ts';
import { parseMarkdown } from '../text/markdown.ts';

const reference = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?[ \t\n]+#([1-9]\d{0,8})(?!\w)/giu;

/** People do not nest deeper than this; a deeper text is only meant to exhaust the stack. */
const deepest = 100;

/**
 * A line that begins with quotes in lists in quotes … takes the parser minutes, and no reader would make sense of it.
 */
const buried = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){20}/u;

/** The words that count. What does not count leaves a mark, so that what stands around it does not grow together. */
function spokenText(node: Nodes, depth = 0): string {
  if (depth > deepest) return '|';
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  if (node.type === 'blockquote' || !('children' in node)) return '|';
  const isBlock = ['root', 'list', 'listItem', 'table', 'tableRow'].includes(node.type);
  return node.children.map((child) => spokenText(child, depth + 1)).join(isBlock ? '|' : '');
}

/** Issue numbers of the same repository, each once, in the order in which they are named. */
export function listClosingReferences(text: string): number[] {
  // Most texts name nothing and need no parser.
  if (text.search(reference) === -1) return [];
  const readable = withoutTangles(text)
    .split('\n')
    .filter((line) => !buried.test(line))
    .join('\n');
  const found = [...spokenText(parseMarkdown(readable)).matchAll(reference)].map((match) => Number(match[1]));
  return [...new Set(found)];
}
