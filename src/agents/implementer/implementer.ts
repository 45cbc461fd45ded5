/**
 * Plans the work on an issue if asked to, implements it as a pull request, and corrects what a review or a person asks
 * for.
 */

import { countOf } from '../../domain/text/count-of.ts';
import { GatewrightError } from '../../errors.ts';
import type { Agent, AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { type TellStop, withStopsTold } from '../stops/report-stop.ts';
import { tellOnNumber } from '../stops/tell-on-number.ts';
import { closeStopIssue, tellOnOwnIssue } from '../stops/tell-on-own-issue.ts';
import { handToWorkflow } from './choose-strategy.ts';
import { dismissFindings } from './dismiss-findings.ts';
import { explainWork } from './explain-work.ts';
import { handOnAfterPush, handOnConflicts } from './find-conflict.ts';
import { otherPullKey } from './find-pulls.ts';
import { fixFindings } from './fix-findings.ts';
import { gatherFacts, type ImplementerTask, readHistoryOf } from './gather-facts.ts';
import { implementIssue } from './implement-issue.ts';
import { makePlan } from './make-plan.ts';
import { speaksOfDismissing } from './rules/dismissal.ts';
import { chooseMode, type ImplementerAnswer } from './rules/implementer-mode.ts';
import {
  answerComment,
  dismissedComment,
  outdatedOrderComment,
  undismissedComment,
} from './rules/implementer-texts.ts';
import { describeDeed } from './rules/order-words.ts';
import { updatePull } from './update-pull.ts';

/** Why nothing is done, for lists. */
const whyNothing: Readonly<Record<ImplementerAnswer, string>> = {
  closed: 'it is closed',
  merged: 'it is merged',
  'in-pull-request': 'its pull request is open',
  'other-pull': 'a pull request that closes it is open',
  'from-fork': 'its branch is in another repository',
  'default-branch': 'it comes from the default branch',
  'branch-name': 'its branch has a strange name',
  unclear: 'it is not plain whether its plan is approved',
  'plan-changed': 'its plan was changed after the approval',
};

/**
 * Says why nothing is done. In conversations between people, and on pull requests that it cannot push to, it says so
 * only once.
 */
async function giveAnswer(
  context: AgentContext,
  assignment: ImplementerTask,
  answer: ImplementerAnswer,
): Promise<AgentEnd> {
  const { number, facts } = assignment;
  const history = await readHistoryOf(context, number);
  const key = answer === 'other-pull' ? otherPullKey(assignment.otherPull ?? 0) : `answer/${answer}`;
  const isOnce = answer === facts.obstacle || (answer === 'unclear' && !facts.isMentioned);
  if (isOnce && history.wasSaid(key, answer === 'unclear'))
    return { message: `nothing is done about #${number}: ${whyNothing[answer]}, which was said before` };
  const { event, settings } = context;
  const who = event.kind === 'handed-on' ? assignment.person : event.actor;
  const pull = assignment.openPull ?? assignment.otherPull;
  await say(context, key, number, answerComment(answer, { handle: settings.handle, who, pull }));
  return { message: `nothing is done about #${number}: ${whyNothing[answer]}` };
}

/**
 * Findings that a comment on a pull request dismisses, on our pull requests and on those of other authors; null when it
 * dismisses none.
 */
async function takeDismissals(context: AgentContext, assignment: ImplementerTask): Promise<AgentEnd | null> {
  const { event } = context;
  const { number, facts } = assignment;
  if (!facts.isPullRequest || !facts.isSpoken || !('text' in event)) return null;
  const outcome = await dismissFindings(context, number, { text: event.text, by: event.actor });
  if (outcome === null && speaksOfDismissing(event.text, context.settings.handle)) {
    await say(context, 'not-dismissed', number, undismissedComment(event.actor, context.settings.handle));
    return { message: `nothing on #${number} is dismissed: the comment says more than that` };
  }
  if (outcome === null) return null;
  const { dismissed, unknown, isClean } = outcome;
  await say(context, 'dismissed', number, dismissedComment({ who: event.actor, ...outcome }));
  return {
    message: `${countOf(dismissed.length, 'finding')} on #${number} dismissed, ${unknown.length} not known`,
    ...(isClean === true ? { handoffs: [{ to: 'auto-merge', task: 'start', number }] } : {}),
  };
}

/** The text has changed since a person agreed to it: a comment says so once, and no work begins. */
async function refuseOutdated(context: AgentContext, assignment: ImplementerTask): Promise<void> {
  const { number, outdated = null, person, deed = 'said' } = assignment;
  if (outdated === null) return;
  const { handle } = context.settings;
  await say(context, 'outdated', number, outdatedOrderComment({ person, handle, outdated, deed }));
  throw new GatewrightError(
    'order-outdated',
    outdated === 'plan'
      ? `The text of issue #${number} was changed after its plan was made.`
      : `The text of issue #${number} was changed after ${describeDeed(person, deed)}.`,
  );
}

const worker: Agent = {
  name: 'implementer',
  explain: explainWork,
  async run(context) {
    if (context.event.kind === 'base-pushed') return handOnAfterPush(context, context.event);
    const assignment = await gatherFacts(context);
    const dismissed = await takeDismissals(context, assignment);
    if (dismissed !== null) return dismissed;
    const chosen = chooseMode(assignment.facts);
    if (chosen.mode === 'plan' || chosen.mode === 'carry-out') await refuseOutdated(context, assignment);
    switch (chosen.mode) {
      case 'plan':
        return makePlan(context, assignment);
      case 'carry-out':
        return (
          (await handToWorkflow(context, assignment)) ?? implementIssue(context, assignment, chosen.approves)
        );
      case 'settle':
        return fixFindings(context, assignment, chosen.by);
      case 'update':
        return updatePull(context, assignment, chosen.by);
      case 'look-around':
        return handOnConflicts(context, assignment.number);
      case 'answer':
        return giveAnswer(context, assignment, chosen.answer);
      case 'nothing':
        return { message: `nothing to do about #${assignment.number}: ${chosen.why}` };
    }
  },
};

const tellOfWork = tellOnNumber('The work on this', 'continue');
/** A look at all pull requests after a push is about none of them. */
const tellStop: TellStop = (context, stop) =>
  (context.request.number === null ? tellOnOwnIssue : tellOfWork)(context, stop);

export const implementer: Agent = withStopsTold(tellStop, worker, async (context) => {
  if (context.request.number === null) await closeStopIssue(context);
});
