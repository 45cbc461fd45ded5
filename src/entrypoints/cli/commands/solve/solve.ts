/** Brings an issue through the pipeline: starts or resumes it, answers its question, goes back to a stage. */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { answersToPipeline } from '../../../../domain/drafts/pipeline-answers.ts';
import { isPipelineRun, type PipelineRun } from '../../../../domain/ledger/run.ts';
import { escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import { findRunsById } from '../../../../runs/find-run.ts';
import type { House } from '../../../../runs/house.ts';
import { requirePerson } from '../../../../workflows/issue-runs/drive-issue-run.ts';
import {
  findPipeline,
  type PipelineOptions,
  resumePipeline,
  startPipeline,
} from '../../../../workflows/pipeline/drive-pipeline.ts';
import { previewStages } from '../../../../workflows/pipeline/look-at-pipeline.ts';
import { returnToStage } from '../../../../workflows/pipeline/return-to-stage.ts';
import type { StageName } from '../../../../workflows/pipeline/rules/stages.ts';
import type { App } from '../../app.ts';
import { listenForStop } from '../../listen-for-stop.ts';
import { openHouseOf } from '../../open-house.ts';
import { personOf } from '../../person-of.ts';
import type { Given, Handler } from '../../table/command.ts';
import { makeLoopDialogue, type PresetAnswer } from '../../views/loop-dialogue.ts';
import { makeLoopView } from '../../views/loop-view.ts';
import { readIssueNumber } from '../forge/issue-number.ts';
import { collectWarnings, openLoopHouse, reportRun } from '../loop/run-loop.ts';

/** At most one of the answers that the command can give. */
function readAnswer(given: Given): PresetAnswer | null {
  const answers: PresetAnswer[] = [];
  const proceed = given.text('proceed');
  const retry = given.text('retry');
  if (proceed !== null) answers.push({ kind: 'escalation', choice: 'proceed', feedback: proceed });
  if (retry !== null) answers.push({ kind: 'blocked', choice: 'retry', feedback: retry });
  if (answers.length + (given.text('stop') === null ? 0 : 1) > 1)
    throw new GatewrightError('usage', 'Give one of --proceed, --retry and --stop.');
  return answers[0] ?? null;
}

async function findGate(house: House, found: PipelineRun | null): Promise<GateQuestion | null> {
  const open = (await house.views.listOpenGates()).find(({ run }) => run.id === found?.id);
  return open?.question ?? null;
}

/** `--stop` answers whatever gate is open. */
function readStop(given: Given, gate: GateQuestion | null): PresetAnswer | null {
  const why = given.text('stop');
  if (why === null) return null;
  if (gate === null)
    throw new GatewrightError('usage', 'The pipeline waits for no answer, so there is nothing to stop.', {
      hint: 'A run that goes on is ended with Ctrl-C; one that stopped with: gatewright runs cancel RUN',
    });
  return { kind: gate.kind, choice: 'stop', feedback: why };
}

async function showPreview(app: App, house: House, given: Given, number: number): Promise<number> {
  const stages = await previewStages(house, number);
  if (given.flag('json')) {
    app.terminal.printJson(stages);
    return 0;
  }
  for (const { stage, gets } of stages) {
    app.terminal.print(app.terminal.style('bold', `== ${stage}`));
    app.terminal.print(
      gets === null ? 'Known when the stages before it have ended.' : escapeForTerminal(gets),
    );
    app.terminal.print();
  }
  return 0;
}

async function findNamed(
  app: App,
  given: Given,
): Promise<{ house: House; found: PipelineRun | null; number: number }> {
  const typed = given.text('resume');
  if (typed === null) {
    const house = await openLoopHouse(app, given);
    const number = readIssueNumber(given.args[0]);
    return { house, number, found: await findPipeline(house, number) };
  }
  const records = await app.openRecords();
  const [run, another] = await findRunsById(records.views, typed);
  if (run === undefined || another !== undefined || !isPipelineRun(run))
    throw new GatewrightError('run-not-found', `"${typed}" is not the id of one pipeline.`, {
      hint: 'See the runs with: gatewright runs',
    });
  return { house: await openHouseOf(app, run, true), found: run, number: run.request.number };
}

export const solveIssue: Handler = async (app, given) => {
  const { house, found, number } = await findNamed(app, given);
  if (given.flag('dry-run')) return showPreview(app, house, given, number);
  const own = await house.forge.whoAmI();
  const person = personOf(app, house, own);
  await requirePerson(house, person);
  const gate = await findGate(house, found);
  const wanted = readAnswer(given) ?? readStop(given, gate);
  if (wanted !== null && found === null)
    throw new GatewrightError('run-not-found', `Issue #${number} has no pipeline that waits for an answer.`, {
      hint: `Begin with: gatewright solve ${number}`,
    });
  // The command itself is the word to go on from where the last one was asked to stop.
  const goOn: PresetAnswer | null = gate?.kind === 'work' ? { kind: 'work', choice: 'continue' } : null;
  const preset = wanted ?? (given.text('from') === null ? goOn : null);
  const dialogue = makeLoopDialogue(house.ledger, app.terminal, preset);
  const warnings: string[] = [];
  const view = given.flag('json') ? collectWarnings(app, warnings) : makeLoopView(app.terminal);
  const stop = listenForStop((text) => view.say(text));
  const until = given.text('until') as StageName | null;
  const options: PipelineOptions = {
    ...{ own, person, dialogue, signal: stop.signal, progress: view.progress },
    ...(until === null ? {} : { until }),
  };
  try {
    const from = given.text('from') as StageName | null;
    if (from !== null && found === null)
      throw new GatewrightError('usage', `Issue #${number} has no pipeline that could go back to ${from}.`);
    if (from !== null && found !== null) await returnToStage(house, found, from, options);
    const outcome =
      found === null
        ? await startPipeline(house, { number }, options)
        : await resumePipeline(house, found, options);
    view.close();
    const answers = outcome.gate === null ? [] : answersToPipeline(outcome.gate, number, house.commandSuffix);
    if (wanted !== null && !dialogue.isUsed() && outcome.status !== 'done')
      throw new GatewrightError(
        'usage',
        `The pipeline of #${number} does not wait for that: ${outcome.reason.message}`,
        {
          ...(answers.length === 0 ? {} : { hint: `Answer it with: ${answers.join('\nor: ')}` }),
        },
      );
    return await reportRun(app, house, given, outcome, { warnings, answers });
  } finally {
    view.close();
    stop.close();
  }
};
