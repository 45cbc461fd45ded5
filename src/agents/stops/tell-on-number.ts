/** Tells of a stop on the issue or pull request that the run is about. */
import { readHistory } from '../../domain/fleet/implementer-history.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import { type AgentContext, requireNumber } from '../agent.ts';
import { say } from '../post-comment.ts';
import { readWorkEntries } from '../read-work-entries.ts';
import { type TellStop, writeStop } from './report-stop.ts';

/** The head of a pull request, null for an issue; and its author, if that is a person. */
async function readPlace({ forge, repository }: AgentContext, number: number) {
  try {
    const { head, author, authorKind } = await forge.getPullRequest(repository, number);
    return { head: head.sha, author: authorKind === 'person' ? author : null };
  } catch (error) {
    if (!isGatewrightError(error, 'forge-not-found')) throw error;
    const { author, authorKind } = await forge.getIssue(repository, number);
    return { head: null, author: authorKind === 'person' ? author : null };
  }
}

/** The person who ordered the work, or else the author. */
async function findPerson(context: AgentContext, number: number, author: string | null) {
  const { ledger, repository, own, event, subject } = context;
  if (event.kind === 'comment-created') return event.actor;
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const issue = made === null ? null : made.data.issue;
  const ordered = issue === null ? subject : issueSubject(repository, issue);
  const { orderedBy } = readHistory(await readWorkEntries(ledger, ordered), '');
  const person = orderedBy ?? author;
  return person === own ? null : person;
}

/** @param words what to say there to have it go on; null when nothing that is said does */
export function tellOnNumber(what: string, words: string | null): TellStop {
  return async (context, { error, key, isGivenUp }) => {
    const number = requireNumber(context);
    // A run is given up once: when it was told, nothing has to be looked up.
    if (isGivenUp && (await context.effects.momentOf(key)) !== null) return;
    const { head, author } = await readPlace(context, number);
    const full = isGivenUp || head === null ? key : `${key}/${head}`;
    const entries = await context.ledger.readWork(context.subject);
    // A person who asked in a comment is always answered; for other events the stop is told once.
    const isAsked = context.event.kind === 'comment-created';
    if (!isAsked && !isGivenUp && wasDoneBefore(entries, full, context.runId)) return;
    const person = await findPerson(context, number, author);
    await say(context, full, number, await writeStop(context, { what, person, words, branch: null }, error));
  };
}
