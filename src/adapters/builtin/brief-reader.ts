/** Reads a brief without a model: which of its words speak of which section. Nothing is reworded. */
import type { ListItem, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { OpenElements } from '../../domain/spoken/spoken-elements.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { isTangled } from '../../domain/text/limit-markdown.ts';
import {
  collectNodes,
  isTooDeep,
  listSections,
  parseMarkdown,
  plainText,
  type Section,
  sourceOf,
} from '../../domain/text/markdown.ts';
import { type Sentence, sentencesOf, spokenWords } from './brief-sentences.ts';
import {
  isDependency,
  isDoubt,
  isFrame,
  isPutOff,
  isStory,
  isWish,
  labelsMark,
  labelsSource,
  subjectOf,
  type Target,
  targetOf,
} from './brief-words.ts';

/** Something that the brief says: a point of a list, or a sentence. */
export type Point =
  | { readonly item: ListItem }
  | { readonly sentence: Sentence; readonly paragraph: Paragraph };

/** What a block of the brief holds besides what was put elsewhere. */
export type Part = Point | { readonly block: RootContent };

export interface Brief {
  /** With line ends made alike and without what nests too deep to be read. */
  readonly text: string;
  readonly root: Root;
  /** What references in the brief point at. */
  readonly definitions: string;
  readonly title: Sentence | null;
  readonly labels: readonly string[];
  readonly story: Paragraph | null;
  /** What the brief says under headings that speak of a section. */
  readonly sections: ReadonlyMap<Target, readonly RootContent[]>;
  readonly doubts: readonly Point[];
  readonly putOff: readonly Point[];
  readonly dependencies: readonly Point[];
  /** What is asked for, in order. */
  readonly wishes: readonly Part[];
  readonly criteria: readonly Part[];
  /** The first plain sentence about the purpose. */
  readonly objective: Point | null;
  /** Code and tables under the title, which show what it is about. */
  readonly shown: readonly RootContent[];
  /** Everything that stands under no heading and was put nowhere by its words. */
  readonly spoken: readonly Point[];
}

/** A text that no person wrote is not read; it is only kept. */
function readable(source: string): string {
  const text = source.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  if (isTangled(text)) return '';
  return text
    .split('\n')
    .filter((line) => !isTooDeep(line))
    .join('\n');
}

const frontMatter = /^---[ \t]*\n((?:[^\n]*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|$)/u;

/** Settings at the head of a note: they are no words of it. */
function cutSettings(text: string): {
  readonly text: string;
  readonly settings: ReadonlyMap<string, string>;
} {
  const head = frontMatter.exec(text);
  if (head === null) return { text, settings: new Map() };
  const settings = new Map<string, string>();
  for (const line of (head[1] ?? '').split('\n')) {
    const [, name, value] = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/u.exec(line) ?? [];
    if (name !== undefined && value !== undefined) settings.set(name.toLowerCase(), value.trim());
  }
  return { text: text.slice(head[0].length), settings };
}

const noLabels = /^(?:none|n\/a|no|keine|-|tbd|todo)\.?$/iu;

/** Names between commas; null when they do not look like names of labels. */
function readNames(line: string): string[] | null {
  const names = line
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^["'`]|["'`]$/gu, '')
        .trim(),
    )
    .filter((name) => name !== '' && !noLabels.test(name));
  const isName = (name: string): boolean =>
    name.length <= 50 && name.split(/\s+/u).length <= 3 && !/[?!]|[.;]\s/u.test(name);
  return names.every(isName) ? names : null;
}

/** The labels that a sentence names; null when it is no line of labels. */
function labelsOf(sentence: Sentence): string[] | null {
  if (sentence.beginsLine !== true || !labelsSource.test(sentence.source)) return null;
  if (sentence.nodes.some((node) => node.type === 'html')) return null;
  const codes = sentence.nodes.filter((node) => node.type === 'inlineCode').map((node) => node.value.trim());
  if (codes.length > 0) return codes;
  const words = sentence.nodes.map((node) => plainText(node)).join('');
  return readNames(words.replace(labelsMark, '').replace(/\.$/u, ''));
}

/** All that an item says in words, its inner lists included. */
function itemSentences(text: string, item: ListItem): Sentence[] {
  return collectNodes([item], 'paragraph').flatMap((paragraph) => sentencesOf(text, paragraph, 2));
}

const isElsewhere = (one: Sentence): boolean =>
  isDoubt(spokenWords(one)) || isPutOff(spokenWords(one)) || isDependency(one.spoken);

/** Something that only stands in its own form, as code. */
function codePoint(written: string): Point {
  const node = { type: 'inlineCode', value: written } as const;
  const source = inertCode(written, 2000);
  return {
    sentence: { source, nodes: [node], pieces: [source], spoken: '' },
    paragraph: { type: 'paragraph', children: [node] },
  };
}

class Reader {
  readonly text: string;
  readonly doubts: Point[] = [];
  readonly putOff: Point[] = [];
  readonly dependencies: Point[] = [];
  readonly labels: string[] = [];
  readonly #elements = new OpenElements();
  story: Paragraph | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** Puts a point where its words belong; false when nothing in it says so. */
  #place(point: Point, sentences: readonly Sentence[]): boolean {
    const places = [
      [this.doubts, (one: Sentence) => isDoubt(spokenWords(one))],
      [this.putOff, (one: Sentence) => isPutOff(spokenWords(one))],
      [this.dependencies, ({ spoken }: Sentence) => isDependency(spoken)],
    ] as const;
    let found = false;
    for (const [list, speaks] of places) {
      if (!sentences.some(speaks)) continue;
      list.push(point);
      found = true;
    }
    return found;
  }

  #readItem(item: ListItem): Part[] {
    const [first] = item.children;
    const [head] = first?.type === 'paragraph' ? sentencesOf(this.text, first, 2) : [];
    const labels = head === undefined ? null : labelsOf(head);
    if (labels !== null && item.children.length === 1 && typeof item.checked !== 'boolean') {
      this.labels.push(...labels);
      return [];
    }
    const sentences = itemSentences(this.text, item);
    const isOne = item.children.length === 1 && typeof item.checked !== 'boolean';
    if (isOne && first?.type === 'paragraph' && sentences.length > 1 && sentences.some(isElsewhere))
      return this.#readParagraph(first, 2);
    return this.#place({ item }, sentences) ? [] : [{ item }];
  }

  #readParagraph(paragraph: Paragraph, quotes = 0): Part[] {
    const sentences = sentencesOf(this.text, paragraph, quotes);
    if (quotes === 0 && isStory(sentences.map(({ spoken }) => spoken).join(' '))) {
      this.story ??= paragraph;
      for (const sentence of sentences) this.#place({ sentence, paragraph }, [sentence]);
      return [];
    }
    return sentences.flatMap((sentence) => {
      const labels = quotes === 0 ? labelsOf(sentence) : null;
      if (labels !== null) {
        this.labels.push(...labels);
        return [];
      }
      const point = { sentence, paragraph };
      return this.#place(point, [sentence]) ? [] : [point];
    });
  }

  /** Reads some blocks, and gives what was put nowhere else, in order. */
  read(nodes: readonly RootContent[]): Part[] {
    return nodes.flatMap((node): Part[] => {
      // What is folded away or struck out in HTML is not said.
      if (node.type === 'html') this.#elements.read(node.value);
      if (node.type === 'html' || this.#elements.isInside) return [{ block: node }];
      switch (node.type) {
        case 'list':
          return node.children.flatMap((item) => this.#readItem(item));
        case 'paragraph':
          return this.#readParagraph(node);
        case 'blockquote':
          for (const inner of collectNodes([node], 'paragraph')) this.#readParagraph(inner, 9);
          return [{ block: node }];
        case 'definition':
          return [];
        case 'table':
          for (const row of node.children) {
            const spoken = row.children.map((cell) => plainText(cell, { withoutCode: true }));
            if (spoken.some(isDoubt)) this.doubts.push(codePoint(sourceOf(this.text, row)));
          }
          return [{ block: node }];
        default:
          return [{ block: node }];
      }
    });
  }

  /** A heading may ask something, too. */
  readHeading(paragraph: Paragraph): void {
    for (const sentence of sentencesOf(this.text, paragraph)) {
      if (isDoubt(spokenWords(sentence))) this.doubts.push({ sentence, paragraph });
    }
  }

  /** Questions that the brief itself lists: all are open that it does not tick. */
  readQuestions(nodes: readonly RootContent[]): void {
    for (const node of nodes) {
      if (node.type === 'list') for (const item of node.children) this.doubts.push({ item });
      else if (node.type === 'paragraph')
        for (const sentence of sentencesOf(this.text, node)) this.doubts.push({ sentence, paragraph: node });
    }
  }
}

/** Where inline nodes stand, so that they can be read like a paragraph. */
function spanOf(children: readonly Nodes[]): Pick<Paragraph, 'position'> {
  const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end];
  return start === undefined || end === undefined ? {} : { position: { start, end } };
}

