/**
 * Reads a verdict file that a person has edited. An approval is a closed form: the box with its label, ticked, with the
 * words that we render and no others, as the last thing in the file; no other box marked; above it nothing but what was
 * rendered and does not block, and a person's notes; no HTML. A file of any other form approves nothing, and a message
 * tells the person why.
 */
import type { List, ListItem, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { isTooDeep, listSections, parseMarkdown, plainText, sourceOf } from '../text/markdown.ts';
import { boxMeaning, type Decision, decisions, tierTitles, verdictTitle } from './verdict.ts';
import { doubtEncoding, withoutByteOrderMark } from './verdict-encoding.ts';
import { doubtLines } from './verdict-lines.ts';
import { isBoxLike } from './verdict-words.ts';

export type VerdictReading =
  | { readonly decision: Decision; readonly unclear: null }
  /** `unclear` says, in sentences for the person, why nothing was decided. */
  | { readonly decision: null; readonly unclear: string };

interface Box {
  readonly label: Decision;
  readonly isTicked: boolean;
  /** Whether it holds its label and our own words, and nothing else. */
  readonly isPlain: boolean;
  readonly line: number;
}

const unclear = (why: string): VerdictReading => ({ decision: null, unclear: why });

function labelOf(paragraph: Paragraph): Decision | null {
  const [name, ...rest] = paragraph.children;
  if (name?.type !== 'strong') return null;
  const word = plainText(name).trim();
  const explanation = rest
    .map((node) => plainText(node))
    .join('')
    .trim();
  // Bold text that is not exactly the name ("NOT APPROVED") is no box; after it only an explanation may follow.
  if (explanation !== '' && !/^[:–—-]/u.test(explanation) && !word.endsWith(':')) return null;
  return decisions.find((decision) => decision === word.replace(/:$/u, '')) ?? null;
}

function isPlainBox(text: string, item: ListItem, paragraph: Paragraph, label: Decision): boolean {
  if (item.children.length !== 1) return false;
  const source = sourceOf(text, paragraph).replace(/^\[[ \txX]\][ \t]+/u, '');
  const bold = [`**${label}**`, `__${label}__`].find((name) => source.startsWith(name));
  if (bold === undefined) return false;
  const after = source.slice(bold.length).replace(/[ \t\n]+$/u, '');
  return after === '' || after === `: ${boxMeaning[label]}`;
}

function boxOf(text: string, item: ListItem): Box | null {
  const [paragraph] = item.children;
  if (typeof item.checked !== 'boolean' || paragraph?.type !== 'paragraph') return null;
  const label = labelOf(paragraph);
  if (label === null) return null;
  return {
    label,
    isTicked: item.checked,
    isPlain: isPlainBox(text, item, paragraph, label),
    line: item.position?.start.line ?? 0,
  };
}

/** All nodes, without recursion: lists and quotes can be nested thousands deep. */
function* walk(root: Root): Generator<Nodes> {
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if ('children' in node) waiting.push(...node.children);
  }
}

/** What a person writes between findings. Everything else (HTML, hidden definitions, struck-out text) may hide or undo words. */
const readable: ReadonlySet<string> = new Set([
  'root',
  'heading',
  'paragraph',
  'list',
  'listItem',
  'text',
  'strong',
  'emphasis',
  'break',
  'inlineCode',
  'link',
  'thematicBreak',
  'blockquote',
  'code',
]);

const names: Readonly<Record<string, string>> = {
  html: 'HTML',
  definition: 'a hidden definition',
  delete: 'struck-out text',
  table: 'a table',
};

