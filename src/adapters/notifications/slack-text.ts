/**
 * A message in Slack's markup. Words of strangers stand in code spans, in which neither Slack nor Mattermost makes
 * mentions, links or emphasis; and what begins a mention or ends a span is taken out of them.
 */
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { closingOf, headlineOf, linesOf, subjectOf, testWords } from './message-words.ts';

/** Slack takes 40,000 characters and shows fewer. */
const longest = 12_000;

/** The three characters that Slack's markup is made with. */
function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Words of others, as they are, with nothing of them in effect. */
function quoteForSlack(text: string): string {
  const line = text.replace(/\s+/gu, ' ').replaceAll('`', 'ˋ').trim();
  return line === '' ? '` `' : `\`${escapeForSlack(line)}\``;
}

export function writeSlackText(message: NotificationMessage): string {
  if (message.kind === 'test') return testWords;
  const head = `*${escapeForSlack(subjectOf(message)).replaceAll('*', '')}*`;
  const parts = message.matters.map((matter) =>
    [
      `• ${headlineOf(matter)}`,
      ...linesOf(matter).map(({ label, text, isUrl }) =>
        isUrl === true ? `${label}: <${escapeForSlack(text)}>` : `${label}: ${quoteForSlack(text)}`,
      ),
    ].join('\n'),
  );
  const shown: string[] = [];
  let size = head.length;
  for (const part of parts) {
    size += part.length + 2;
    if (size > longest) break;
    shown.push(part);
  }
  const more = message.more + parts.length - shown.length;
  const closing = closingOf({ ...message, more });
  return [head, ...shown, ...(closing === '' ? [] : [closing])].join('\n\n');
}
