/**
 * When nothing of a template could be applied, no pull request exists to say so: then an issue says it, once for each
 * commit of the template. While the issue is open, later commits are reported there.
 */

import { labelNames } from '../../domain/forge/labels.ts';
import { findEarlierEffect } from '../../domain/ledger/earlier-runs.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { ensureLabel } from '../reports/scheduled-work.ts';
import { renderConflicts, type SyncReport } from './rules/template-plan.ts';

const labels = [labelNames.templateSync, labelNames.conflict] as const;
const issueKey = 'conflicts-issue';

function commentKey(template: string): string {
  return `conflicts/${template}`;
}

interface Place {
  /** Where this commit of the template was told of. */
  readonly told: number | null;
  /** The issue that is open from an earlier one. */
  readonly open: number | null;
}

function listIssues(entries: readonly LedgerEntry[], run: string): number[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'effect-receipted' || entry.run === run) return [];
    const isOurs = entry.key?.startsWith(`${entry.run}/${issueKey}/`) === true;
    return isOurs && 'number' in entry.data.result ? [entry.data.result.number] : [];
  });
}

async function findPlace(context: AgentContext, template: string): Promise<Place> {
  const { forge, ledger, repository, runId } = context;
  const entries = await ledger.readWork(context.subject);
  const last = listIssues(entries, runId).at(-1) ?? null;
  const made = findEarlierEffect(entries, 'create-issue', `${issueKey}/${template}`, runId);
  const said = findEarlierEffect(entries, 'create-comment', commentKey(template), runId);
  if (made !== null || said !== null) return { told: last ?? 0, open: null };
  const isOpen = last !== null && (await forge.getIssue(repository, last)).state === 'open';
  return { told: null, open: isOpen ? last : null };
}

export async function reportConflicts(context: AgentContext, report: SyncReport): Promise<AgentEnd> {
  const { effects, ledger, own: author, repository } = context;
  const { template, conflicts } = report;
  const short = template.slice(0, 12);
  const count = conflicts.length === 1 ? '1 file is' : `${conflicts.length} files are`;
  const message = `nothing of the template up to ${short} fits: ${count} in conflict`;
  const place = await context.once('conflicts-place', () => findPlace(context, template));
  if (place.told !== null) return { message: `${message}, which was told before` };
  const body = renderConflicts(report);
  if (place.open !== null) {
    await say(context, commentKey(template), place.open, body);
    return { message: `${message}; told on #${place.open}` };
  }
  for (const label of labels) await ensureLabel(context, label);
  const result = await effects.perform(`${issueKey}/${template}`, 'create-issue', async () => ({
    repository,
    title: `The template does not fit: conflicts up to ${short}`,
    body: await ledger.putText(body),
    labels: [...labels],
    author,
  }));
  if (context.request.dryRun) return { message };
  return { message: `${message}; told in #${result.number}`, result };
}