function headingOf(root: Root, section: Section): Paragraph | null {
  const heading = root.children.find(
    (node, index) => node.type === 'heading' && root.children[index + 1] === section.content[0],
  );
  const found =
    heading ??
    root.children.find((node) => node.type === 'heading' && plainText(node).trim() === section.title);
  if (found?.type !== 'heading' || found.children.length === 0) return null;
  return { type: 'paragraph', children: found.children, ...spanOf(found.children) };
}

/** What a section says itself: up to the next heading of any rank. */
function ownContent(nodes: readonly RootContent[]): RootContent[] {
  const end = nodes.findIndex((node) => node.type === 'heading');
  return nodes.slice(0, end === -1 ? undefined : end);
}

/** The heading that names the brief: the first of the first rank, or the first of all unless it speaks of a section. */
function titleSection(sections: readonly Section[]): Section | undefined {
  const [first] = sections;
  const isTitle = first !== undefined && targetOf(first.title) === null;
  return sections.find((section) => section.depth === 1) ?? (isTitle ? first : undefined);
}

function isPlain({ spoken }: Sentence): boolean {
  return spoken !== '' && !isFrame(spoken) && !isDoubt(spoken);
}

function firstPlain(parts: readonly Part[]): Point | null {
  for (const part of parts)
    if ('sentence' in part && /\p{L}/u.test(part.sentence.spoken) && !isFrame(part.sentence.spoken))
      return part;
  return null;
}

