/** What somebody says in a comment themselves: without code, quotes, HTML and links' targets, which others may have written. */
import type { Nodes } from 'mdast';
import { parseMarkdown } from './markdown.ts';
import { withoutTangles } from './untangle.ts';

/** Nobody writes this deep; a text that does is only meant to exhaust the stack. */
const deepest = 50;

function collect(node: Nodes, blocks: string[], gap: string, depth: number): void {
  if (depth > deepest) return;
  if (node.type === 'paragraph' || node.type === 'heading') {
    blocks.push(inline(node, gap, depth).replace(/\s+/gu, ' ').trim());
    return;
  }
  if (node.type === 'code' || node.type === 'table') blocks.push(gap.trim());
  // Quotes are somebody else's words; code, HTML and tables are not speech.
  if (node.type === 'blockquote' || node.type === 'table' || !('children' in node)) return;
  for (const child of node.children) collect(child, blocks, gap, depth + 1);
}

function inline(node: Nodes, gap: string, depth: number): string {
  if (depth > deepest) return '';
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  // Something stood there: leaving nothing would join the words around it.
  if (node.type === 'html') return ' ';
  if (node.type === 'inlineCode' || node.type === 'image') return gap;
  return 'children' in node ? node.children.map((child) => inline(child, gap, depth + 1)).join('') : '';
}

/**
 * The paragraphs, headings and list items that are the writer's own words, each on one line.
 * @param gap stands for code and pictures, which are no words, for whoever has to know that there was something
 */
export function spokenBlocks(markdown: string, gap = ' '): string[] {
  const blocks: string[] = [];
  collect(parseMarkdown(withoutTangles(markdown)), blocks, gap, 0);
  return blocks.filter((block) => block !== '');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}

/** Whether the writer calls somebody by `@handle`; longer names, addresses and what others said do not count. */
export function mentions(markdown: string, handle: string): boolean {
  const pattern = new RegExp(`(?<![\\w@./-])@${escapePattern(handle)}(?![\\w-]|\\.\\w)`, 'iu');
  return spokenBlocks(markdown).some((block) => pattern.test(block));
}

/** The writer's own words without the call to `@handle`. */
export function withoutMention(block: string, handle: string): string {
  return block
    .replace(new RegExp(`(?<![\\w@./-])@${escapePattern(handle)}(?![\\w-]|\\.\\w)[,:]?`, 'giu'), ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
