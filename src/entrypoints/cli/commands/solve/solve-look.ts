/** The commands that only look at pipelines: how far one is, and its state document. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { answersToPipeline } from '../../../../domain/drafts/pipeline-answers.ts';
import { isPipelineRun, optionsOfRun, type PipelineRun } from '../../../../domain/ledger/run.ts';
import { escapeForLine, escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import { findLastPipeline, readStateText } from '../../../../workflows/pipeline/look-at-pipeline.ts';
import { parseDocument } from '../../../../workflows/pipeline/nodes/read-document.ts';
import { readState } from '../../../../workflows/pipeline/rules/document/state-document.ts';
import { listStages } from '../../../../workflows/pipeline/rules/list-stages.ts';
import type { Handler } from '../../table/command.ts';
import { cost } from '../../views/format.ts';
import { readIssueNumber } from '../forge/issue-number.ts';
import { openLoopHouse } from '../loop/run-loop.ts';

/** The commands that move it: the answers to its question, else what resumes it; none when it is done or at work. */
function continuationsOf(run: PipelineRun, gate: GateQuestion | null, suffix: string): readonly string[] {
  if (gate !== null)
    return answersToPipeline(gate, run.request.number, `${optionsOfRun(run.request)}${suffix}`);
  return run.reason === null || run.reason.resume === '' ? [] : [run.reason.resume];
}

export const showPipelines: Handler = async (app, given) => {
  const { terminal } = app;
  const house = await openLoopHouse(app, given);
  const typed = given.args[0];
  const filter = { repository: house.repositoryName, workflows: ['pipeline'] } as const;
  const runs = (await house.views.listRuns(filter))
    .filter(isPipelineRun)
    .filter(({ request }) => typed === undefined || request.number === readIssueNumber(typed));
  const gates = await house.views.listOpenGates();
  const rows = [];
  for (const run of runs) {
    const text = await readStateText(house, run);
    const state = text === null ? null : parseDocument(text, 'The stored state');
    const gate = gates.find((one) => one.run.id === run.id)?.question ?? null;
    rows.push({ run, state, gate });
  }
  if (given.flag('json')) {
    terminal.printJson(
      rows.map(({ run, state, gate }) => ({
        ...{ run: run.id, issue: run.request.number, status: run.status, reason: run.reason, gate },
        ...{ stage: state?.pipeline.current_agent ?? null, attempt: state?.pipeline.attempt ?? null },
        ...{ pullRequest: run.result, costUsd: run.costUsd },
      })),
    );
    return 0;
  }
  if (rows.length === 0) terminal.say('No issue of this repository has a pipeline.');
  for (const { run, state, gate } of rows) {
    const { number, title } = run.request;
    terminal.print(`#${number} ${escapeForLine(title, 100)}  (run ${run.id}, ${cost(run)})`);
    if (state !== null) {
      const { pipeline } = state;
      const words = listStages(state, false).map(({ id, passes }) => `${passes ? '✓' : '·'} ${id}`);
      terminal.print(`  ${words.join('  ')}  attempt ${pipeline.attempt} of ${pipeline.max_attempts}`);
    }
    if (run.reason !== null) terminal.print(`  ${run.status}: ${escapeForLine(run.reason.message, 500)}`);
    if (gate?.advice !== undefined) terminal.print(`  ${escapeForLine(gate.advice, 300)}`);
    for (const command of continuationsOf(run, gate, house.commandSuffix))
      terminal.print(`  Continue with: ${command}`);
  }
  return 0;
};

/** Checks a file, or shows the state of an issue. */
export const showState: Handler = async (app, given) => {
  const { terminal } = app;
  const file = given.text('validate');
  if (file !== null) {
    if (!existsSync(file)) throw new GatewrightError('usage', `There is no file ${file}.`);
    if (statSync(file).isDirectory()) throw new GatewrightError('usage', `${file} is a folder.`);
    const read = readState(readFileSync(file, 'utf8'));
    if ('state' in read && given.flag('json')) {
      terminal.printJson({ isValid: true, issue: read.state.issue.number });
      return 0;
    }
    if ('state' in read) {
      terminal.say(`${file} is a valid state of issue #${read.state.issue.number}.`);
      return 0;
    }
    throw new GatewrightError('issue-state-invalid', `${file} is no valid state of the pipeline.`, {
      details: read.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    });
  }
  const number = readIssueNumber(given.args[0]);
  const house = await openLoopHouse(app, given);
  const run = await findLastPipeline(house, number);
  const text = run === null ? null : await readStateText(house, run);
  if (text === null)
    throw new GatewrightError('run-not-found', `Issue #${number} has no pipeline yet.`, {
      hint: `Begin with: gatewright solve ${number}`,
    });
  if (given.flag('json')) terminal.printJson(JSON.parse(text));
  else terminal.print(escapeForTerminal(text.trimEnd()));
  return 0;
};
