/** Words of models, commands and strangers inside the comments of the loop: they are shown, bounded, and do nothing. */
import { hideTokens } from '../../../domain/changes/hide-tokens.ts';
import { longestBody } from '../../../domain/forge/forge-texts.ts';
import { inertCode, inertLine, inertProse } from '../../../domain/text/inert-markdown.ts';
import { escapeForJson, escapeForTerminal } from '../../../domain/text/untrusted-text.ts';

/** Leaves room for the hidden mark that every effect carries. */
export const longestComment = longestBody - 5_000;

/** What may be shown of a text, and enough behind it that a secret at the end is recognised. */
function read(text: string, longest: number): string {
  return hideTokens(text.slice(0, longest * 2 + 200));
}

/** Cut between characters, with a mark where something is left out. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const characters = [...text.slice(0, longest * 2)];
  return characters.length <= longest && text.length <= longest * 2
    ? text
    : `${characters.slice(0, Math.max(0, longest - 1)).join('')}…`;
}

/** Paragraphs; code in single backticks stays code. */
export function proseOf(text: string, longest = 2000): string {
  return inertProse(cutText(read(text, longest), longest), longest);
}

/** Words on one line. */
export function lineOf(text: string, longest = 200): string {
  return inertLine(escapeForTerminal(read(text, longest)), longest);
}

/** Code on one line. */
export function codeOf(text: string, longest = 200): string {
  return inertCode(text.slice(0, longest * 2 + 200), longest);
}

/** A list with one line for each item; what is too much is counted. */
export function listOf(items: readonly string[], most = 20): string[] {
  const room = Math.ceil(most);
  const shown = items.slice(0, room).map((item) => `- ${item === '' ? '…' : item}`);
  return items.length <= room ? shown : [...shown, `- and ${items.length - room} more`];
}

/** A block of code that its content cannot end. */
export function blockOf(text: string, language = ''): string[] {
  const visible = escapeForTerminal(text);
  const longest = [...visible.matchAll(/`+/gu)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, visible, fence];
}

/** A block with JSON on one line. Nothing in it looks like a fence or like a mark of an effect. */
export function jsonBlockOf(value: unknown): string[] {
  return ['```json', jsonLineOf(value), '```'];
}

export function jsonLineOf(value: unknown): string {
  return escapeForJson(JSON.stringify(value)).replaceAll('<', '\\u003c');
}

/** `2026-02-10 18:30 UTC`. */
export function utcMinute(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? 'unknown' : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function utcDay(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? 'unknown' : at.toISOString().slice(0, 10);
}

/**
 * The longest version of a comment that a forge takes. Escaping may make a text ten times as long, so the limits of its
 * parts are made smaller until the whole fits. A mark of an effect that another author wrote into code is no mark any
 * more.
 * @param write writes the comment; the limit of each part is multiplied by the number
 */
export function fitComment(write: (scale: number) => string): string {
  let text = write(1);
  for (let scale = 1 / 2; text.length > longestComment && scale > 1 / 1024; scale /= 2) text = write(scale);
  return text.replaceAll('<!-- gatewright:', '<\\!-- gatewright:');
}
