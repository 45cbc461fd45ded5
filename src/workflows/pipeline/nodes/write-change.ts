/** The writer makes the change in a copy of its own; what it left is looked at before anything is run. */
import type { Snapshot } from '../../../ports/workspace.ts';
import { findObstacle } from '../../../runs/coding/find-obstacle.ts';
import { prepareCopy } from '../../../runs/coding/prepare-copy.ts';
import { commitTree } from '../../../runs/coding/push-work.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import { findForeignFields, type WriterAnswer, writerAnswerSchema } from '../rules/asking/stage-answers.ts';
import { tellWriter } from '../rules/asking/tell-stages.ts';
import { commitMessageOf } from '../rules/comments/pull-request-text.ts';
import { applySection } from '../rules/document/apply-section.ts';
import type { StateDocument } from '../rules/document/state-document.ts';
import { isTreePath } from '../rules/document/tree-path.ts';
import type { PipelineState } from '../state.ts';
import { addSpoken, goOnAfter } from './add-spoken.ts';
import { askStage, describeRefused, roleOf } from './ask-stage.ts';
import { learnedLines } from './learn.ts';
import { baseOf } from './read-document.ts';
import type { StageEnd } from './run-stage.ts';
import { findForeignEdits, withoutStateFile, withStateFile } from './work-copy.ts';

const turnLimit = 50;
const mostChanges = 1000;

/** What is kept with the answer of the agent. */
interface Found {
  readonly snapshot: Snapshot;
  readonly edits: readonly string[];
}

interface Written {
  /** Null when it used all of its turns. */
  readonly report: WriterAnswer | null;
  readonly found: Found;
}

async function askWriter(context: PipelineContext, state: PipelineState, document: StateDocument) {
  const { commit: base } = baseOf(state);
  const begin = state.commit ?? base;
  const start = await withStateFile(context, begin, document);
  const { attempt } = document.pipeline;
  const { ledger: _, prompts, request, settings, workspaces, runId } = context;
  const name = `${runId}-writer`;
  const instructions = await prompts.render('pipeline-writer', {});
  const learned = await learnedLines(
    context,
    document.analysis.files.map(({ path }) => path),
  );
  return askStage<Written>(context, state, { stage: 'writer', attempt }, async (call, refused) => {
    const { end, left } = await workApart<WriterAnswer, Found>(
      context,
      name,
      {
        ...{ role: roleOf('writer'), call, start, steeringFrom: base, turnLimit, instructions },
        describe: async () => [...tellWriter(document, learned), ...describeRefused(refused)].join('\n\n'),
        tools: { mode: 'implement', commands: settings.agentCommands },
        purpose: `writing the change for #${request.number}, attempt ${attempt}`,
        schema: writerAnswerSchema,
      },
      {
        prepare: (folder) => prepareCopy(context, { name, folder }),
        look: async (workspace) => {
          const snapshot = await workspaces.takeSnapshot(workspace);
          return {
            snapshot,
            edits: await findForeignEdits(context, 'writer', snapshot.tree, document),
          };
        },
      },
    );
    const report = end.kind === 'finished' ? end.object : null;
    const fields = report === null ? [] : findForeignFields('writer', report, writerAnswerSchema);
    return { answer: { report, found: left }, violations: [...fields, ...left.edits] };
  });
}

/** Why the attempt fails before a command is run; what the writer says about itself is compared with what it left. */
function listProblems(
  { report, found: { snapshot } }: Written,
  changed: readonly string[],
  { test_requirement: test }: StateDocument['analysis'],
): string[] {
  const obstacle = findObstacle(snapshot);
  const claimed = report?.test_file ?? null;
  const leftOut = snapshot.leftOut.filter(
    (path) => report?.changes.some(({ file }) => file === path) === true,
  );
  return [
    ...(report === null ? [`The writer used all of its ${turnLimit} turns.`] : []),
    ...(obstacle === null ? [] : [obstacle.message]),
    ...leftOut
      .slice(0, 5)
      .map(
        (path) =>
          `${path} steers agents or builds: what the writer did there is left out. A person has to change it.`,
      ),
    ...(changed.length === 0 ? ['The writer changed nothing.'] : []),
    ...(claimed !== null && !changed.includes(claimed)
      ? [`The writer says that ${claimed} is its test, but it did not change that file.`]
      : []),
    ...(claimed === null && test?.required === true
      ? ['A test is required, and the writer names none.']
      : []),
  ];
}

export async function writeChange(
  context: PipelineContext,
  state: PipelineState,
  document: StateDocument,
): Promise<StageEnd> {
  const { trees, workspaces } = context;
  const { answer: written, calls } = await askWriter(context, state, document);
  const { report, found } = written;
  const base = baseOf(state).commit;
  const begin = state.commit ?? base;
  const spoken = addSpoken('writer', report ?? { questions: [], escalations: [], observations: [] });
  if (spoken.hasQuestions) {
    const asking = applySection('writer', document, spoken.additions);
    return { ...(await goOnAfter(context, { ...state, calls }, asking, 'writer', 'writer')), calls };
  }
  const tree = await withoutStateFile(context, found.snapshot.tree, begin);
  // With the message of the end: what is tested and approved here is the very commit that is pushed.
  const message = commitMessageOf({ issue: document.issue, writer: { summary: report?.summary ?? null } });
  const commit = await commitTree(context, { tree, parent: base, message });
  const changed = (await workspaces.listChanges(base, commit)).map(({ path }) => path);
  const shown = changed.filter(isTreePath).slice(0, mostChanges);
  // Something may have been removed that was not taken over the last time: then nothing was run on this tree.
  const isSame = document.build.commands_run.length > 0 && tree === (await trees.treeOf(begin));
  const problems = [
    ...listProblems(written, changed, document.analysis),
    ...(shown.length < changed.length
      ? [
          `The change is too large, or holds paths that other machines cannot hold: ${changed
            .filter((path) => !isTreePath(path))
            .slice(0, 5)
            .join(', ')}`,
        ]
      : []),
    ...(isSame && state.commit !== null ? ['The writer changed nothing since the last attempt.'] : []),
  ];
  const testFile = report?.test_file ?? null;
  const after = applySection('writer', document, {
    writer: {
      ...{ completed: report !== null, attempt: document.pipeline.attempt },
      // By what it left, and not by what it says.
      changes: shown.map((file) => ({
        file,
        description: report?.changes.find((one) => one.file === file)?.description ?? '',
      })),
      test_written: testFile !== null && changed.includes(testFile),
      test_file: testFile !== null && isTreePath(testFile) ? testFile : null,
      summary: report?.summary ?? null,
      previous_feedback: document.review.feedback_for_writer,
      try_it: report?.try_it ?? [],
    },
    ...spoken.additions,
  });
  const end = await goOnAfter(context, { ...state, calls }, after, 'writer', 'build');
  return {
    ...{ ...end, calls, commit, problems, approved: null },
    outcome: end.route === 'build' ? `${changed.length} files changed` : end.outcome,
  };
}
