/**
 * Markdown that a model or a stranger wrote, made fit for a comment of ours: it notifies no person, closes nothing and
 * hides nothing.
 */
import type { Nodes, Root } from 'mdast';
import { isTangled } from './limit-markdown.ts';
import { collectNodes, parseMarkdown } from './markdown.ts';

/** Invisible to readers; forges no longer see a name or a number after the sign. */
const pause = '&#8203;';

function showHtml(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/gu, '&lt;');
}

function quieten(text: string): string {
  return (
    text
      // Forges look for names in what is shown, where a sign that was written as an entity is the sign.
      // A pause that stands there already stays one.
      .replace(/&(?!#8203;)(?=#\w{1,8};|(?!(?:lt|gt|amp|quot|nbsp);)[A-Za-z]\w{1,31};)/gu, '&amp;')
      // First, because the pause itself is written with this sign.
      .replace(/(?<!&(?=#8203;))#(?=\d)/gu, `#${pause}`)
      .replace(/\bGH-(?=\d)/giu, (sign) => `${sign}${pause}`)
      // An underscore before it may be emphasis, which is gone when it is shown.
      .replace(/(?<![A-Za-z0-9])@(?=\w)/gu, `@${pause}`)
      // The address of an issue closes it as its number does.
      .replace(
        /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+(?:&lt;)?https?:\/\/)/giu,
        (word) => `${word.slice(0, 1)}${pause}${word.slice(1)}`,
      )
  );
}

/** Inside code nothing is called or closed, and signs there mean themselves: it stays as it is. */
function changeOutsideCode(text: string, root: Root, change: (text: string) => string): string {
  const code: Nodes[] = [...collectNodes([root], 'code'), ...collectNodes([root], 'inlineCode')];
  const spans = code
    .map(({ position }) => [position?.start.offset ?? 0, position?.end.offset ?? 0] as const)
    .sort((a, b) => a[0] - b[0]);
  let changed = '';
  let at = 0;
  for (const [start, end] of spans) {
    changed += change(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return changed + change(text.slice(at));
}

/** Without its HTML a text may be laid out differently, and what was code be words; this often it is looked at again. */
const mostRounds = 5;

export function quietMarkdown(text: string, longest: number): string {
  let whole = text.length <= longest ? text : `${text.slice(0, longest)}…`;
  for (let round = 0; ; round += 1) {
    // Code cannot know what is code in such a text, so nothing in it counts as code.
    if (round === mostRounds || isTangled(whole))
      return quieten(showHtml(whole)).replace(/[`~]{3,}/gu, "'''");
    const shown = changeOutsideCode(whole, parseMarkdown(whole), showHtml);
    if (shown === whole) break;
    whole = shown;
  }
  const root = parseMarkdown(whole);
  const quiet = changeOutsideCode(whole, root, quieten);
  // A fence that is left open would swallow what we say after it.
  const last = root.children.at(-1);
  return last?.type === 'code' && isOpenFence(whole, last)
    ? `${quiet.trimEnd()}\n${fenceOf(whole, last)}`
    : quiet;
}

function fenceOf(text: string, node: Nodes): string {
  return /^[`~]{3,}/u.exec(text.slice(node.position?.start.offset ?? 0))?.[0] ?? '';
}

function isOpenFence(text: string, node: Nodes): boolean {
  const fence = fenceOf(text, node);
  if (fence === '') return false;
  const source = text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0).trimEnd();
  const lines = source.split(/\r\n?|\n/u);
  // Only a fence that nothing follows closes.
  const closing = /^ {0,3}([`~]{3,})[ \t]*$/u.exec(lines.at(-1) ?? '')?.[1] ?? '';
  return lines.length < 2 || !closing.startsWith(fence);
}
