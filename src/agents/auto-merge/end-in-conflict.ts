/**
 * What follows when a pull request conflicts with its base. The implementer brings one of ours up to date. For every
 * other one a comment tells people, once for each head, if it is to be merged at all.
 */
import { readHistory } from '../../domain/fleet/implementer-history.ts';
import { wasDoneBefore } from '../../domain/ledger/earlier-runs.ts';
import { isSameRepository, issueSubject } from '../../domain/ledger/subject.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { readWorkEntries } from '../read-work-entries.ts';
import { mergeLabel } from './find-merge-grant.ts';
import type { Member } from './land-pull-request.ts';
import { recordBrokenMerge, reportBrokenMerge } from './report-broken-merge.ts';

/** Who goes on: the implementer; no agent, because a person was told already; or a person, who has to be told. */
async function findNext(context: AgentContext, { number, head }: Member) {
  const { forge, ledger, repository, settings, runId } = context;
  const pull = await forge.getPullRequest(repository, number);
  const made = await ledger.find('pull-request-made', issueSubject(repository, number));
  const isOurs = made?.data.branch === pull.head.branch && isSameRepository(pull.head.repository, repository);
  const isWanted = pull.labels.some((label) => label.toLowerCase() === mergeLabel);
  if (!isOurs || !settings.agents.includes('implementer')) return isWanted ? 'person' : 'nobody';
  const entries = await readWorkEntries(ledger, issueSubject(repository, number));
  const isTold =
    readHistory(entries, runId).toldLimits.includes('conflict') ||
    wasDoneBefore(entries, `conflict-by-hand/${head}`, runId);
  return isTold ? 'nobody' : 'implementer';
}

export async function endInConflict(context: AgentContext, own: Member, branch: string): Promise<AgentEnd> {
  const { repository, request, transport } = context;
  const { number } = own;
  const message = `not merged: #${number} conflicts with ${branch}`;
  const next = await context.once('conflict-next', () => findNext(context, own));
  if (request.dryRun || next === 'nobody') return { message };
  const base = await context.once('conflict-base', () => transport.fetchBranch(repository, branch));
  const failure = { why: 'conflict', output: '', branch, base } as const;
  if (next === 'person') {
    await reportBrokenMerge(context, own, failure);
    return { message };
  }
  await recordBrokenMerge(context, own, failure);
  return {
    message: `${message}; the implementer brings it up to date`,
    handoffs: [{ to: 'implementer', task: 'update', number }],
  };
}
