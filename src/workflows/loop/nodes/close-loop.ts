/** The end of a loop: a report with figures of the ledger, the archive, and a pull request that is reviewed as any other. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { plainTitle } from '../../../domain/forge/plain-title.ts';
import { GatewrightError } from '../../../errors.ts';
import { openPullRequest } from '../../issue-runs/open-pull-request.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel, pushTree } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import {
  archiveFolderOf,
  describeArchive,
  writeArchiveComments,
  writeArchiveSummary,
} from '../rules/comments/archive.ts';
import { writeFinalReport } from '../rules/comments/final-report.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { stateMessage } from '../rules/commit-message.ts';
import type { LoopState } from '../state.ts';
import { adoptBranch } from './adopt-branch.ts';
import { findAnswerer } from './find-answerer.ts';
import { baseOf, headOf, parsePrd, readConfig, readIssue, readPrdText } from './read-stored.ts';
import { takeOverBranch } from './take-over-branch.ts';

/** What the loop cost and took until then, by the ledger. */
async function readFigures(
  { ledger, runId, startedAt }: Pick<LoopContext, 'ledger' | 'runId' | 'startedAt'>,
  until: Date,
) {
  const entries = await ledger.readRun(runId);
  const judged = entries.flatMap((entry) => (entry.kind === 'task-judged' ? [entry.data] : []));
  const skipped = entries.flatMap((entry) => (entry.kind === 'task-skipped' ? [entry.data] : []));
  const costUsd = entries.reduce(
    (sum, entry) =>
      entry.kind === 'model-answered' || entry.kind === 'model-failed' ? sum + entry.data.usage.costUsd : sum,
    0,
  );
  const milliseconds = until.getTime() - startedAt.getTime();
  return { judged, skipped, costUsd, milliseconds };
}

type Closing = Pick<LoopContext, 'ledger' | 'runId' | 'startedAt' | 'clock' | 'request'>;

/** What closing writes, from what is there now. Nothing is changed, so that it can be shown before. */
export async function prepareClose(
  context: Closing,
  state: LoopState,
  early: { readonly by: string; readonly why: string } | null,
  at = context.clock.now(),
) {
  const { number } = context.request;
  const text = await readPrdText(context, state);
  const prd = parsePrd(text);
  const issue = await readIssue(context, state);
  const config = await readConfig(context, state);
  const open = prd.userStories.filter(({ passes }) => !passes).map(({ id }) => id);
  const isTested = prd.debugState?.status === 'verified';
  const report = writeFinalReport(
    {
      ...(await readFigures(context, at)),
      ...{ prd, branch: state.branch },
      ...(early === null ? {} : { early: { ...early, isTested } }),
    },
    choosePrefixes(config.commentPrefixes),
  );
  const day = at.toISOString().slice(0, 10);
  return {
    ...{ text, prd, issue, config, open, isTested, report },
    folder: archiveFolderOf(config.archiveLocation, day, number, issue.title),
    title: plainTitle(issue.title, number),
    base: baseOf(state).branch,
  };
}

/** A person closes it early: their word is on the ledger before anything happens. */
async function recordEarly(context: LoopContext, state: LoopState) {
  if (state.forced === null) return null;
  const by = await findAnswerer(context);
  const why = state.forced.trim();
  const { open, isTested: tested } = await prepareClose(context, state, null);
  const data = { by, why, open, tested };
  await context.record({ kind: 'loop-closed-early', key: `${context.runId}/closed-early`, data });
  return { by, why };
}

/** When a person had it closed: after a crash it is closed with the same report. */
async function findMoment({ ledger, runId, startedAt }: LoopContext): Promise<Date> {
  const entries = await ledger.readRun(runId);
  return new Date(entries.findLast(({ kind }) => kind === 'gate-answered')?.at ?? startedAt);
}

const archiveKey = 'archive';

/** prd.json has left its place: what people push then is theirs, and nothing of the loop is read from it any more. */
async function isArchived(context: LoopContext, branch: string): Promise<boolean> {
  const { forge, ledger, repository, runId, trees } = context;
  const found = await forge.getBranch(repository, branch);
  if (found === null) return false;
  const now = await adoptBranch(context, branch, found.sha);
  for (const { kind, key, data } of await ledger.readRun(runId)) {
    if (kind !== 'effect-intended' || data.effect.kind !== 'push-branch') continue;
    if (key?.startsWith(`${runId}/${archiveKey}#`) !== true) continue;
    const { commit } = data.effect;
    if (now === commit || (await trees.findMergeBase(commit, now)) === commit) return true;
  }
  return false;
}

export async function closeLoop(context: LoopContext, begun: LoopState): Promise<Partial<LoopState>> {
  const isDone = await isArchived(context, begun.branch);
  const state = { ...begun, ...(isDone ? {} : await takeOverBranch(context, begun)) };
  const { forge, repository, request, trees } = context;
  const { number } = request;
  const early = await recordEarly(context, state);
  const { text, prd, issue, config, report, folder, title } = await prepareClose(
    context,
    state,
    early,
    await findMoment(context),
  );
  await say(context, 'final-report', report);
  const comments = await forge.listComments(repository, number);
  const head = headOf(state);
  const kept = [
    { path: `${folder}prd.json`, text },
    { path: `${folder}issue-comments.md`, text: writeArchiveComments(comments) },
    { path: `${folder}SUMMARY.md`, text: writeArchiveSummary({ issue, prd, report }) },
  ];
  const archived = await pushTree(context, archiveKey, {
    ...{ branch: state.branch, parent: head, expected: head },
    tree: await trees.putFiles(head, [{ path: config.prdLocation, text: null }, ...kept]),
    message: stateMessage(config.commitPrefixes.state, `archive the loop of #${number}`, number),
  });
  const made = await openPullRequest(context, {
    ...{ branch: state.branch, base: baseOf(state), head: archived, title, summary: report },
    body: `Closes #${number}\n\n${report}\n${describeArchive(kept)}`,
    issue: `${issue.title}\n\n${issue.body}`,
    archive: kept.map(({ path }) => path),
  });
  await moveLabel(context, `review-${state.step}`, labelNames.loopReview);
  return {
    ...{ head: archived, prd: state.prd },
    result: made,
    because: `pull request #${made.number} is not merged yet`,
    route: 'ask-merge',
  };
}

export async function lookAtMerge(
  context: LoopContext,
  { result, step }: LoopState,
): Promise<Partial<LoopState>> {
  const { forge, repository } = context;
  if (result === null) throw new GatewrightError('internal', 'The loop has no pull request.');
  const pull = await forge.getPullRequest(repository, result.number);
  if (pull.state === 'merged') {
    await moveLabel(context, `complete-${step}`, labelNames.loopComplete);
    return { route: 'done', because: '' };
  }
  const because =
    pull.state === 'closed'
      ? `pull request #${result.number} was closed without a merge`
      : `pull request #${result.number} is not merged yet`;
  return { because, route: 'ask-merge' };
}
