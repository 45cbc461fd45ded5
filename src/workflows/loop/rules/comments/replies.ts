/** What a loop replies to a comment or a label that does not move it. */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { callPerson } from '../../../../domain/text/comment-parts.ts';
import { lineOf } from './comment-words.ts';
import { describeAnswers } from './gate-answers.ts';

interface Reply {
  readonly who: string;
  readonly handle: string;
  readonly kind: GateQuestion['kind'];
}

export function writeUnread({ who, handle, kind }: Reply): string {
  const answers = describeAnswers(kind, handle);
  return [
    `${callPerson(who)}a loop works on this issue, and your comment does not answer what it waits for (the ${kind} gate).`,
    ...(answers.length === 0 ? ['', 'Nothing that is said here moves it now.'] : ['', ...answers]),
    '',
  ].join('\n');
}

export function writeVoidApproval({ who, handle, because }: Reply & { readonly because: string }): string {
  return [
    `${callPerson(who)}the plan is not approved: ${lineOf(because, 300)}. An approval counts for the plan that was shown, and for no other.`,
    '',
    `- \`@${handle} revise: …\` has the plan made again and posted in a new comment, which you can then approve.`,
    '',
  ].join('\n');
}

export function writeStopped({
  who,
  handle,
  message,
}: Omit<Reply, 'kind'> & { readonly message: string }): string {
  return [
    `${callPerson(who)}the loop of this issue has stopped: ${lineOf(message, 500)}`,
    '',
    `- \`@${handle} continue\` has it try again.`,
    '',
  ].join('\n');
}
