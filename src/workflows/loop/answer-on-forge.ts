/**
 * What people said on the issue to the question that a loop waits with, in a comment or by the label that approves a
 * plan. Their word counts as at the terminal. An approval counts for the plan that was shown and for no other: the
 * comment that shows it has to be there, unedited, with just the text that the question is about.
 */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import { carriesMarker, withoutMarkers } from '../../domain/fleet/effect-marker.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import { isGatewrightError } from '../../errors.ts';
import type { ForgeComment } from '../../ports/forge/forge-issues.ts';
import type { LoopTools } from './loop-context.ts';
import { readGateAnswer, type SpokenAnswer } from './rules/comments/gate-answers.ts';

type Place = Pick<LoopTools, 'forge' | 'repositoryName' | 'fleet' | 'ledger'>;

interface ForgeAnswer extends SpokenAnswer {
  readonly author: string;
  readonly said: NonNullable<GateAnswer['said']>;
}

/** An approval that does not count, with the reason. */
export interface VoidApproval {
  readonly author: string;
  readonly said: NonNullable<GateAnswer['said']>;
  readonly because: string;
}

interface Heard {
  readonly answer: ForgeAnswer | null;
  readonly void: VoidApproval | null;
}

const nothing: Heard = { answer: null, void: null };

/** A program gives no answers: only a person approves, tests and decides. */
async function isPermitted({ forge, repositoryName, fleet }: Place, login: string): Promise<boolean> {
  if (isListedBot(fleet, login)) return false;
  return isAtLeast(await forge.permissionOf(repositoryName, login), 'write');
}

/** Lines may end otherwise on a forge, and space at the end of a text does not count there. */
function asPosted(text: string): string {
  return withoutMarkers(text).replaceAll('\r\n', '\n').trim();
}

/** Why the comment does not show the plan that is asked about; null when it does. */
async function whyNotShown(
  { ledger }: Place,
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

/**
 * The first answer of a permitted person after the comment that asks. An edited comment says nothing: it may not be what
 * its author wrote.
 */
async function hearComments(
  place: Place,
  question: GateQuestion,
  comment: number,
  comments: readonly ForgeComment[],
): Promise<Heard> {
  const { kind } = question;
  // By the forge's own order: clocks differ, and a word about an earlier question must not count for this one.
  const isLater = ({ id, createdAt, updatedAt, authorKind, body }: ForgeComment): boolean =>
    id > comment && updatedAt === createdAt && authorKind === 'person' && !carriesMarker(body);
  let empty: VoidApproval | null = null;
  for (const { id, author, body } of comments.filter(isLater)) {
    const answer = readGateAnswer(kind, body, place.fleet.handle);
    if (answer === null || !(await isPermitted(place, author))) continue;
    const said = { comment: id };
    const shown = comments.find((one) => one.id === question.comment);
    const because =
      kind === 'plan' && answer.choice === 'approve' ? await whyNotShown(place, question, shown) : null;
    if (because === null) return { answer: { ...answer, author, said }, void: null };
    // A later comment may still ask for a change.
    empty ??= { author, said, because };
  }
  return { answer: null, void: empty };
}

/** The label that approves a plan, if a permitted person set it after the plan was posted. */
async function hearLabel(
  place: Place,
  { number, own }: { readonly number: number; readonly own: string },
  question: GateQuestion,
  comments: readonly ForgeComment[],
): Promise<Heard> {
  if (question.kind !== 'plan') return nothing;
  const { forge, repositoryName } = place;
  const wanted = labelNames.loopApproved.toLowerCase();
  const changes = await forge.listLabelEvents(repositoryName, number);
  const last = changes.filter(({ label }) => label.toLowerCase() === wanted).at(-1);
  // The loop sets this label itself: under a person's account it cannot be told which of the two set it.
  if (last?.change !== 'added' || last.actorKind === 'bot' || last.actor.toLowerCase() === own.toLowerCase())
    return nothing;
  if (!(await isPermitted(place, last.actor))) return nothing;
  const { actor: author, at } = last;
  const said = { label: labelNames.loopApproved, at };
  const posted = comments.find(({ id }) => id === question.comment);
  const isEarlier = posted !== undefined && Date.parse(at) <= Date.parse(posted.createdAt);
  const because = isEarlier
    ? 'the label was not set after the plan was posted'
    : await whyNotShown(place, question, posted);
  if (because !== null) return { answer: null, void: { author, said, because } };
  return { answer: { choice: 'approve', author, said }, void: null };
}

/** The last comment of the loop when it asked: what people said before it answers something else. */
async function findAsking(
  { ledger }: Place,
  run: string,
  { id, comment }: GateQuestion,
): Promise<number | null> {
  const entries = await ledger.readRun(run);
  const asked = entries.findIndex((entry) => entry.kind === 'gate-asked' && entry.key === id);
  const before = asked === -1 ? entries : entries.slice(0, asked);
  const commented = new Set(
    before.flatMap((entry) =>
      entry.kind === 'effect-intended' && entry.data.effect.kind === 'create-comment' ? [entry.key] : [],
    ),
  );
  const ids = before.flatMap((entry) =>
    entry.kind === 'effect-receipted' && commented.has(entry.key) && 'id' in entry.data.result
      ? [Number(entry.data.result.id)]
      : [],
  );
  const last = Math.max(0, comment ?? 0, ...ids);
  return last === 0 ? null : last;
}

/** Comments come first: they can say more than a label. */
export async function hearForge(
  place: Place,
  issue: { readonly number: number; readonly own: string; readonly run: string },
  question: GateQuestion,
): Promise<Heard> {
  const asking = await findAsking(place, issue.run, question);
  if (asking === null) return nothing;
  const comments = await place.forge.listComments(place.repositoryName, issue.number);
  const spoken = await hearComments(place, question, asking, comments);
  if (spoken.answer !== null) return spoken;
  const labelled = await hearLabel(place, issue, question, comments).catch((error: unknown) => {
    if (isGatewrightError(error, 'forge-not-found')) return nothing;
    throw error;
  });
  return labelled.answer !== null || spoken.void === null ? labelled : spoken;
}
