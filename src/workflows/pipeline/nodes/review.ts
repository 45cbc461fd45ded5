/** The reviewer judges the change; code decides what its words mean, and whether more attempts would help. */
import {
  type Convergence,
  describeConvergence,
  judgeConvergence,
  type Round,
} from '../../../domain/changes/convergence.ts';
import { identifyFindings, type RawFinding } from '../../../domain/changes/review-finding.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import {
  findForeignFields,
  type ReviewerAnswer,
  reviewerAnswerSchema,
} from '../rules/asking/stage-answers.ts';
import { tellReviewer, tellReviewerFirst } from '../rules/asking/tell-stages.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { isTreePath } from '../rules/document/tree-path.ts';
import { decideVerdict } from '../rules/review/decide-verdict.ts';
import type { PipelineState } from '../state.ts';
import { addSpoken, goOnAfter } from './add-spoken.ts';
import { askStage, describeRefused, roleOf } from './ask-stage.ts';
import { giveUpAttempts, sendBack } from './escalate.ts';
import { readChange } from './read-change.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';

interface Shown {
  readonly commit: string;
  readonly base: string;
  readonly diff: string;
}

async function askReviewer(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  { diff }: Shown,
) {
  const instructions = await context.prompts.render('pipeline-review', {});
  const { attempt } = document.pipeline;
  return askStage<ReviewerAnswer>(context, state, { stage: 'reviewer', attempt }, async (call, refused) => {
    const answer = await context.models.askForObject(
      'reviewer',
      {
        ...{ role: roleOf('reviewer'), call, instructions },
        lasting: tellReviewerFirst(document).join('\n\n'),
        text: [
          ...tellReviewer(document),
          `The change:\n${fenceUntrusted('DIFF', diff)}`,
          ...describeRefused(refused),
        ].join('\n\n'),
        purpose: `reviewing attempt ${attempt} at #${context.request.number}`,
      },
      reviewerAnswerSchema,
    );
    return { answer, violations: findForeignFields('reviewer', answer, reviewerAnswerSchema) };
  });
}

/** What its findings are about, by the text of the lines: the same finding keeps its name over attempts. */
async function identify({ workspaces }: PipelineContext, commit: string, { issues }: ReviewerAnswer) {
  const texts = new Map<string, readonly string[]>();
  for (const { file } of issues)
    if (!texts.has(file) && isTreePath(file))
      texts.set(file, ((await workspaces.readFile(commit, file)) ?? '').split('\n'));
  const raw: RawFinding[] = issues.map(({ file, line, severity, category, issue, detail }) => ({
    ...{ path: file, line, severity, category, title: issue, detail },
  }));
  return identifyFindings(raw, (path, line) => texts.get(path)?.[line - 1] ?? null);
}

async function readRounds({ ledger }: PipelineContext, { rounds }: PipelineState): Promise<Round[]> {
  const read: Round[] = [];
  for (const hash of rounds) read.push(JSON.parse(await ledger.getText(hash)) as Round);
  return read;
}

async function keepRound(
  context: PipelineContext,
  state: PipelineState,
  round: Round,
): Promise<{ readonly rounds: PipelineState['rounds']; readonly convergence: Convergence }> {
  const earlier = await readRounds(context, state);
  const rounds = [...state.rounds, await context.ledger.putText(JSON.stringify(round))];
  return { rounds, convergence: judgeConvergence([...earlier, round]) };
}

function wordsOf(convergence: Exclude<Convergence, { kind: 'converging' }>) {
  const { what, next } = describeConvergence(convergence);
  const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return { why: sentence(what), proposal: sentence(next) };
}

/** The review could not be read: it is asked for once more, then a person is needed. */
async function afterUnreadable(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  error: GatewrightError,
): Promise<StageEnd> {
  const { rounds, convergence } = await keepRound(context, state, { kind: 'unreadable', why: error.message });
  const role = roleOf('reviewer');
  const calls = { ...state.calls, [role]: (state.calls[role] ?? 0) + 1 };
  if (convergence.kind === 'converging')
    return {
      ...{ state: document, route: 'reviewer', rounds, calls },
      outcome: `its answer could not be read: ${error.message}`,
    };
  const end = await giveUpAttempts(context, state, document, wordsOf(convergence));
  return { ...end, rounds, calls, next: 'reviewer' };
}

export async function review(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  const { commit } = state;
  if (commit === null) throw new GatewrightError('internal', 'There is no change to review.');
  const base = baseOf(state).commit;
  const { diff } = await readChange(context, base, commit);
  let asked: Awaited<ReturnType<typeof askReviewer>>;
  try {
    asked = await askReviewer(context, state, document, { commit, base, diff });
  } catch (error) {
    if (!isGatewrightError(error, 'model-unusable-answer')) throw error;
    return afterUnreadable(context, state, document, error);
  }
  const { answer, calls } = asked;
  const findings = await identify(context, commit, answer);
  const { verdict, feedback } = decideVerdict(answer, findings);
  const spoken = addSpoken('reviewer', answer);
  const after = applySection('reviewer', document, {
    review: {
      ...{ completed: true, verdict, feedback_for_writer: feedback },
      findings: {
        good: answer.good,
        issues: findings.map(({ id, path, line, title, severity }) => ({
          ...{ id, file: isTreePath(path) ? path : null, line, issue: title, severity },
        })),
      },
    },
    ...spoken.additions,
  });
  const at = { ...state, calls };
  if (spoken.hasQuestions || answer.escalations.length > 0 || verdict === 'NEEDS_INFO') {
    const open =
      verdict === 'NEEDS_INFO' && !spoken.hasQuestions && answer.escalations.length === 0
        ? applySection('reviewer', after, {
            escalations: [
              { reason: feedback ?? 'The reviewer needs more information.', requires_human: true },
            ],
          })
        : after;
    return { ...(await goOnAfter(context, at, open, 'reviewer', 'reviewer')), calls };
  }
  if (verdict === 'APPROVED')
    return {
      ...{ state: after, route: 'committer', outcome: 'approved', calls },
      approved: { commit, diff: sha256(diff) },
    };
  const { rounds, convergence } = await keepRound(context, at, { kind: 'reviewed', findings });
  if (convergence.kind !== 'converging') {
    const end = await giveUpAttempts(context, at, after, wordsOf(convergence));
    return { ...end, calls, rounds };
  }
  return { ...(await sendBack(context, at, after, 'rejected by the reviewer')), calls, rounds };
}
