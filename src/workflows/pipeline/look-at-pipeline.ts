/** What a pipeline is at and what its stages would be given, without changing anything. */
import { isPipelineRun, type PipelineRun } from '../../domain/ledger/run.ts';
import type { FleetTools } from '../../runs/house.ts';
import { refusePullRequest } from '../issue-runs/drive-issue-run.ts';
import { readIssueWords } from '../rules/issue-words.ts';
import { findPipeline } from './drive-pipeline.ts';
import { branchOf } from './nodes/choose-branch.ts';
import { findChecks } from './nodes/find-checks.ts';
import { learnedLines } from './nodes/learn.ts';
import { parseDocument } from './nodes/read-document.ts';
import { describeTriage, judgeByCode } from './nodes/triage.ts';
import { readLearnings } from './read-learnings.ts';
import { describeIssue } from './rules/asking/describe-state.ts';
import { tellAnalyst, tellReviewer, tellReviewerFirst, tellWriter } from './rules/asking/tell-stages.ts';
import { initialState } from './rules/document/initial-state.ts';
import type { StateDocument } from './rules/document/state-document.ts';
import { type StageName, stageNames } from './rules/stages.ts';
import { chooseType } from './rules/triage/issue-type.ts';

/** The pipeline of an issue that goes on, else the last one that ended. */
export async function findLastPipeline(
  tools: Pick<FleetTools, 'views' | 'repositoryName'>,
  number: number,
): Promise<PipelineRun | null> {
  const open = await findPipeline(tools, number);
  if (open !== null) return open;
  const filter = { repository: tools.repositoryName, workflows: ['pipeline'], issue: number } as const;
  const [last] = (await tools.views.listRuns(filter)).filter(isPipelineRun);
  return last ?? null;
}

/** The newest state document of a run, as text; null when it has not come so far. */
export async function readStateText(
  { ledger }: Pick<FleetTools, 'ledger'>,
  { id }: Pick<PipelineRun, 'id'>,
): Promise<string | null> {
  const entries = await ledger.readRun(id);
  const last = entries.findLast(
    (entry) =>
      entry.kind === 'stage-ended' ||
      (entry.kind === 'effect-intended' &&
        entry.data.effect.kind === 'show-state' &&
        entry.data.effect.content !== null),
  );
  if (last?.kind === 'stage-ended') return ledger.getText(last.data.document);
  const shown =
    last?.kind === 'effect-intended' && last.data.effect.kind === 'show-state' && last.data.effect;
  return shown && shown.content !== null ? ledger.getText(shown.content) : null;
}

export interface StagePreview {
  readonly stage: StageName;
  /** What it would be given; null where a stage before it has to end first. */
  readonly gets: string | null;
}

async function documentOf(tools: FleetTools, number: number): Promise<StateDocument> {
  const run = await findPipeline(tools, number);
  const text = run === null ? null : await readStateText(tools, run);
  if (text !== null) return parseDocument(text, 'The stored state');
  const { title, body, url, labels } = await tools.forge.getIssue(tools.repositoryName, number);
  await refusePullRequest(tools, number);
  return initialState({
    issue: { number, title, url, body, labels },
    type: chooseType(labels, readIssueWords({ title, body })),
    ...{ startedAt: tools.clock.now().toISOString(), maxAttempts: 3, branch: branchOf(number) },
    sessionId: `dry-run-issue-${number}`,
  });
}

/** What each stage would be given now. No model is asked, and nothing is written. */
export async function previewStages(tools: FleetTools, number: number): Promise<StagePreview[]> {
  const { forge, transport, repositoryName, clock } = tools;
  const document = await documentOf(tools, number);
  const base = await transport.fetchBranch(repositoryName, await forge.defaultBranch(repositoryName));
  const looking = { ...tools, repository: repositoryName, settings: tools.fleet };
  const byCode = await judgeByCode(looking, base, document);
  const { kind, tests, lint, types, notes } = await findChecks(looking, base);
  const learnings = { read: () => readLearnings(tools.ledger, repositoryName) };
  const learnedOf = (files: readonly string[]) => learnedLines({ clock, learnings }, files);
  const { triage, analysis, build, review } = document;
  const commands = [tests, lint, types].flatMap((argv) => (argv === null ? [] : [`$ ${argv.join(' ')}`]));
  const gets: Readonly<Record<StageName, readonly string[] | null>> = {
    triage: [describeIssue(document), describeTriage(byCode)],
    analyst: tellAnalyst(document, await learnedOf([])),
    writer:
      analysis.completed && triage.completed
        ? tellWriter(document, await learnedOf(analysis.files.map(({ path }) => path)))
        : null,
    build: [`The project was taken for: ${kind}`, ...commands, ...notes],
    reviewer: build.completed
      ? [...tellReviewerFirst(document), ...tellReviewer(document), 'The change itself follows, as a diff.']
      : null,
    committer:
      review.verdict === 'APPROVED' ? [`The approved change goes to ${document.commit.branch}.`] : null,
  };
  return stageNames.map((stage) => ({ stage, gets: gets[stage]?.join('\n\n') ?? null }));
}
