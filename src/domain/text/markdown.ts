/** Markdown is read with a parser, never with regular expressions over the whole text. */
import type { Nodes, Root, RootContent } from 'mdast';
import { type Extension, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { linearHeadings } from './linear-headings.ts';

/** The last few trees: one draft is looked at for its title, its labels, its sections and its preamble. */
const recent = new Map<string, Root>();
const kept = 4;

/** The tree of a text, to be read and never changed: it may be handed out again. */
export function parseMarkdown(text: string): Root {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const source = isTooDeep(text) ? flatten(text) : text;
  const root = placeInText(
    source,
    fromMarkdown(source, {
      extensions: [linearHeadings, gfmTable(), gfmTaskListItem()],
      mdastExtensions: [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()],
    }),
  );
  recent.set(text, root);
  for (const oldest of recent.keys()) {
    if (recent.size <= kept) break;
    recent.delete(oldest);
  }
  return root;
}

/** The parser drops a byte order mark and counts without it: then every place is one too early. */
function placeInText(text: string, root: Root): Root {
  if (!text.startsWith('\uFEFF')) return root;
  // Without recursion, as below.
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { position } = node;
    if (position !== undefined)
      node.position = {
        start: { ...position.start, offset: (position.start.offset ?? 0) + 1 },
        end: { ...position.end, offset: (position.end.offset ?? 0) + 1 },
      };
    if ('children' in node) waiting.push(...node.children);
  }
  return root;
}

/**
 * The tree of a text in which it can be seen how a sign was written: `\\@` and `&commat;` are shown as the sign, and
 * are not the same as the sign. Struck-out text is marked too. The text must not be too deep.
 * @param escaped what stands for a sign with a backslash before it
 * @param named what stands for a sign that is written as an entity, such as `#64` or `commat`
 */
export function parseAsWritten(
  text: string,
  escaped: (sign: string) => string,
  named: (name: string) => string,
): Root {
  const written: Extension = {
    exit: {
      characterEscapeValue(token) {
        const tail = this.stack.pop();
        if (tail !== undefined && 'value' in tail) tail.value += escaped(this.sliceSerialize(token));
      },
      characterReferenceValue(token) {
        const tail = this.stack.at(-1);
        const sign = this.data.characterReferenceType === undefined ? '' : '#';
        this.data.characterReferenceType = undefined;
        if (tail !== undefined && 'value' in tail) tail.value += named(sign + this.sliceSerialize(token));
      },
    },
  };
  const root = fromMarkdown(text, {
    extensions: [linearHeadings, gfmTable(), gfmTaskListItem(), gfmStrikethrough()],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
      written,
    ],
  });
  return placeInText(text, root);
}

/** People do not nest lists in quotes this deep; a text that does is only meant to exhaust the stack. */
const deepest = 100;

/** Whether a line opens so many quotes and lists in each other that parsing it as written would take minutes. */
export function isTooDeep(text: string): boolean {
  return /^\uFEFF?(?:[ \t]{0,8}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){101}/mu.test(text);
}

/** The same text, as long as before, without the lines that nest too deep: no reader would take them for words. */
function flatten(text: string): string {
  return text
    .split('\n')
    .map((line) => (isTooDeep(line) ? ' '.repeat(line.length) : line))
    .join('\n');
}

/** The words of a node, without its marks. HTML is left out: readers do not see it. */
export function plainText(node: Nodes, options: { readonly withoutCode?: boolean } = {}, depth = 0): string {
  if (node.type === 'html' || depth > deepest) return '';
  if (node.type === 'break') return ' ';
  if (node.type === 'inlineCode' && options.withoutCode === true) return ' ';
  if ('value' in node) return node.value;
  if ('alt' in node && typeof node.alt === 'string') return node.alt;
  if ('children' in node) {
    const separator =
      node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote' ? '\n' : '';
    return node.children.map((child) => plainText(child, options, depth + 1)).join(separator);
  }
  return '';
}

/** All nodes of one kind, in order, however deep they stand. */
export function collectNodes<T extends Nodes['type']>(
  nodes: readonly Nodes[],
  type: T,
): Extract<Nodes, { type: T }>[] {
  const found: Extract<Nodes, { type: T }>[] = [];
  // A loop and no recursion: lists and quotes can be nested thousands deep.
  const waiting: Nodes[] = [...nodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === type) found.push(node as Extract<Nodes, { type: T }>);
    if (!('children' in node)) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
  return found;
}

export interface Section {
  readonly title: string;
  readonly depth: number;
  /** Everything up to the next heading of the same or a higher rank, deeper headings included. */
  readonly content: readonly RootContent[];
}

/** The sections of a document, in order. What stands before the first heading is in none. */
export function listSections(root: Root): Section[] {
  const sections: Section[] = [];
  root.children.forEach((node, index) => {
    if (node.type !== 'heading') return;
    let end = index + 1;
    while (end < root.children.length) {
      const next = root.children[end];
      if (next?.type === 'heading' && next.depth <= node.depth) break;
      end += 1;
    }
    sections.push({
      title: plainText(node).trim(),
      depth: node.depth,
      content: root.children.slice(index + 1, end),
    });
  });
  return sections;
}

/** Heading titles compared as people read them: case, numbering and punctuation do not matter. */
export function normaliseTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^\s*\d+\s+/u, '')
    .trim();
}

export function findSection(sections: readonly Section[], title: string): Section | undefined {
  const wanted = normaliseTitle(title);
  return sections.find((section) => normaliseTitle(section.title) === wanted);
}

/** The source text of a node, as it was written. */
export function sourceOf(text: string, node: Nodes): string {
  return text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
}

/** Makes text from elsewhere safe inside one line of Markdown: one line, no marks that would start a block or a box. */
export function inlineMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/gu, (mark) => `\\${mark}`);
}
