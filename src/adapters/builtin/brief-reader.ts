/** Reads a brief without a model: which of its words speak of which section. Nothing is reworded. */
import type { Nodes, Paragraph, Root, RootContent } from 'mdast';
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
import type { Held } from './brief-holds.ts';
import { readNames } from './brief-labels.ts';
import { type Part, type Point, PointReader } from './brief-points.ts';
import type { Sentence } from './brief-sentences.ts';
import { findTitle, plainSentence, readName, titleSection } from './brief-title.ts';
import { type HeadingReading, isAim, isFrame, isWish, readHeading, type Target } from './brief-words.ts';

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
  /** Questions with the answer that the brief gives right after them. */
  readonly answered: readonly Point[];
  /** Lists that their heading or introduction takes back, or of which it is not clear whether they are asked for. */
  readonly held: readonly Held[];
  /** Lines that name files. */
  readonly files: readonly Sentence[];
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

/** What the brief itself introduces as its goal. */
function findAim(parts: readonly Part[]): Point | null {
  for (const part of parts) {
    if ('block' in part) continue;
    if (isAim('item' in part ? plainText(part.item) : part.sentence.spoken)) return part;
  }
  return null;
}

/** Points of lists, and what is asked for in prose; under a heading that says so, everything is. */
function findWishes(opening: readonly Part[], stated: readonly Part[], title: Sentence | null): Part[] {
  const isWanted = ({ source, spoken }: Sentence): boolean =>
    isWish(spoken) && !isFrame(spoken) && source !== title?.source;
  const wanted = opening.filter((part) => 'item' in part || ('sentence' in part && isWanted(part.sentence)));
  return [...wanted, ...stated];
}

interface Sections {
  readonly nodes: ReadonlyMap<Target, readonly RootContent[]>;
  readonly parts: ReadonlyMap<Target, readonly Part[]>;
}

/** A heading that speaks for all headings under it: its rank, and whether these are taken back one by one. */
interface Above {
  readonly depth: number;
  readonly isRefused: boolean;
}

function speaksForMore(reading: HeadingReading, { depth }: Section): Above | null {
  if (reading.kind === 'section')
    return reading.target === 'Out of Scope' ? { depth, isRefused: true } : null;
  const isHeld = reading.kind === 'refused' || reading.kind === 'asked';
  return isHeld || (reading.kind === 'none' && reading.isWhole) ? { depth, isRefused: false } : null;
}

/** Reads what stands under a heading that is no section of the template; false when it is read as any other. */
function readApart(
  reader: PointReader,
  reading: HeadingReading,
  section: Section,
  heading: { readonly node: RootContent | undefined; readonly name: Sentence | null },
): boolean {
  if (reading.kind === 'section' || reading.kind === 'none') return false;
  if (reading.kind === 'answered') reader.readQuestions(ownContent(section.content), true);
  else if (reading.kind === 'labels') reader.readLabels(ownContent(section.content));
  else if (heading.node !== undefined && heading.name !== null)
    reader.hold(reading.kind, heading.name, heading.node, section.content);
  return true;
}

function readTarget(
  reader: PointReader,
  target: Target | null,
  heading: Paragraph | null,
  own: readonly RootContent[],
): Part[] {
  if (target === 'Open Questions') reader.readQuestions(own);
  else if (heading !== null) reader.readHeading(heading);
  // What is ruled out is not asked about.
  return target === 'Open Questions' || target === 'Out of Scope' ? [] : reader.read(own);
}

function readSections(
  reader: PointReader,
  root: Root,
  sections: readonly Section[],
  top: Section | undefined,
): Sections {
  const nodes = new Map<Target, RootContent[]>();
  const parts = new Map<Target, Part[]>();
  const headings = root.children.filter((node) => node.type === 'heading');
  let above: Above | null = null;
  for (const [index, section] of sections.entries()) {
    if (section === top) continue;
    const node = headings[index];
    const heading = headingOf(root, section);
    const name = readName(reader.text, heading);
    if (above !== null && section.depth > above.depth) {
      if (above.isRefused && node !== undefined && name !== null)
        reader.hold('refused', name, node, ownContent(section.content));
      continue;
    }
    const reading = readHeading(section.title);
    above = speaksForMore(reading, section);
    if (readApart(reader, reading, section, { node, name })) continue;
    const target = reading.kind === 'section' ? reading.target : null;
    const own = reader.takeLabels(ownContent(section.content));
    const read = readTarget(reader, target, heading, own);
    if (target === null || own.length === 0) continue;
    nodes.set(target, [...(nodes.get(target) ?? []), ...own]);
    parts.set(target, [...(parts.get(target) ?? []), ...read]);
  }
  return { nodes, parts };
}

/** `kind`: an issue carries a line of its labels already, so that a design asks nothing about it. */
export function readBrief(source: string, kind: 'brief' | 'issue' = 'brief'): Brief {
  const { text, settings } = cutSettings(readable(source));
  const root = parseMarkdown(text);
  const reader = new PointReader(text, root, kind === 'brief');
  const all = listSections(root);
  const top = titleSection(all);
  const opening = [...ownContent(root.children), ...(top === undefined ? [] : ownContent(top.content))];
  const heading = top === undefined ? null : headingOf(root, top);
  if (heading !== null) reader.readHeading(heading);
  const openingParts = reader.read(opening);
  const { nodes, parts } = readSections(reader, root, all, top);
  const settled = settings.get('title')?.replace(/^(["'])(.*)\1$/u, '$2') ?? '';
  const tags = settings.get('labels') ?? settings.get('tags') ?? '';
  const aims = parts.get('Objective') ?? [];
  const aim = findAim(openingParts);
  const objective = firstPlain(aims) ?? firstItem(aims) ?? aim ?? firstPlain(openingParts);
  const title =
    readName(text, heading) ?? (settled === '' ? null : plainSentence(settled)) ?? findTitle(text, opening);
  const wishes = findWishes(openingParts, parts.get('Requirements') ?? [], title);
  // The goal is no requirement beside others, unless headings name another goal.
  const withoutGoal = wishes.filter((part) => part !== aim || objective !== aim);
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
    answered: reader.answered,
    held: reader.held,
    files: reader.files,
    putOff: reader.putOff,
    dependencies: reader.dependencies,
    wishes: withoutGoal.length > 0 ? withoutGoal : wishes,
    criteria: parts.get('Acceptance Criteria') ?? [],
    objective,
    spoken: openingParts.filter((part): part is Point => !('block' in part)),
    shown: opening.filter((node) => node.type === 'code' || node.type === 'table'),
  };
}
