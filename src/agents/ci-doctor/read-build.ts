/**
 * What ci-doctor reads: the build, the steps that failed in it, and the place where the comment goes. Secrets are
 * removed first.
 */

import { hideTokens } from '../../domain/changes/hide-tokens.ts';
import type { EventOf } from '../../domain/fleet/event.ts';
import { keepLogEnd } from '../../domain/forge/log-end.ts';
import { ownBranches } from '../../domain/forge/own-branches.ts';
import { isGatewrightError } from '../../errors.ts';
import type { PullRequest, WorkflowRun } from '../../ports/forge/forge.ts';
import type { AgentContext } from '../agent.ts';
import { type FailedBuild, failureSignature } from './rules/failure-diagnosis.ts';

/** Of each log, and of how many: the cause stands at the end of the first ones. */
const longestLog = 8_000;
const mostLogs = 8;
const longestChange = 20_000;
/** How far back a commit is looked for in a pull request that has moved on. */
const commitsBack = 100;

export interface BuildFacts extends FailedBuild {
  readonly run: number;
  /** The pull request to speak on; null when it is said on the commit. */
  readonly number: number | null;
  readonly logs: readonly { readonly job: string; readonly step: string; readonly log: string }[];
  /** The change that was built, as a diff; empty when it cannot be had. */
  readonly change: string;
  /** Which question about this commit it is. */
  readonly call: number;
}

type Build = EventOf<'workflow-completed'>;

/** The open pull request whose head was built; or the one whose head it was, if that has moved on. */
async function findPullRequest(
  { forge, repository }: AgentContext,
  head: string,
  run: WorkflowRun | undefined,
): Promise<PullRequest | null> {
  const pulls = await forge.listPullRequests(repository, { state: 'open' });
  const at = pulls.find((pull) => pull.head.sha === head);
  if (at !== undefined || run === undefined) return at ?? null;
  // A build of the default branch belongs to no pull request, be there one from a branch of that name elsewhere.
  if (run.branch === (await forge.defaultBranch(repository))) return null;
  for (const pull of pulls.filter((one) => one.head.branch === run.branch)) {
    const commits = await forge.listCommits(repository, pull.head.sha, { limit: commitsBack });
    if (commits.some(({ sha }) => sha === head)) return pull;
  }
  return null;
}

/** Of the pull request while it is at that commit, else of the commit alone. */
async function readChange(context: AgentContext, build: Build, pull: PullRequest | null): Promise<string> {
  const { forge, repository } = context;
  if (pull?.head.sha === build.head) {
    const files = await forge.listFiles(repository, pull.number);
    return files.map(({ path, patch }) => `${path}\n${patch ?? '(not shown)'}`).join('\n\n');
  }
  try {
    const commit = await context.transport.fetchCommit(repository, build.head, {
      ...(pull === null ? {} : { pullRequest: pull.number }),
    });
    const [facts] = await forge.listCommits(repository, commit, { limit: 1 });
    const parent = facts?.parents[0];
    return parent === undefined ? '' : await context.workspaces.diff(parent, commit, longestChange);
  } catch (error) {
    // A commit that a force push replaced may be gone: then the diagnosis rests on the log alone.
    if (isGatewrightError(error, 'forge-not-found', 'git-failed', 'forge-rejected')) return '';
    throw error;
  }
}

export async function readBuild(
  context: AgentContext,
  event: Build,
): Promise<{ readonly nothing: string } | { readonly build: BuildFacts }> {
  const { forge, repository, ledger, subject, runId } = context;
  const runs = await forge.listWorkflowRuns(repository, { headSha: event.head });
  const run = runs.find(({ id }) => id === event.run);
  if (run !== undefined && (run.status !== 'completed' || run.conclusion !== 'failure'))
    return { nothing: `nothing to do: ${event.name} was run again and is ${run.conclusion ?? run.status}` };
  const pull = await findPullRequest(context, event.head, run);
  // An agent pushed this commit while its work is still unfinished; a reader of the diagnosis could do nothing about
  // it.
  if (pull === null && run?.branch?.startsWith(ownBranches) === true)
    return {
      nothing: `nothing to do: ${event.name} failed on work in progress, which no open pull request has`,
    };
  const failed = (await forge.readFailedLogs(repository, event.run)).map(({ job, step, log }) => ({
    job: hideTokens(job),
    step: hideTokens(step),
    log: keepLogEnd(hideTokens(log), longestLog),
  }));
  const base = {
    name: hideTokens(event.name),
    attempt: run?.attempt ?? 1,
    url: run?.url ?? '',
    head: event.head,
    steps: failed.map(({ job, step }) => ({ job, step })),
    movedTo: pull === null || pull.head.sha === event.head ? null : pull.head.sha,
    run: event.run,
    number: pull?.number ?? null,
  };
  // All builds of a commit are on one chain, and one run at a time works on it.
  const earlier = (await ledger.readWork(subject)).flatMap((entry) =>
    entry.kind === 'failure-diagnosed' && entry.run !== runId ? [entry.data] : [],
  );
  const signature = failureSignature(base);
  if (earlier.some((one) => one.workflowRun === event.run && one.attempt === base.attempt))
    return { nothing: `attempt ${base.attempt} of run ${event.run} was diagnosed before` };
  if (earlier.some((one) => one.signature === signature))
    return { nothing: `${event.name} failed at the same steps of ${event.head.slice(0, 12)} before` };
  const change = hideTokens(await readChange(context, event, pull)).slice(0, longestChange);
  return { build: { ...base, logs: failed.slice(0, mostLogs), change, call: earlier.length + 1 } };
}
