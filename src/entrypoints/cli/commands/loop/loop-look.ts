/** The commands that only look at loops: list, status, context. */
import { loopStages } from '../../../../domain/forge/label-table.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import { isLoopRun, type LoopRun } from '../../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import { resumeText, standingOf } from '../../../../runs/explain-subject.ts';
import { type LoopView, previewContext, viewLoop } from '../../../../workflows/loop/look-at-loop.ts';
import type { Handler } from '../../table/command.ts';
import { cost } from '../../views/format.ts';
import { readIssueNumber } from '../forge/issue-number.ts';
import { describeNext } from './describe-next.ts';
import { openLoopHouse } from './run-loop.ts';

const stages = new Set(loopStages.map(({ name }) => name));

export const listLoops: Handler = async (app, given) => {
  const { terminal } = app;
  const house = await openLoopHouse(app, given);
  const issues = await house.forge.listIssues(house.repositoryName, { state: 'open' });
  const rows = issues.map(({ number, title, labels }) => ({
    ...{ number, title },
    stage:
      labels.find((label) => stages.has(label) && label !== labelNames.loop) ??
      labels.find((label) => stages.has(label)) ??
      null,
  }));
  if (given.flag('json')) {
    terminal.printJson(rows);
    return 0;
  }
  if (rows.length === 0) terminal.say('No issue is open.');
  else
    terminal.printTable(
      rows.map(({ number, title, stage }) => [`#${number}`, stage ?? '-', escapeForLine(title, 200)]),
    );
  return 0;
};

/** A row for each task; one that no command proved is marked otherwise. */
function printTasks({ terminal }: Parameters<Handler>[0], view: LoopView | null): void {
  for (const { id, title, passes, attempts } of view?.prd?.userStories ?? []) {
    const isByWord = passes && view?.byWord.has(id) === true;
    const done = isByWord ? '☑' : terminal.style('green', '✓');
    const mark = passes ? done : attempts > 0 ? terminal.style('red', '✗') : '·';
    const tries = attempts === 0 ? '' : `  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
    const word = isByWord ? '  passed by the word of a person' : '';
    terminal.print(`  ${mark} ${id}  ${escapeForLine(title, 100)}${tries}${word}`);
  }
}

async function showOne(
  app: Parameters<Handler>[0],
  house: Awaited<ReturnType<typeof openLoopHouse>>,
  run: LoopRun,
) {
  const { terminal } = app;
  const { number, title } = run.request;
  const view = await viewLoop(house, run);
  terminal.print(`#${number} ${escapeForLine(title, 100)}  (run ${run.id}, ${cost(run)})`);
  printTasks(app, view);
  if (view !== null && view.state.branch !== '') terminal.print(`  branch ${view.state.branch}`);
  const gates = await house.views.listOpenGates({ subject: run.subject });
  const standing = await standingOf(run, gates, house.leases);
  terminal.print(`  ${escapeForLine(run.reason?.message ?? standing, 300)}`);
  const gate = gates.find((open) => open.run.id === run.id);
  const isAtWork = standing === 'running' || standing === 'done';
  const resume = isAtWork ? [] : [`Continue with: ${resumeText(run)}`];
  const next = gate === undefined ? resume : await describeNext(house, run, gate.question);
  for (const line of next) terminal.print(`  ${line}`);
}

export const showLoops: Handler = async (app, given) => {
  const house = await openLoopHouse(app, given);
  const typed = given.args[0];
  const filter = { repository: house.repositoryName, workflows: ['loop'] } as const;
  const all = (await house.views.listRuns(filter)).filter(isLoopRun);
  const runs =
    typed === undefined
      ? all.filter(({ status }) => status !== 'done')
      : all.filter(({ request }) => request.number === readIssueNumber(typed)).slice(0, 1);
  if (given.flag('json')) {
    const views = [];
    for (const run of runs) {
      const view = await viewLoop(house, run);
      views.push({ ...run, branch: view?.state.branch ?? '', tasks: view?.prd?.userStories ?? [] });
    }
    app.terminal.printJson(views);
    return 0;
  }
  if (runs.length === 0)
    app.terminal.say(
      typed === undefined
        ? 'No loop is open. Begin with: gatewright loop plan NUMBER'
        : `Issue ${typed} has no loop.`,
    );
  for (const run of runs) await showOne(app, house, run);
  return 0;
};

export const showContext: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const house = await openLoopHouse(app, given);
  const { findLoop } = await import('../../../../workflows/loop/drive-loop.ts');
  const run = await findLoop(house, number);
  if (run === null)
    throw new GatewrightError('run-not-found', `Issue #${number} has no open loop.`, {
      hint: `Begin with: gatewright loop plan ${number}`,
    });
  const told = await previewContext(house, run, given.args[1]?.toUpperCase() ?? null);
  if (given.flag('json')) app.terminal.printJson({ issue: number, ...told });
  else app.terminal.printExactly(told.text);
  return 0;
};
