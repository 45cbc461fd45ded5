/**
 * What people said on the issue to the question that a run waits with, in comments. Their word counts as at the terminal.
 * The first answer of a permitted person after the comment that asks counts. An edited comment says nothing: it may not be
 * what its author wrote.
 */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { isListedBot } from '../../domain/fleet/fleet-settings.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import type { ForgeComment } from '../../ports/forge/forge-issues.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { Heard, VoidApproval } from './issue-run.ts';
import type { SpokenAnswer } from './rules/spoken-answer.ts';

export type Listening = Pick<FleetTools, 'forge' | 'repositoryName' | 'fleet' | 'ledger'>;

export const nothingHeard: Heard = { answer: null, void: null };

/** A program gives no answers: only a person approves, tests and decides. */
export async function isPermitted(
  { forge, repositoryName, fleet }: Listening,
  login: string,
): Promise<boolean> {
  if (isListedBot(fleet, login)) return false;
  return isAtLeast(await forge.permissionOf(repositoryName, login), 'write');
}

interface Reading {
  readonly read: (kind: GateQuestion['kind'], body: string, handle: string) => SpokenAnswer | null;
  /** Why an answer does not count although its words are plain; null when it does. */
  readonly whyVoid?: (answer: SpokenAnswer, comments: readonly ForgeComment[]) => Promise<string | null>;
}

/** @param comment the comment that asks: what was said before it answers something else */
export async function hearComments(
  place: Listening,
  { kind }: GateQuestion,
  comment: number,
  comments: readonly ForgeComment[],
  { read, whyVoid = async () => null }: Reading,
): Promise<Heard> {
  // By the forge's own order: clocks differ, and a word about an earlier question must not count for this one.
  const isLater = ({ id, createdAt, updatedAt, authorKind, body }: ForgeComment): boolean =>
    id > comment && updatedAt === createdAt && authorKind === 'person' && !carriesMarker(body);
  let empty: VoidApproval | null = null;
  for (const { id, author, body } of comments.filter(isLater)) {
    const answer = read(kind, body, place.fleet.handle);
    if (answer === null || !(await isPermitted(place, author))) continue;
    const said = { comment: id };
    const because = await whyVoid(answer, comments);
    if (because === null) return { answer: { ...answer, author, said }, void: null };
    // A later comment may still ask for something else.
    empty ??= { author, said, because };
  }
  return { answer: null, void: empty };
}

/** The last comment when the run asked; null when that is not known. */
export async function findAsking(
  { ledger }: Pick<Listening, 'ledger'>,
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
  // A comment that answered a question answers no other one.
  const used = before.flatMap((entry) => {
    const said = entry.kind === 'gate-answered' ? entry.data.answer.said : undefined;
    return said !== undefined && 'comment' in said ? [said.comment] : [];
  });
  const last = Math.max(0, comment ?? 0, ...ids, ...used);
  return last === 0 && comment === undefined ? null : last;
}
