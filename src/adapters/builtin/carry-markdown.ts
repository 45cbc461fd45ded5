/**
 * Carries Markdown from one document into another as its own source. Whatever is moved is parsed again in its new place:
 * if it would mean anything else there (code that becomes words, words that become a heading), it is not moved that way.
 */
import type { ListItem, Nodes, RootContent } from 'mdast';
import { parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { plainWords } from './brief-sentences.ts';

type Shape = string | readonly Shape[];

function ownShape(node: Nodes): Shape[] {
  switch (node.type) {
    case 'text':
      return [node.value.replace(/\s+/gu, ' ')];
    case 'inlineCode':
      return [node.value.replace(/\n[ \t]*/gu, ' ')];
    case 'html':
      return [node.value.replace(/\s+/gu, ' ').trim()];
    case 'code':
      return [node.value, node.lang ?? '', node.meta ?? ''];
    case 'link':
      return [node.url, node.title ?? ''];
    case 'image':
      return [node.url, node.title ?? '', node.alt ?? ''];
    case 'imageReference':
      return [node.identifier, node.referenceType, node.alt ?? ''];
    case 'linkReference':
      return [node.identifier, node.referenceType];
    case 'list':
      return [node.ordered === true ? 'ordered' : ''];
    default:
      return [];
  }
}

function shape(node: Nodes): Shape {
  const box = node.type === 'listItem' && typeof node.checked === 'boolean' ? [node.checked ? 'x' : 'o'] : [];
  const children = 'children' in node ? shapes(node.children) : [];
  return [node.type, ...box, ...ownShape(node), ...children];
}

/** Spaces at the ends of a paragraph are not shown. */
function shapes(nodes: readonly Nodes[]): Shape[] {
  return nodes.filter((node) => node.type !== 'definition').map(shape);
}

/** Whether two pieces of Markdown mean the same, wherever they stand. */
function meansTheSame(one: readonly Nodes[], other: readonly Nodes[]): boolean {
  return JSON.stringify(shapes(one)) === JSON.stringify(shapes(other));
}

const nextTitle = 'The next section';

/** The tree of a piece that stands in a document of its own, with what its references point at; null when it does not end. */
export function parsePiece(text: string, definitions: string): readonly RootContent[] | null {
  const nodes = parseMarkdown(`${text}\n\n# ${nextTitle}\n\n${definitions}`).children;
  const end = nodes.findIndex(
    (node) => node.type === 'heading' && node.depth === 1 && plainText(node) === nextTitle,
  );
  return end === -1 ? null : nodes.slice(0, end);
}

/** Where the line begins on which a node begins, if nothing but white space stands before the node. */
function lineStart(source: string, offset: number): number {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  return source.slice(start, offset).trim() === '' ? start : offset;
}

function startOf(source: string, node: Nodes): number {
  return lineStart(source, node.position?.start.offset ?? 0);
}

function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

/** The source of a block with the white space before it, which is part of its meaning. */
function blockSource(source: string, node: Nodes): string {
  return source.slice(startOf(source, node), endOf(node));
}

/** The source from one block to another, with the white space before the first. */
export function spanSource(source: string, first: Nodes, last: Nodes): string {
  return source.slice(startOf(source, first), endOf(last));
}

/** The source of some blocks in order. Blocks that stand one after the other keep what is between them. */
export function blocksSource(source: string, nodes: readonly RootContent[], all: readonly Nodes[]): string {
  let text = '';
  nodes.forEach((node, index) => {
    const before = nodes[index - 1];
    const isNext = before !== undefined && all.indexOf(node) === all.indexOf(before) + 1;
    text += isNext
      ? source.slice(endOf(before), endOf(node))
      : `${before === undefined ? '' : '\n\n'}${blockSource(source, node)}`;
  });
  return text;
}

/** A tab that begins a line of a quote would be shorter than before; only that one tab is written as spaces. */
export function quote(text: string): string {
  return text
    .replace(/^\n+|\s+$/gu, '')
    .split('\n')
    .map((line) => `> ${line.replace(/^( {0,3})\t/u, '    ')}`.trimEnd())
    .join('\n');
}

/** As code, to the letter. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}markdown\n${text.replace(/\n+$/u, '')}\n${ticks}`;
}

/** Text that stays what it is: as it stands, else as a quote, else as code. */
export function carryBlocks(text: string, nodes: readonly RootContent[], definitions: string): string {
  const whole = text.replace(/^\n+|\s+$/gu, '');
  const plain = parsePiece(whole, definitions);
  if (plain !== null && meansTheSame(plain, nodes)) return whole;
  const quoted = quote(whole);
  return isQuoteOf(quoted, nodes, definitions) ? quoted : fence(whole);
}

/** Text that stands apart from what is around it: as a quote, else as code. */
export function carryQuote(text: string, nodes: readonly RootContent[], definitions: string): string {
  const quoted = quote(text);
  return isQuoteOf(quoted, nodes, definitions) ? quoted : fence(text);
}

export function isQuoteOf(quoted: string, nodes: readonly RootContent[], definitions: string): boolean {
  const [only, ...rest] = parsePiece(quoted, definitions) ?? [];
  return only?.type === 'blockquote' && rest.length === 0 && meansTheSame(only.children, nodes);
}

/** Removes up to so many columns of white space from the start of a line; a tab goes to the next multiple of four. */
function dedent(line: string, columns: number): string {
  let column = 0;
  let index = 0;
  while (index < line.length && column < columns) {
    const sign = line[index];
    if (sign === ' ') column += 1;
    else if (sign === '\t') column += 4 - (column % 4);
    else break;
    index += 1;
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(index);
}

function widthOf(text: string): number {
  let column = 0;
  for (const sign of text) column += sign === '\t' ? 4 - (column % 4) : 1;
  return column;
}

/** An item of a list under another mark, its lines indented to fit; null when that would change what it means. */
function remark(
  source: string,
  item: ListItem,
  mark: string,
  isRight: (made: ListItem) => boolean,
  definitions: string,
): string | null {
  const written = blockSource(source, item);
  const begin = /^([ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+)(\[[ xX]\][ \t]+)?/u.exec(written);
  if (begin === null) return null;
  const [all, before = '', box] = begin;
  const isBox = typeof item.checked === 'boolean';
  const words = written.slice(isBox ? all.length : before.length);
  if (isBox && box === undefined) return null;
  const [first = '', ...rest] = words.split('\n');
  const indent = ' '.repeat(widthOf(mark.replace(/\[[ x]\] $/u, '')));
  const lines = rest.map((line) => (line.trim() === '' ? '' : indent + dedent(line, widthOf(before))));
  const text = `${mark}${[first, ...lines].join('\n').trimEnd()}`;
  if (rest.length === 0 && plainWords.test(first) && item.children.length === 1) return text;
  const [list, ...others] = parsePiece(text, definitions) ?? [];
  if (list?.type !== 'list' || others.length > 0 || list.children.length !== 1) return null;
  const [made] = list.children;
  return made !== undefined && isRight(made) && meansTheSame(made.children, item.children) ? text : null;
}

/** The item as one that is to be ticked; as it stands when it cannot be one. */
export function asBox(source: string, item: ListItem, definitions: string, isTicked = false): string {
  const mark = isTicked ? '- [x] ' : '- [ ] ';
  return (
    remark(source, item, mark, (made) => made.checked === isTicked, definitions) ??
    asPoint(source, item, definitions)
  );
}

/** The item with its box, if it has one; as a quote when it cannot stand alone. */
export function asPoint(source: string, item: ListItem, definitions: string, bullet = '- '): string {
  const { checked } = item;
  const mark = typeof checked === 'boolean' ? `${bullet}[${checked ? 'x' : ' '}] ` : bullet;
  const made = remark(source, item, mark, (one) => (one.checked ?? null) === (checked ?? null), definitions);
  return made ?? carryBlocks(blockSource(source, item), [{ type: 'list', children: [item] }], definitions);
}

/** Words of one line behind a mark; null when they would be something else than a paragraph of the same words. */
export function asLine(
  mark: string,
  words: string,
  nodes: readonly Nodes[],
  definitions: string,
): string | null {
  for (const text of [
    words,
    /^[!-/:-@[-`{-~]/u.test(words) ? `\\${words}` : words.replace(/^(\d+)/u, '$1\\'),
  ]) {
    const line = `${mark}${text}`;
    if (plainWords.test(text)) return line;
    const [block, ...rest] = parsePiece(line, definitions) ?? [];
    if (block === undefined || rest.length > 0) continue;
    const holder = block.type === 'list' ? block.children[0] : undefined;
    const inner = mark === '' ? [block] : (holder?.children ?? []);
    const wantsBox = /\[[ x]\] $/u.test(mark);
    if (wantsBox !== (typeof holder?.checked === 'boolean')) continue;
    const [paragraph, ...more] = inner;
    if (paragraph?.type !== 'paragraph' || more.length > 0) continue;
    if (meansTheSame(paragraph.children, nodes)) return line;
  }
  return null;
}
