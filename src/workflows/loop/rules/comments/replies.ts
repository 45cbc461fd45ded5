/** What a loop replies to an approval that approves nothing. */
import { labelNames } from '../../../../domain/forge/labels.ts';
import { callPerson } from '../../../../domain/text/comment-parts.ts';
import { lineOf } from '../../../issue-runs/rules/comment-words.ts';
import { describeAnswers } from './gate-answers.ts';

interface Reply {
  readonly who: string;
  readonly handle: string;
}

interface VoidReply extends Reply {
  readonly because: string;
  /** How the same plan can still be approved; missing where it has to be posted again. */
  readonly remedy?: 'set-again' | 'comment' | undefined;
}

export function writeVoidApproval({ who, handle, because, remedy }: VoidReply): string {
  const again = `- Read the plan, then set the label "${labelNames.loopApproved}" again.`;
  const revise = `- \`@${handle} revise: …\` has the plan made again and posted in a new comment, which you can then approve.`;
  return [
    `${callPerson(who)}the plan is not approved: ${lineOf(because, 300)}. An approval counts for the plan that was shown, and for no other.`,
    '',
    ...(remedy === 'set-again' ? [again] : []),
    ...(remedy === undefined ? [] : [`- \`@${handle} approve\` approves the plan.`]),
    revise,
    '',
  ].join('\n');
}

/** The label that approves a plan was set before there was one. */
export function writeNoPlanYet({ who, handle }: Reply): string {
  return [
    `${callPerson(who)}there is no plan yet that the label "${labelNames.loopApproved}" could approve: the loop waits for answers to its questions.`,
    '',
    ...describeAnswers('scope', handle),
    '- When the plan is posted, set the label again.',
    '',
  ].join('\n');
}
