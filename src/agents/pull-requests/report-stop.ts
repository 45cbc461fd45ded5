/**
 * When a run stops for a reason that a person has to remove, it says so where it worked: once for each cause and head
 * commit, however often it is tried again. A stop that ends by itself after a while is not told.
 */

import { readHistory } from '../../domain/fleet/implementer-history.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { resumeCommandOf } from '../../domain/ledger/run.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import type { Usage } from '../../domain/models/budget.ts';
import { GatewrightError, toGatewrightError } from '../../errors.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { say } from '../post-comment.ts';
import { readWorkEntries } from '../read-work-entries.ts';
import { stopComment } from './rules/stop-comment.ts';

/** The error as it may be published: the message of an unexpected error may contain secrets, so it is replaced. */
export function toKnown(error: unknown): GatewrightError {
  const known = toGatewrightError(error);
  return known.code === 'internal'
    ? new GatewrightError('internal', 'Something unexpected happened.', { cause: error })
    : known;
}

function costOf(entries: readonly LedgerEntry[], run: string): Pick<Usage, 'costUsd' | 'isUnpriced'> {
  const used = entries.flatMap((entry) => {
    const isPaid = entry.kind === 'model-answered' || entry.kind === 'model-failed';
    return isPaid && entry.run === run ? [entry.data.usage] : [];
  });
  return {
    costUsd: used.reduce((sum, { costUsd }) => sum + costUsd, 0),
    ...(used.some(({ isUnpriced }) => isUnpriced) ? { isUnpriced: true } : {}),
  };
}

interface StopFacts {
  /** What has stopped, such as "the review of this". */
  readonly what: string;
  readonly number: number;
  readonly person: string | null;
  /** What to say to have it go on; null when nothing that is said does. */
  readonly words: string | null;
  readonly branch: string | null;
}

export async function sayStopped(
  context: AgentContext,
  key: string,
  facts: StopFacts,
  error: GatewrightError,
): Promise<void> {
  const { code, message, output, hint, until } = error;
  const text = stopComment({
    ...{ ...facts, code, message, output, hint, until },
    handle: context.settings.handle,
    command: resumeCommandOf(context.request, context.runId),
    ...costOf(await context.ledger.readWork(context.subject), context.runId),
  });
  await say(context, key, facts.number, text);
}

/** The person who ordered the work behind the pull request, or else its author. */
async function findPerson(context: AgentContext, number: number, author: string | null) {
  const { ledger, repository, own } = context;
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  if (made === null || made.data.issue === null) return author === own ? null : author;
  const history = readHistory(await readWorkEntries(ledger, issueSubject(repository, made.data.issue)), '');
  return history.orderedBy === own ? null : history.orderedBy;
}

async function tell(context: AgentContext, what: string, words: string | null, error: unknown) {
  const known = toKnown(error);
  const { number } = context.request;
  // A cancelled run was stopped on purpose, and an error that passes with time needs no person: neither is told.
  if (number === null || known.code === 'cancelled' || known.until !== null || known.retry === 'later')
    return;
  const { head, author, authorKind } = await context.forge.getPullRequest(context.repository, number);
  const key = `stopped/${known.code}/${head.sha}`;
  const entries = await context.ledger.readWork(context.subject);
  // A person who asked in a comment is always answered; for other events the stop is told once.
  const isAsked = context.event.kind === 'comment-created';
  if (!isAsked && wasDoneBefore(entries, key, context.runId)) return;
  const person = isAsked
    ? context.event.actor
    : await findPerson(context, number, authorKind === 'person' ? author : null);
  await sayStopped(context, key, { what, number, person, words, branch: null }, known);
}

/** An agent on pull requests whose stops are told there. */
export function withStopsTold(what: string, words: string | null, agent: Agent): Agent {
  return {
    ...agent,
    async run(context) {
      try {
        return await agent.run(context);
      } catch (error) {
        // The first error is the one to report, even if reporting it fails.
        try {
          await tell(context, what, words, error);
        } catch (failure) {
          const message = failure instanceof Error ? failure.message : String(failure);
          context.progress({ kind: 'warning', message });
        }
        throw error;
      }
    },
  };
}
