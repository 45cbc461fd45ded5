/** Which pull requests are tested together: the one that a run is about, and others that could be merged just as well. */

import { nextBatch } from '../../domain/fleet/merge-queue.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import type { AgentContext } from '../agent.ts';
import { readReviewRecords } from '../pull-requests/review-records.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import type { Member } from './land-pull-request.ts';
import { rejectionKey } from './report-broken-merge.ts';
import { unmetBeforeTrying } from './rules/merge-conditions.ts';

export interface Batch {
  readonly branch: string;
  /** The newest commit of the base. */
  readonly base: string;
  /** The one that the run is about comes first. */
  readonly members: readonly Member[];
}

/** More than fit into a batch, so that those which touch the same files can wait. */
const mostCandidates = 8;

/** Cheap first: most that carry the label have no clean review of their head yet, or were tried and found to break things. */
async function isWorthAsking(context: AgentContext, member: Member, branch: string): Promise<boolean> {
  const { ledger, repository } = context;
  const { number, head } = member;
  const { reviews } = await readReviewRecords(ledger, repository, number);
  if (!reviews.some(({ commit, isClean }) => commit === head && isClean)) return false;
  return (await ledger.find('merge-rejected', rejectionKey(repository, member, branch))) === null;
}

async function withPaths(context: AgentContext, member: Member) {
  const files = await context.forge.listFiles(context.repository, member.number);
  return { ...member, paths: files.map(({ path }) => path) };
}

export async function planBatch(context: AgentContext, own: Member): Promise<Batch> {
  const { forge, repository, transport } = context;
  const { base } = await forge.getPullRequest(repository, own.number);
  const tip = await transport.fetchBranch(repository, base.branch);
  const labelled = await forge.listPullRequests(repository, {
    state: 'open',
    label: labelNames.autoMerge,
    base: base.branch,
  });
  const queue = [await withPaths(context, own)];
  for (const { number, head } of [...labelled].sort((a, b) => a.number - b.number)) {
    if (queue.length === mostCandidates) break;
    const member = { number, head: head.sha };
    if (number === own.number || !(await isWorthAsking(context, member, base.branch))) continue;
    const facts = await gatherMergeFacts(context, number);
    if (facts.head === member.head && unmetBeforeTrying(facts).length === 0)
      queue.push(await withPaths(context, member));
  }
  const members = nextBatch(queue).map(({ number, head }) => ({ number, head }));
  return { branch: base.branch, base: tip, members };
}
