/** A message as plain text. */
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { closingOf, headlineOf, linesOf, testWords } from './message-words.ts';

export function writePlainText(message: NotificationMessage): string {
  if (message.kind === 'test') return `${testWords}\n`;
  const parts = message.matters.map((matter) =>
    [headlineOf(matter), ...linesOf(matter).map(({ label, text }) => `  ${label}: ${text}`)].join('\n'),
  );
  const closing = closingOf(message);
  return `${[...parts, ...(closing === '' ? [] : [closing])].join('\n\n')}\n`;
}
