/** What a message says, as lines of text. Words of strangers stay apart from ours, so that a channel can mark them. */
import type { Matter, NotificationMessage } from '../../domain/notifications/notification.ts';
import { countOf } from '../../domain/text/count-of.ts';
import { money } from '../../domain/text/money.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';

/** Our words about what it is. */
export function headlineOf({ kind, urgency }: Matter): string {
  if (kind === 'gate') return 'A gate waits for your answer';
  if (kind === 'asked') return 'An answer is waited for on the forge';
  return urgency === 'low' ? 'A run waits for a time' : 'A run has stopped';
}

export function subjectOf({ kind, matters, more, repository }: NotificationMessage): string {
  const where = escapeForLine(repository, 140);
  if (kind === 'test') return `${where}: a test message`;
  const [first] = matters;
  if (kind === 'digest' || first === undefined)
    return `${where}: ${countOf(matters.length + more, 'thing waits or has stopped', 'things wait or have stopped')}`;
  return `${where}: ${headlineOf(first)}`;
}

export interface MatterLine {
  /** Ours. */
  readonly label: string;
  /** May be a stranger's; on one line. */
  readonly text: string;
  readonly isUrl?: true;
}

const titleWidth = 200;
const whyWidth = 800;

export function linesOf(matter: Matter): MatterLine[] {
  const { subject, title, why, owner, command, costUsd, url } = matter;
  return [
    { label: 'About', text: escapeForLine(`${title} (${subject})`, titleWidth + 150) },
    { label: 'Why', text: escapeForLine(why, whyWidth) },
    { label: 'Who', text: escapeForLine(owner, titleWidth) },
    ...(command === '' ? [] : [{ label: 'Command', text: escapeForLine(command, 600) }]),
    ...(costUsd === null ? [] : [{ label: 'Cost so far', text: money(costUsd) }]),
    ...(url === null ? [] : [{ label: 'Page', text: url, isUrl: true as const }]),
  ];
}

export const testWords =
  'This is a test message of Gatewright. Nothing waits for you because of it, and it needs no answer.';

export function closingOf({ more }: NotificationMessage): string {
  return more === 0 ? '' : `… and ${more} more: gatewright status`;
}
