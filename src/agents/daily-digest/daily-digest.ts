/**
 * Tells once a day what was done, what waits and what is stuck, and closes what it told the days before. Nothing on a
 * silent day; no model is asked.
 */

import { labelNames } from '../../domain/forge/labels.ts';
import type { ForgeIssue, PullRequest } from '../../ports/forge/forge.ts';
import type { Agent, AgentContext } from '../agent.ts';
import { listAtLimit } from '../reports/list-at-limit.ts';
import { isReportTitle } from '../reports/rules/gardening.ts';
import { agentRunsIn, explainStuck, listStuck } from '../reports/rules/stopped-runs.ts';
import { explainLimit } from '../reports/rules/stuck-at-limit.ts';
import { findReport, hoursBefore, publishReport, requireSlot } from '../reports/scheduled-work.ts';
import { withStopIssue } from '../stops/tell-on-own-issue.ts';
import { dailyDigestManifest } from './manifest.ts';
import { composeDigest, type DigestFacts, digestTitle, listEarlierDigests } from './rules/activity-digest.ts';

const blockedLabels = [labelNames.blocked, labelNames.loopBlocked] as const;

function makeIsWithin(since: string, until: string): (moment: string | null) => boolean {
  const [from, to] = [new Date(since).getTime(), new Date(until).getTime()];
  return (moment) => {
    const at = moment === null ? Number.NaN : new Date(moment).getTime();
    return at >= from && at < to;
  };
}

function toItem({ number, title, url }: ForgeIssue | PullRequest) {
  return { number, title, url };
}

/** A few lists, whatever the number of issues. */
async function gather(context: AgentContext, since: string, until: string): Promise<DigestFacts> {
  const { forge, own, repository, views } = context;
  const isWithin = makeIsWithin(since, until);
  // Our own reports are no news and are left out; an issue that another author gave such a title is kept.
  const issues = (await forge.listIssues(repository, { state: 'all', updatedSince: since })).filter(
    (issue) => !(issue.author === own && isReportTitle(issue.title)),
  );
  const ended = await forge.listPullRequests(repository, { state: 'closed', updatedSince: since });
  const open = await forge.listPullRequests(repository, { state: 'open' });
  const labelled = new Map<number, { readonly title: string; readonly isNew: boolean }>();
  for (const label of blockedLabels)
    for (const { number, title, updatedAt } of await forge.listIssues(repository, { state: 'open', label }))
      labelled.set(number, { title, isNew: isWithin(updatedAt) });
  // Pull requests are linked to every day, which forges date as a change: that is no news.
  for (const { number, title, labels, createdAt } of open)
    if (labels.some((label) => blockedLabels.some((one) => one.toLowerCase() === label.toLowerCase())))
      labelled.set(number, { title, isNew: isWithin(createdAt) });
  const runs = agentRunsIn(await views.listRuns({ repository }), repository);
  const counted = runs.filter((run) => isWithin(run.changedAt));
  const stuck = listStuck(runs).filter((run) => new Date(run.changedAt) < new Date(until));
  for (const { request } of stuck) if (request.number !== null) labelled.delete(request.number);
  const atLimit = await listAtLimit(context, until);
  for (const { number } of atLimit) labelled.delete(number);
  const isOpen = (pull: PullRequest) => new Date(pull.createdAt) < new Date(until);
  return {
    since,
    until,
    merged: ended.filter((pull) => isWithin(pull.mergedAt)).map(toItem),
    closedPullRequests: ended.filter((pull) => pull.mergedAt === null && isWithin(pull.closedAt)).map(toItem),
    closedIssues: issues.filter((issue) => issue.state === 'closed' && isWithin(issue.closedAt)).map(toItem),
    openedIssues: issues.filter((issue) => issue.state === 'open' && isWithin(issue.createdAt)).map(toItem),
    openPullRequests: open.filter(isOpen).map((pull) => ({
      ...toItem(pull),
      labels: [...pull.labels],
      isNew: isWithin(pull.createdAt),
    })),
    blocked: [
      ...stuck.map((run) => ({
        number: run.request.number,
        title: '',
        why: explainStuck(run),
        isNew: isWithin(run.changedAt),
      })),
      ...atLimit.map((one) => ({
        ...{ number: one.number, title: '', isNew: isWithin(one.at) },
        why: explainLimit(one, context.settings.handle),
      })),
      ...[...labelled].map(([number, one]) => ({ number, why: 'it is labelled as blocked', ...one })),
    ],
    costUsd: counted.reduce((sum, run) => sum + run.costUsd, 0),
    hasUnpriced: counted.some((run) => run.hasUnpriced === true),
  };
}

async function listEarlier(context: AgentContext, until: string): Promise<number[]> {
  const { forge, own, repository } = context;
  const open = await forge.listIssues(repository, {
    state: 'open',
    label: labelNames.dailyDigest,
    author: own,
  });
  return listEarlierDigests(open, own, until, dailyDigestManifest.may['close-issue'] ?? 0);
}

export const dailyDigest: Agent = withStopIssue({
  name: 'daily-digest',
  async run(context) {
    const { at: until } = requireSlot(context);
    const report = { label: labelNames.dailyDigest, title: digestTitle(until) };
    const known = await context.once('known', () => findReport(context, report));
    if (known !== null) return { message: `nothing to do: ${known}` };
    const facts = await context.once('facts', () => gather(context, hoursBefore(until, 24), until));
    const digest = composeDigest(facts);
    if (digest === null) return { message: 'nothing to report: it was a quiet day' };
    const end = await publishReport(context, report, digest);
    // The old reports are closed only after the new one exists: if the run is killed in between, readers still have a
    // report.
    for (const number of await context.once('earlier', () => listEarlier(context, until)))
      await context.effects.perform(`close/${number}`, 'close-issue', () => ({
        repository: context.repository,
        number,
      }));
    return end;
  },
});
