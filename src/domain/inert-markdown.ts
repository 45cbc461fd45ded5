/**
 * Words from elsewhere in a comment of ours. They are shown, and do nothing: no heading, no link, no image, nobody is
 * notified, no issue is closed or mentioned. Forges read names and numbers in the rendered text, so that a backslash does
 * not help; inside code they leave them alone, and a comment between the sign and the word takes them apart.
 */
import { escapeForTerminal } from './untrusted-text.ts';

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

function oneLine(text: string): string {
  return escapeForTerminal(text.replace(/[\r\n\t]+/gu, ' '))
    .replace(/\s+/gu, ' ')
    .trim();
}

/** As code on one line, whatever it holds. */
export function inertCode(text: string, longest = 200): string {
  const line = cut(oneLine(text), longest);
  if (line === '') return '` `';
  const ticks = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/gu)].map(([run]) => run.length)));
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

function inertWords(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~&]|#(?!\w)/gu, (mark) => `\\${mark}`)
    .replace(/[@#](?=\w)|\bGH-(?=\d)/giu, (sign) => `${sign}<!-- -->`);
}

/** As plain words on one line; what stands in single back-ticks stays code. */
export function inertLine(text: string, longest = 500): string {
  return cut(oneLine(text), longest)
    .split(/(`[^`]+`|(?:https?:\/\/|www\.)[^\s`]+)/iu)
    .map((part, index) => {
      if (index % 2 === 0) return inertWords(part);
      // A link that nobody has looked at is not made easy to follow.
      return inertCode(part.startsWith('`') ? part.slice(1, -1) : part, longest);
    })
    .join('');
}

/** As paragraphs, one for each line. */
export function inertProse(text: string, longest = 2000): string {
  return cut(text, longest)
    .split(/[\r\n]+/u)
    .map((line) => inertLine(line, longest))
    .filter((line) => line !== '')
    .join('\n\n');
}
