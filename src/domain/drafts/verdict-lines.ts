/**
 * What may stand above the boxes of a verdict that approves: the lines that were rendered, in their order and without those
 * that block, and plain sentences under "Notes". Everything else asks the person what it means: a point that a person adds
 * may be an objection, in any words and any language, and no list of words would know it. Pure.
 */
import type { Root, RootContent } from 'mdast';
import { plainText, sourceOf } from '../text/markdown.ts';
import { notesHints, notesTitle, questionsTitle, tierTitles, verdictTitle } from './verdict.ts';
import { findBlockingWords, findReservation } from './verdict-reservations.ts';
import { hasMark, isBoxLike } from './verdict-words.ts';

const heading = (title: string): string => `## ${title}`;
const ownHeadings: ReadonlySet<string> = new Set([...Object.values(tierTitles), questionsTitle].map(heading));
const blocking = heading(tierTitles.blocking);
const notes = heading(notesTitle);
const none = /^None\.?$/u;

/** The lines that the rendered file has above its notes and boxes, without what it calls blocking. */
function allowedLines(original: string | null): string[] {
  const lines: string[] = [];
  let isBlocking = false;
  for (const written of (original ?? '').split('\n')) {
    const line = written.trimEnd();
    if (line === notes || line === heading(verdictTitle)) break;
    if (ownHeadings.has(line)) isBlocking = line === blocking;
    if (!isBlocking && line !== '') lines.push(line);
  }
  return lines;
}

const quote = (line: string): string => `"${[...line.trim()].slice(0, 80).join('')}"`;

/** The inside of a sentence. Bold words are how findings and boxes begin, so a note has none. */
const plainParts: ReadonlySet<string> = new Set(['text', 'inlineCode', 'emphasis', 'link', 'break']);

function isPlainSentence(node: RootContent): boolean {
  if (node.type !== 'paragraph') return false;
  return node.children.every(
    (part) =>
      plainParts.has(part.type) &&
      // The title of a link is shown only to those who point at it.
      (!('title' in part) || part.title == null) &&
      (!('children' in part) || part.children.every((inner) => inner.type === 'text')),
  );
}

/** The words of a person, without those that we render ourselves. */
function ownWords(node: RootContent): string {
  let words = plainText(node);
  for (const hint of notesHints) words = words.replace(hint, '');
  return words;
}

/** Why the notes say more than notes may say; null when they do not. */
function doubtNotes(text: string, nodes: readonly RootContent[]): string | null {
  for (const node of nodes) {
    const number = node.position?.start.line ?? 0;
    const lines = sourceOf(text, node).split('\n');
    const box = lines.findIndex((line) => isBoxLike(line));
    if (box !== -1) return `Line ${number + box} has another box. Delete it.`;
    if (!isPlainSentence(node))
      return `Approval is ticked, but line ${number} under "${notesTitle}" is more than plain sentences: ${quote(lines[0] ?? '')}. Write sentences there without headings, lists, bold words or quotes, or tick REVISE.`;
    if (hasMark(plainText(node, { withoutCode: true })))
      return `Line ${number} under "${notesTitle}" has something marked in a sentence, as [x]. Delete it.`;
    const held = findReservation(ownWords(node));
    if (held !== null)
      return `Approval is ticked, but line ${number} under "${notesTitle}" may hold something back: ${held}. An approval has no conditions: delete that, or tick REVISE.`;
  }
  return null;
}

/** Whether the reviewer approved: then what the reviewer wrote is no reason against an approval. */
function isApproved(original: string | null): boolean {
  return (original ?? '').includes('\n- [x] **APPROVED**');
}

/** Words by which something that the reviewer wrote, and that the person left there, speaks against the approval. */
function doubtRendered(text: string, nodes: readonly RootContent[]): string | null {
  for (const node of nodes) {
    const words = ownHeadings.has(sourceOf(text, node).trimEnd()) ? null : findBlockingWords(plainText(node));
    if (words !== null)
      return `Approval is ticked, but line ${node.position?.start.line ?? 0} says "${words}". Delete it if it is settled, or tick REVISE.`;
  }
  return null;
}

/**
 * Why what stands above the boxes lets nothing be approved; null when it does.
 * @param end the nodes of the document that stand above the heading of the boxes
 * @param original null when the rendered file is not known: then nothing but notes may stand there
 */
export function doubtLines(text: string, root: Root, end: number, original: string | null): string | null {
  const above = root.children.slice(0, end);
  const noted = above.findIndex((node) => sourceOf(text, node).trimEnd() === notes);
  // By line and not by node: what the parser makes nothing of is read by people all the same.
  const last = (root.children[noted === -1 ? end : noted]?.position?.start.line ?? 1) - 1;
  const allowed = allowedLines(original);
  let next = 0;
  let section: string | null = null;
  let isEmpty = false;
  for (const [index, written] of text.split('\n').slice(0, last).entries()) {
    const line = written.trimEnd();
    if (line === '') continue;
    const at = allowed.indexOf(line, next);
    if (at !== -1) next = at + 1;
    if (ownHeadings.has(line)) {
      section = line;
      isEmpty = true;
      continue;
    }
    const isNone = section !== null && isEmpty && none.test(line);
    isEmpty = false;
    if (isNone) continue;
    if (section === blocking)
      return `Approval is ticked, but something blocking is left: line ${index + 1}, ${quote(line)}. Delete it if it is settled, or tick REVISE.`;
    if (at === -1)
      return `Approval is ticked, but line ${index + 1} is not as the verdict was rendered: ${quote(line)}. Delete it, write it as a plain sentence under the heading "${notesTitle}" if it holds nothing back, or tick REVISE.`;
  }
  const rendered = noted === -1 ? above : above.slice(0, noted);
  const left = isApproved(original) ? null : doubtRendered(text, rendered);
  if (left !== null || noted === -1) return left;
  return doubtNotes(text, above.slice(noted + 1));
}
