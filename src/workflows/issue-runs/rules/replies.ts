/** What a run replies to a comment on its issue that does not move it. */
import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import { callPerson } from '../../../domain/text/comment-parts.ts';
import { lineOf } from './comment-words.ts';

interface Reply {
  /** What works on the issue: "loop". */
  readonly noun: string;
  readonly who: string;
}

/** @param answers how the question is answered in a comment, one line each */
export function writeUnread(
  { noun, who }: Reply,
  kind: GateQuestion['kind'],
  answers: readonly string[],
): string {
  return [
    `${callPerson(who)}a ${noun} works on this issue, and your comment does not answer what it waits for (the ${kind} gate).`,
    ...(answers.length === 0 ? ['', 'Nothing that is said here moves it now.'] : ['', ...answers]),
    '',
  ].join('\n');
}

/** @param more what else can be said to it, one line each */
export function writeStopped(
  { noun, who }: Reply,
  handle: string,
  message: string,
  more: readonly string[] = [],
): string {
  return [
    `${callPerson(who)}the ${noun} of this issue has stopped: ${lineOf(message, 500)}`,
    '',
    `- \`@${handle} continue\` has it try again.`,
    ...more,
    '',
  ].join('\n');
}

/** To an order on an issue whose run waits already. @param answers as above */
export function writeWaiting(
  { noun, who }: Reply,
  { because, answers }: { readonly because: string; readonly answers: readonly string[] },
): string {
  return [
    `${callPerson(who)}a ${noun} works on this issue already. It waits for a person: ${lineOf(because, 1000)}`,
    '',
    ...answers,
    '',
  ].join('\n');
}

/** To an order that begins nothing. */
export function writeObstacle({ noun, who }: Reply, message: string): string {
  return `${callPerson(who)}no new ${noun} begins here: ${lineOf(message, 500)}\n`;
}
