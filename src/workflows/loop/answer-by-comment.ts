/** What people said on the issue to the question that a loop waits with. Their word counts as at the terminal. */
import type { GateQuestion } from '../../domain/drafts/gate.ts';
import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import { isAtLeast } from '../../domain/forge/permission.ts';
import { readPlanAnswer } from '../../domain/spoken/plan-approval.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { ForgeComment } from '../../ports/forge/forge-issues.ts';
import type { LoopTools } from './loop-context.ts';

export interface CommentAnswer {
  readonly choice: string;
  readonly feedback?: string;
  readonly author: string;
}

/** Null when the comment says nothing to that question. */
function readComment(
  kind: GateQuestion['kind'],
  body: string,
  handle: string,
): Omit<CommentAnswer, 'author'> | null {
  if (kind === 'scope') return { choice: 'answer', feedback: body };
  if (kind !== 'plan') return null;
  const answer = readPlanAnswer(body, handle);
  if (answer === 'approves') return { choice: 'approve' };
  if (answer === 'assents' && mentions(body, handle)) return { choice: 'approve' };
  if (answer === 'revises' || (answer === 'other' && mentions(body, handle)))
    return { choice: 'revise', feedback: body };
  return null;
}

/**
 * The first answer of a person with write permission after the comment that asks. An edited comment says nothing: it may
 * not be what its author wrote.
 */
export async function findCommentAnswer(
  { forge, repositoryName, fleet }: Pick<LoopTools, 'forge' | 'repositoryName' | 'fleet'>,
  number: number,
  question: GateQuestion,
): Promise<CommentAnswer | null> {
  const { kind, comment } = question;
  if ((kind !== 'scope' && kind !== 'plan') || comment === undefined) return null;
  // By the forge's own order: clocks differ, and a word about an earlier plan must not count for this one.
  const isLater = ({ id, createdAt, updatedAt, authorKind, body }: ForgeComment): boolean =>
    id > comment && updatedAt === createdAt && authorKind === 'person' && !carriesMarker(body);
  for (const { author, body } of (await forge.listComments(repositoryName, number)).filter(isLater)) {
    const answer = readComment(kind, body, fleet.handle);
    if (answer === null) continue;
    if (isAtLeast(await forge.permissionOf(repositoryName, author), 'write')) return { ...answer, author };
  }
  return null;
}
