/**
 * What people said on the issue to the question that a loop waits with, in a comment or by the label that approves a
 * plan. Their word counts as at the terminal. An approval counts for the plan that was shown and for no other: the
 * comment that shows it has to be there, unedited, with just the text that the question is about.
 */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import { withoutMarkers } from '../../domain/fleet/effect-marker.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isGatewrightError } from '../../errors.ts';
import type { ForgeComment } from '../../ports/forge/forge-issues.ts';
import {
  findAsking,
  hearComments,
  isPermitted,
  type Listening,
  nothingHeard,
} from '../issue-runs/hear-forge.ts';
import type { Heard, HeardIssue } from '../issue-runs/issue-run.ts';
import { readGateAnswer } from './rules/comments/gate-answers.ts';

/** Lines may end otherwise on a forge, and space at the end of a text does not count there. */
function asPosted(text: string): string {
  return withoutMarkers(text).replaceAll('\r\n', '\n').trim();
}

/** Why the comment does not show the plan that is asked about; null when it does. */
async function whyNotShown(
  { ledger }: Listening,
  question: GateQuestion,
  posted: ForgeComment | undefined,
): Promise<string | null> {
  const plan = question.artefacts.find(({ name }) => name === 'plan');
  if (posted === undefined) return 'the comment with the plan was deleted';
  const isSame = plan !== undefined && asPosted(posted.body) === asPosted(await ledger.getText(plan.hash));
  return posted.updatedAt === posted.createdAt && isSame
    ? null
    : 'the comment with the plan was edited after it was posted';
}

const isEarly = 'the label was set before the plan was posted, or in the same second';
const areOff = 'labels approve nothing here (the setting fleet.loopLabels is off)';

/** The label that approves a plan, if a permitted person set it after the plan was posted. */
async function hearLabel(
  place: Listening,
  { number, own }: { readonly number: number; readonly own: string },
  question: GateQuestion,
  comments: readonly ForgeComment[],
): Promise<Heard> {
  if (question.kind !== 'plan') return nothingHeard;
  const { forge, repositoryName } = place;
  const wanted = labelNames.loopApproved.toLowerCase();
  const changes = await forge.listLabelEvents(repositoryName, number);
  const last = changes.filter(({ label }) => label.toLowerCase() === wanted).at(-1);
  // The loop sets this label itself: under a person's account it cannot be told which of the two set it.
  if (last?.change !== 'added' || last.actorKind === 'bot' || last.actor.toLowerCase() === own.toLowerCase())
    return nothingHeard;
  if (!(await isPermitted(place, last.actor))) return nothingHeard;
  const { actor: author, at } = last;
  const said = { label: labelNames.loopApproved, at };
  const posted = comments.find(({ id }) => id === question.comment);
  const because = await whyNotShown(place, question, posted);
  if (because !== null) return { answer: null, void: { author, said, because } };
  if (place.fleet.loopLabels === 'off')
    return { answer: null, void: { author, said, because: areOff, remedy: 'comment' } };
  // Forges tell times in seconds: within one, the label may have been there before the plan was.
  if (posted === undefined || Date.parse(at) <= Date.parse(posted.createdAt))
    return { answer: null, void: { author, said, because: isEarly, remedy: 'set-again' } };
  return { answer: { choice: 'approve', author, said }, void: null };
}

/** Comments come first: they can say more than a label. */
export async function hearForge(place: Listening, issue: HeardIssue, question: GateQuestion): Promise<Heard> {
  const asking = await findAsking(place, issue.run, question);
  if (asking === null) return nothingHeard;
  const comments = await place.forge.listComments(place.repositoryName, issue.number);
  const spoken = await hearComments(place, question, asking, comments, {
    read: readGateAnswer,
    whyVoid: async ({ choice }, all) =>
      question.kind === 'plan' && choice === 'approve'
        ? whyNotShown(
            place,
            question,
            all.find(({ id }) => id === question.comment),
          )
        : null,
  });
  if (spoken.answer !== null) return spoken;
  const labelled = await hearLabel(place, issue, question, comments).catch((error: unknown) => {
    if (isGatewrightError(error, 'forge-not-found')) return nothingHeard;
    throw error;
  });
  return labelled.answer !== null || spoken.void === null ? labelled : spoken;
}