function lettersOf(text: string): string {
  // The same letters, however they are encoded: with their accents apart, or as wide ones.
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What the reviewer called blocking: the words of each finding, to find them again wherever they stand now. */
function blockingFindings(original: string): string[] {
  return listSections(parseMarkdown(original))
    .filter((section) => section.title === tierTitles.blocking)
    .flatMap((section) => section.content)
    .flatMap((node) => (node.type === 'list' ? node.children : []))
    .map((item) => plainText(item).split('\n')[0] ?? '');
}

const shortest = 12;

function isStillThere(finding: string, letters: string): boolean {
  // The problem stands behind a colon; category and section may have colons of their own.
  const problems = finding.split(': ').map((_, index, parts) => lettersOf(parts.slice(index + 1).join(': ')));
  // A short problem may stand in any sentence; then its category has to stand before it.
  const wanted = [lettersOf(finding), ...problems.filter((problem) => problem.length >= shortest)];
  return wanted.some((one) => one !== '' && letters.includes(one));
}

/** Something that the reviewer called blocking and that the file still says, or null. */
function findBlocking(text: string, original: string | null): string | null {
  // As it is written, and as it is shown: entities and links are read otherwise.
  const said = [lettersOf(text), lettersOf(plainText(parseMarkdown(text)))];
  const left = blockingFindings(original ?? '').find((finding) =>
    said.some((letters) => isStillThere(finding, letters)),
  );
  return left === undefined ? null : left.slice(0, 120);
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines that are not the reviewer's own: those that the rendered file has before its boxes. */
function personLines(text: string, original: string | null): Line[] {
  const rendered = (original ?? '').split('\n');
  const known = new Map<string, number>();
  for (const line of rendered.slice(0, rendered.lastIndexOf(`## ${verdictTitle}`) + 1))
    known.set(line.trim(), (known.get(line.trim()) ?? 0) + 1);
  const lines: Line[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const left = known.get(line.trim()) ?? 0;
    if (left > 0) known.set(line.trim(), left - 1);
    else if (line.trim() !== '') lines.push({ number: index + 1, text: line });
  }
  return lines;
}

interface Parts {
  readonly text: string;
  readonly original: string | null;
  readonly root: Root;
  readonly lists: readonly List[];
  readonly boxes: readonly Box[];
}

/** Why a ticked approval does not count; null when it does. */
function doubtApproval({ text, original, root, lists, boxes }: Parts): string | null {
  const ticked = boxes.find((box) => box.isTicked);
  if (ticked?.isPlain !== true)
    return `The ticked box says more than its label. Leave it as: - [x] **APPROVED**: ${boxMeaning.APPROVED}`;
  if (boxes.some((box) => !box.isPlain)) return 'A box that is not ticked says more than its label.';
  if (new Set(boxes.map((box) => box.label)).size < boxes.length) return 'A label stands there twice.';
  if (isTooDeep(text)) return 'A line of the file nests lists and quotes too deep to be read.';
  const strange = [...walk(root)].find((node) => !readable.has(node.type));
  if (strange !== undefined)
    return `The file has ${names[strange.type] ?? strange.type} in it, which may hide or undo what it says.`;
  if (lists.some((list) => list.children.some((item) => boxOf(text, item) === null)))
    return 'Among the boxes of the verdict stands something else.';
  const isList = (node: RootContent): boolean => lists.some((list) => list === node);
  const first = root.children.findIndex((node) => isList(node));
  const before = root.children[first - 1];
  if (before !== undefined && sourceOf(text, before).trimEnd() !== `## ${verdictTitle}`)
    return 'The boxes do not stand right under the heading "Verdict".';
  const after = root.children.slice(first).filter((node) => !isList(node));
  if (after.length > 0) return 'Something is written after the boxes of the verdict.';
  const blocking = findBlocking(text, original);
  if (blocking !== null)
    return `Approval is ticked, but something blocking is left: ${blocking}. Delete it if it is settled, or tick REVISE.`;
  return doubtLines(text, root, Math.max(0, first - 1), original);
}

/** Text that a reader would take for a ticked box although Markdown does not: `[x ]`, `[✓]`, a box in a sentence. */
function findStrayMark({ text, original, boxes }: Parts): Line | undefined {
  return personLines(text, original).find(
    ({ number, text: line }) =>
      boxes.every((box) => box.line !== number) && isBoxLike(line, { onlyMarked: true }),
  );
}

/** The same file, whatever program saved it. */
function normalise(text: string): string {
  return withoutByteOrderMark(text).replace(/\r\n?/gu, '\n');
}

/**
 * @param original the file as it was rendered, null when that is not known: what the reviewer wrote is not taken for the
 * person's words, and what the reviewer called blocking is looked for.
 */
export function readVerdict(edited: string, original: string | null = null): VerdictReading {
  const [text, rendered] = [normalise(edited), original === null ? null : normalise(original)];
  const garbled = doubtEncoding(text, rendered);
  if (garbled !== null) return unclear(garbled);
  const root = parseMarkdown(text);
  const all = root.children.filter((node): node is List => node.type === 'list');
  const boxesOf = (list: List): Box[] => list.children.flatMap((item) => boxOf(text, item) ?? []);
  const lists = all.filter((list) => boxesOf(list).length > 0);
  const boxes = lists.flatMap(boxesOf);
  const ticked = boxes.filter((box) => box.isTicked);
  const [only, another] = ticked;
  if (only === undefined) return unclear('No box of the verdict is ticked: tick exactly one, as [x].');
  if (another !== undefined) return unclear(`Both ${only.label} and ${another.label} are ticked: leave one.`);
  const parts: Parts = { text, original: rendered, root, lists, boxes };
  const why = only.label === 'APPROVED' ? doubtApproval(parts) : null;
  if (why !== null) return unclear(why);
  const stray = findStrayMark(parts);
  if (stray !== undefined) return unclear(`Beside ${only.label}, line ${stray.number} is marked too.`);
  if (root.children.some((node) => node.type === 'html'))
    return unclear('The file has HTML in it, which may hide or undo what it says.');
  return { decision: only.label, unclear: null };
}
