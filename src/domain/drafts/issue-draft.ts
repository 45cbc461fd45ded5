/** Reads what filing needs out of a drafted issue: its title and its labels. */
import type { Nodes, Paragraph } from 'mdast';
import { GatewrightError } from '../../errors.ts';
import { longestTitle } from '../forge/forge-texts.ts';
import { checkDraftLabel } from '../forge/label-table.ts';
import { mentions } from '../spoken/spoken-text.ts';
import { isTooDeep, parseMarkdown, plainText, sourceOf } from '../text/markdown.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';

/** As many as the workflow is allowed to make. */
const mostLabels = 20;

/** One pass; what it uncovers may itself begin with something to remove. */
function stripOnce(answer: string): string {
  // Removes only what Markdown itself calls white space, and the invisible byte order mark: the text of a heading must
  // stay.
  const text = answer.replace(/^[\uFEFF \t\r\n]+|[ \t\r\n]+$/gu, '');
  const nodes = parseMarkdown(text).children;
  const only = nodes.length === 1 ? nodes[0] : undefined;
  if (only?.type === 'code' && (only.lang === 'markdown' || only.lang === 'md')) return `${only.value}\n`;
  const heading =
    nodes.find((node) => node.type === 'heading' && node.depth === 1) ??
    nodes.find((node) => node.type === 'heading');
  return `${text.slice(heading?.position?.start.offset ?? 0)}\n`;
}

/** Each pass reads the whole text: thousands of fences in each other would be read for hours. */
const mostPasses = 8;

/**
 * Removes what a model says before the document: everything in front of the first top-level heading, and a code fence
 * around the whole answer. A text without any heading, or without an end to its wrappings, is returned as it is, for the
 * checks to complain about.
 */
export function stripPreamble(answer: string): string {
  const whole = `${answer.replace(/[ \t\r\n]+$/u, '')}\n`;
  if (isTooDeep(whole)) return whole;
  let text = whole;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = stripOnce(text);
    if (next === text) return text;
    text = next;
  }
  return whole;
}

/** The words of a heading as a forge shows a title: plain, but code stays code, and so do tags that are no comments. */
function titleWords(draft: string, node: Nodes): string {
  if (node.type === 'inlineCode') return sourceOf(draft, node);
  if (node.type === 'html') return node.value.startsWith('<!') ? '' : node.value;
  return 'children' in node
    ? node.children.map((child) => titleWords(draft, child)).join('')
    : plainText(node);
}

/** The name of an agent that is written in disguise in the draft must not be a call in the title. */
function withoutCalls(title: string, heading: string): string {
  const handles = [...title.matchAll(/@([A-Za-z0-9][A-Za-z0-9-]{0,60})/gu)].map(([, handle = '']) => handle);
  const isCalled = (text: string): boolean =>
    handles.some((handle) => mentions(text, handle) && !mentions(heading, handle));
  if (!isCalled(title)) return title;
  const parted = title.replaceAll('@', '`@`');
  return isCalled(parted) ? title.replaceAll('@', '(at)') : parted;
}

/** The words of the first top-level heading outside quotes and code, or null. */
export function findTitle(draft: string): string | null {
  const heading = parseMarkdown(draft).children.find((node) => node.type === 'heading' && node.depth === 1);
  if (heading === undefined) return null;
  const words = titleWords(draft, heading).replace(/\s+/gu, ' ').trim();
  return words.includes('@') ? withoutCalls(words, sourceOf(draft, heading)) : words;
}

/** The title to file under. */
export function readTitle(draft: string): string {
  const title = findTitle(draft);
  if (title === null || title === '') {
    throw new GatewrightError('title-invalid', 'The draft has no "# Title" heading.');
  }
  if ([...title].length > longestTitle) {
    throw new GatewrightError(
      'title-invalid',
      `The title has ${[...title].length} characters; at most ${longestTitle} are allowed.`,
    );
  }
  if (hasUnsafeCharacters(title)) {
    throw new GatewrightError('title-invalid', 'The title holds invisible or control characters.');
  }
  return title;
}

function labelsOf(paragraph: Paragraph): string[] | null {
  const [mark, ...rest] = paragraph.children;
  if (mark?.type !== 'strong') return null;
  const heading = plainText(mark).trim();
  const restText = rest.map((node) => plainText(node)).join('');
  if (!(heading === 'Labels:' || (heading === 'Labels' && restText.trimStart().startsWith(':')))) return null;
  // The line ends at the first line break: what follows in the paragraph is another field.
  const line: string[] = [];
  const codes: string[] = [];
  for (const node of rest) {
    if (node.type === 'break') break;
    const text = plainText(node);
    if (node.type === 'inlineCode') codes.push(node.value);
    else if (text.includes('\n')) {
      line.push(text.slice(0, text.indexOf('\n')));
      break;
    }
    line.push(text);
  }
  const names = codes.length > 0 ? codes : line.join('').replace(/^\s*:/u, '').split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The labels of the first `**Labels:**` line outside quotes and code; back-ticked names, else separated by commas. */
export function findLabels(draft: string): string[] {
  for (const node of parseMarkdown(draft).children) {
    const names = node.type === 'paragraph' ? labelsOf(node) : null;
    if (names !== null) return [...new Set(names)];
  }
  return [];
}

/** The labels to file with; throws when one is unusable or reserved. */
export function readLabels(draft: string): string[] {
  const labels = findLabels(draft).map((name) => checkDraftLabel(name));
  if (labels.length > mostLabels) {
    throw new GatewrightError(
      'label-invalid',
      `The draft asks for ${labels.length} labels; at most ${mostLabels} are allowed.`,
      {
        hint: 'Keep the few that help people to find the issue.',
      },
    );
  }
  return labels;
}
