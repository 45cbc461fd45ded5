/** The analyst reads the repository and writes the brief; code checks it against the files that are there. */
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import { findProjectRunners } from '../../../runs/coding/proof/find-project-runners.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { checkAnalysis } from '../rules/analysis/check-analysis.ts';
import { type AnalystAnswer, analystAnswerSchema, findForeignFields } from '../rules/asking/stage-answers.ts';
import { tellAnalyst } from '../rules/asking/tell-stages.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { decidedOf } from '../rules/document/undecided.ts';
import type { PipelineState } from '../state.ts';
import { addSpoken, goOnAfter } from './add-spoken.ts';
import { askStage, describeRefused, roleOf } from './ask-stage.ts';
import { addSensitive } from './escalate.ts';
import { findChecks } from './find-checks.ts';
import { learnedLines } from './learn.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';
import { withStateFile } from './work-copy.ts';

const turnLimit = 30;
/** How often the analyst is asked to mend what code found. */
const mostRepairs = 2;

async function askAnalyst(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  repair: readonly string[],
) {
  const { commit } = baseOf(state);
  const start = await withStateFile(context, commit, document);
  const instructions = await context.prompts.render('pipeline-analyst', {});
  const learned = await learnedLines(context, []);
  return askStage<AnalystAnswer>(context, state, { stage: 'analyst', attempt: 1 }, async (call, refused) => {
    const { end } = await workApart(
      context,
      `${context.runId}-analyst`,
      {
        ...{ role: roleOf('analyst'), call, start, steeringFrom: commit, turnLimit, instructions },
        describe: async () =>
          [
            ...tellAnalyst(document, learned),
            ...(repair.length === 0
              ? []
              : [
                  `Rules that your last analysis breaks; keep them this time:\n${fenceUntrusted('PROBLEMS', repair.join('\n'))}`,
                ]),
            ...describeRefused(refused),
          ].join('\n\n'),
        tools: { mode: 'plan' },
        purpose: `analysing #${context.request.number}`,
        schema: analystAnswerSchema,
      },
      { look: async () => null },
    );
    if (end.kind !== 'finished' || end.object === null)
      throw new GatewrightError(
        'plan-unfinished',
        `No analysis of #${context.request.number} came of ${turnLimit} turns.`,
      );
    return {
      answer: end.object,
      violations: findForeignFields('analyst', end.object, analystAnswerSchema),
    };
  });
}

async function check(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
  answer: AnalystAnswer,
): Promise<ReturnType<typeof checkAnalysis>> {
  const { commit } = baseOf(state);
  const files = (await context.trees.listFiles(commit)).map(({ path }) => path);
  const { location } = answer.test_requirement;
  const named = [...answer.files.map(({ path }) => path), ...(location === null ? [] : [location])];
  // The command that the build will run, also where it is found out and not set.
  const { tests: verify } = await findChecks(context, commit);
  return checkAnalysis(answer, {
    ...{ files, type: decidedOf(document.issue.type) ?? 'NEW_FEATURE' },
    runners: await findProjectRunners({ ...context, settings: { verify } }, commit, named),
  });
}

export async function analyse(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  let at = state;
  let repair: readonly string[] = [];
  for (let tried = 0; ; tried += 1) {
    const { answer, calls } = await askAnalyst(context, at, document, repair);
    at = { ...at, calls };
    const spoken = addSpoken('analyst', answer);
    if (spoken.hasQuestions) {
      const asking = applySection('analyst', document, spoken.additions);
      return { ...(await goOnAfter(context, at, asking, 'analyst', 'analyst')), calls };
    }
    const problems = await check(context, at, document, answer);
    repair = problems.map(({ path, message, suggestion }) => `- ${path}: ${message} ${suggestion}`.trim());
    if (problems.length > 0 && tried < mostRepairs) continue;
    if (problems.length > 0)
      throw new GatewrightError(
        'analysis-invalid',
        `The analysis of #${context.request.number} cannot be used.`,
        {
          details: repair,
        },
      );
    const { brief, files, patterns, test_requirement, must_do, must_not_do } = answer;
    const after = applySection('analyst', document, {
      analysis: { completed: true, brief, files, patterns, test_requirement, must_do, must_not_do },
      ...spoken.additions,
    });
    const { tests } = await findChecks(context, baseOf(at).commit);
    if (tests === null && test_requirement.required)
      throw new GatewrightError(
        'no-test-command',
        `#${context.request.number} needs a test, and no command is known that runs the tests of this project.`,
      );
    const sensitive = addSensitive(
      'analyst',
      after,
      files.map(({ path }) => path),
    );
    return { ...(await goOnAfter(context, at, sensitive ?? after, 'analyst', 'writer')), calls };
  }
}