function firstItem(parts: readonly Part[]): Point | null {
  for (const part of parts) if ('item' in part) return part;
  return null;
}

/** A sentence made of plain words that stand in the brief. */
function plainSentence(words: string): Sentence {
  const node = { type: 'text', value: words } as const;
  const source = words.replace(/[\\`*_[\]<>#|~&]/gu, (mark) => `\\${mark}`);
  return { source, nodes: [node], pieces: [source], spoken: words };
}

/** Without a heading: what a mail is about, or the first sentence. */
function findTitle(text: string, opening: readonly RootContent[]): Sentence | null {
  const sentences = opening.flatMap((node) => (node.type === 'paragraph' ? sentencesOf(text, node) : []));
  for (const { spoken } of sentences) {
    const subject = subjectOf(spoken);
    if (subject !== null) return plainSentence(subject);
  }
  const said = sentences.filter((sentence) => labelsOf(sentence) === null);
  return said.find(isPlain) ?? said.find(({ spoken }) => spoken !== '' && !isFrame(spoken)) ?? null;
}

/** Points of lists, and what is asked for in prose; under a heading that says so, everything is. */
function findWishes(opening: readonly Part[], stated: readonly Part[], title: Sentence | null): Part[] {
  const isWanted = ({ source, spoken }: Sentence): boolean =>
    isWish(spoken) && !isFrame(spoken) && source !== title?.source;
  const wanted = opening.filter((part) => 'item' in part || ('sentence' in part && isWanted(part.sentence)));
  return [...wanted, ...stated];
}

/** The heading that names the brief, whole. */
function readName(text: string, heading: Paragraph | null): Sentence | null {
  if (heading === null) return null;
  const [first, ...rest] = sentencesOf(text, heading);
  if (first === undefined) return null;
  return {
    source: sourceOf(text, heading).replace(/\s*\n\s*/gu, ' '),
    nodes: heading.children,
    pieces: rest.length === 0 ? first.pieces : [],
    spoken: [first, ...rest].map(({ spoken }) => spoken).join(' '),
  };
}

interface Sections {
  readonly nodes: ReadonlyMap<Target, readonly RootContent[]>;
  readonly parts: ReadonlyMap<Target, readonly Part[]>;
}

function readSections(reader: Reader, root: Root, sections: readonly Section[]): Sections {
  const nodes = new Map<Target, RootContent[]>();
  const parts = new Map<Target, Part[]>();
  for (const section of sections) {
    const [own, target] = [ownContent(section.content), targetOf(section.title)];
    const heading = headingOf(root, section);
    if (target !== 'Open Questions' && heading !== null) reader.readHeading(heading);
    if (target === 'Open Questions') reader.readQuestions(own);
    // What is ruled out is not asked about.
    const read = target === 'Open Questions' || target === 'Out of Scope' ? [] : reader.read(own);
    if (target === null || own.length === 0) continue;
    nodes.set(target, [...(nodes.get(target) ?? []), ...own]);
    parts.set(target, [...(parts.get(target) ?? []), ...read]);
  }
  return { nodes, parts };
}

export function readBrief(source: string): Brief {
  const { text, settings } = cutSettings(readable(source));
  const root = parseMarkdown(text);
  const reader = new Reader(text);
  const all = listSections(root);
  const top = titleSection(all);
  const opening = [...ownContent(root.children), ...(top === undefined ? [] : ownContent(top.content))];
  const heading = top === undefined ? null : headingOf(root, top);
  if (heading !== null) reader.readHeading(heading);
  const openingParts = reader.read(opening);
  const { nodes, parts } = readSections(
    reader,
    root,
    all.filter((section) => section !== top),
  );
  const settled = settings.get('title')?.replace(/^(["'])(.*)\1$/u, '$2') ?? '';
  const tags = settings.get('labels') ?? settings.get('tags') ?? '';
  const aims = parts.get('Objective') ?? [];
  const title =
    readName(text, heading) ?? (settled === '' ? null : plainSentence(settled)) ?? findTitle(text, opening);
  return {
    text,
    root,
    definitions: collectNodes([root], 'definition')
      .map((node) => sourceOf(text, node).replace(/\n[ \t>]*/gu, ' '))
      .join('\n'),
    title,
    labels: [...new Set([...reader.labels, ...(readNames(tags.replace(/^\[|\]$/gu, '')) ?? [])])],
    story: reader.story,
    sections: nodes,
    doubts: reader.doubts,
    putOff: reader.putOff,
    dependencies: reader.dependencies,
    wishes: findWishes(openingParts, parts.get('Requirements') ?? [], title),
    criteria: parts.get('Acceptance Criteria') ?? [],
    objective: firstPlain(aims) ?? firstItem(aims) ?? firstPlain(openingParts),
    spoken: openingParts.filter((part): part is Point => !('block' in part)),
    shown: opening.filter((node) => node.type === 'code' || node.type === 'table'),
  };
}
