/**
 * Words from elsewhere in a text of ours: they are shown, and do nothing. The forge notifies no person because of them
 * and links nothing that they name; it would show a link on the other issue and date it as a change there. Forges read
 * names and numbers in the rendered text, where a backslash is gone; a space of no width is what they do not see
 * through.
 */
import { inlineMarkdown } from './markdown.ts';
import { escapeForLine, escapeForTerminal } from './untrusted-text.ts';

/** As plain words on one line. */
export function inertLine(text: string, longest = 500): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  const cut = characters.length <= longest ? characters : [...characters.slice(0, longest - 1), '…'];
  return inlineMarkdown(cut.join(''))
    .replaceAll('&', '&amp;')
    .replace(/@(?=\w)|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)/giu, (mark) => `${mark}&#8203;`);
}

/** As code on one line, with any content: forges do not interpret what is in code. */
export function inertCode(text: string, longest = 200): string {
  const line = escapeForLine(text.replace(/[\r\n\t]+/gu, ' '), longest);
  if (line === '') return '` `';
  const ticks = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/gu)].map(([run]) => run.length)));
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** As paragraphs, one for each line; what stands in single back-ticks stays code. */
export function inertProse(text: string, longest = 2000): string {
  const cut = [...text].slice(0, longest).join('');
  return cut
    .split(/[\r\n]+/u)
    .map((line) =>
      line
        .split(/(`[^`]+`)/u)
        .map((part, index) => (index % 2 === 1 ? inertCode(part.slice(1, -1)) : inertPart(part, longest)))
        .join('')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n\n');
}

/** Spaces at its ends stay: something else stands beside it. */
function inertPart(text: string, longest: number): string {
  const words = inertLine(escapeForTerminal(text), longest);
  return `${/^\s/u.test(text) ? ' ' : ''}${words}${/\s$/u.test(text) ? ' ' : ''}`;
}
