/** Markdown that a model or a stranger wrote, made fit for a comment of ours: it calls nobody, closes nothing and hides nothing. */
import type { Nodes } from 'mdast';
import { collectNodes, parseMarkdown } from './markdown.ts';

/** Invisible to readers; forges no longer see a name or a number after the sign. */
const pause = '&#8203;';

function quieten(text: string): string {
  return (
    text
      .replace(/<(?=[A-Za-z/!?])/gu, '&lt;')
      // First, because the pause itself is written with this sign.
      .replace(/#(?=\d)/gu, `#${pause}`)
      .replace(/\bGH-(?=\d)/giu, (sign) => `${sign}${pause}`)
      .replace(/(?<!\w)@(?=\w)/gu, `@${pause}`)
  );
}

/** Inside code nothing is called or closed, and signs there mean themselves: it stays as it is. */
export function quietMarkdown(text: string, longest: number): string {
  const whole = text.length <= longest ? text : `${text.slice(0, longest)}…`;
  const root = parseMarkdown(whole);
  const code: Nodes[] = [...collectNodes([root], 'code'), ...collectNodes([root], 'inlineCode')];
  const spans = code
    .map(({ position }) => [position?.start.offset ?? 0, position?.end.offset ?? 0] as const)
    .sort((a, b) => a[0] - b[0]);
  let quiet = '';
  let at = 0;
  for (const [start, end] of spans) {
    quiet += quieten(whole.slice(at, start)) + whole.slice(start, end);
    at = end;
  }
  quiet += quieten(whole.slice(at));
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
  const lines = source.split('\n');
  return lines.length < 2 || !lines.at(-1)?.trimStart().startsWith(fence);
}
