/** The commands that move a loop on: plan, implement, testing, close, retry, replan, skip, resume. */
import { isLoopRun } from '../../../../domain/ledger/run.ts';
import { GatewrightError } from '../../../../errors.ts';
import { findRunsById } from '../../../../runs/find-run.ts';
import { previewClose } from '../../../../workflows/loop/look-at-loop.ts';
import { openHouseOf } from '../../open-house.ts';
import type { Given, Handler } from '../../table/command.ts';
import type { PresetAnswer } from '../../views/loop-dialogue.ts';
import { readIssueNumber } from '../forge/issue-number.ts';
import { continueLoop, driveLoopOf, openLoopHouse } from './run-loop.ts';
import { showClosing } from './show-closing.ts';

function presetOf(kind: PresetAnswer['kind'], choice: string, feedback: string | null = null): PresetAnswer {
  return { kind, choice, ...(feedback === null ? {} : { feedback }) };
}

/** At most one of the answers that `loop plan` can give. */
function readPlanAnswer(given: Given): PresetAnswer | null {
  const answers: PresetAnswer[] = [];
  const answer = given.text('answer');
  const revise = given.text('revise');
  if (answer !== null) answers.push(presetOf('scope', 'answer', answer));
  if (given.flag('approve')) answers.push(presetOf('plan', 'approve'));
  if (revise !== null) answers.push(presetOf('plan', 'revise', revise));
  if (answers.length > 1) throw new GatewrightError('usage', 'Give one of --answer, --approve and --revise.');
  return answers[0] ?? null;
}

export const planLoop: Handler = (app, given) => {
  const isQuick = given.flag('quick');
  const preset = readPlanAnswer(given);
  return driveLoopOf(app, given, {
    number: readIssueNumber(given.args[0]),
    preset: preset ?? (isQuick ? presetOf('scope', 'plan') : null),
    mayBeUnused: preset === null,
    start: { isQuick },
  });
};

/** The only loop that there is, where no issue is named. */
async function findOnlyIssue(app: Parameters<Handler>[0], given: Given): Promise<number> {
  const typed = given.text('issue');
  if (typed !== null) return readIssueNumber(typed);
  const house = await openLoopHouse(app, given);
  const filter = { repository: house.repositoryName, workflows: ['loop'], doneSince: 'never' } as const;
  const runs = (await house.views.listRuns(filter)).filter(isLoopRun);
  const [only, another] = runs;
  if (only !== undefined && another === undefined) return only.request.number;
  throw new GatewrightError(
    'usage',
    only === undefined ? 'No issue has a loop yet.' : 'Several issues have a loop; name one with --issue.',
    {
      hint:
        only === undefined
          ? 'Begin with: gatewright loop plan NUMBER'
          : `One of: ${runs.map(({ request }) => `#${request.number}`).join(', ')}`,
    },
  );
}

export const implementLoop: Handler = async (app, given) => {
  // `start` and no word are the names of the document for the first and the next task.
  const pace = given.args[0] === 'loop' ? 'loop' : 'next';
  const number = await findOnlyIssue(app, given);
  return driveLoopOf(app, given, { number, preset: presetOf('work', pace) });
};

export const testLoop: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const answer = given.args[1] ?? '';
  if (answer === 'works') return driveLoopOf(app, given, { number, preset: presetOf('testing', 'works') });
  if (answer === 'later') {
    app.terminal.say(
      `The loop of #${number} waits. When you have tested it: gatewright loop testing ${number} works`,
    );
    return 0;
  }
  const description = given.text('description');
  if (description === null)
    throw new GatewrightError('usage', 'Say what is wrong with --description TEXT.', {
      hint: 'Also --type Behavior|Error|Missing|Visual|Other and --location US-002.',
    });
  const report = [given.text('type') ?? 'Other', given.text('location') ?? '', description].join('\n');
  return driveLoopOf(app, given, { number, preset: presetOf('testing', 'issue', report) });
};

/** The gates at which a person may close a loop early. */
const earlyGates: readonly (PresetAnswer['kind'] | null)[] = ['work', 'blocked', 'testing'];

function closingAnswer(given: Given, gate: PresetAnswer['kind'] | null): PresetAnswer {
  const reason = given.text('reason');
  const isForced = given.flag('force');
  if (reason !== null && !isForced) throw new GatewrightError('usage', '--reason belongs to --force.');
  if (gate === 'merge') return presetOf('merge', 'check');
  if (isForced && gate === null)
    throw new GatewrightError('usage', 'The loop was stopped in the middle of a step.', {
      hint: 'Resume it first; it can be closed at its next gate.',
    });
  if (!isForced || gate === null || !earlyGates.includes(gate)) return presetOf('close', 'close');
  return presetOf(gate, 'close', reason);
}

export const closeLoopOf: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const house = await openLoopHouse(app, given);
  const { findLoop } = await import('../../../../workflows/loop/drive-loop.ts');
  const found = await findLoop(house, number);
  if (found === null)
    throw new GatewrightError('run-not-found', `Issue #${number} has no loop that could be closed.`, {
      hint: 'See the loops with: gatewright loop list',
    });
  if (given.flag('preview')) return showClosing(app, given, await previewClose(house, found));
  const open = (await house.views.listOpenGates()).find(({ run }) => run.id === found.id);
  const preset = closingAnswer(given, open?.question.kind ?? null);
  return continueLoop(app, house, given, found, { number, preset });
};

export const retryLoop: Handler = (app, given) =>
  driveLoopOf(app, given, {
    number: readIssueNumber(given.args[0]),
    preset: presetOf('blocked', 'retry', given.text('guidance')),
  });

export const replanLoop: Handler = (app, given) => {
  const change = given.text('change');
  if (change === null) throw new GatewrightError('usage', 'Say what should change with --change TEXT.');
  return driveLoopOf(app, given, {
    number: readIssueNumber(given.args[0]),
    preset: presetOf('blocked', 'replan', change),
  });
};

export const skipLoopTask: Handler = async (app, given) => {
  const number = readIssueNumber(given.args[0]);
  const task = (given.args[1] ?? '').toUpperCase();
  const reason = given.text('reason');
  if (reason === null || reason.trim() === '')
    throw new GatewrightError('usage', 'Say why with --reason TEXT: it is kept with the task.');
  const house = await openLoopHouse(app, given);
  const open = (await house.views.listOpenGates()).find(
    ({ run }) =>
      isLoopRun(run) && run.request.number === number && run.request.repository === house.repositoryName,
  );
  const kind = open?.question.kind === 'blocked' ? 'blocked' : 'work';
  return driveLoopOf(app, given, { number, preset: presetOf(kind, 'skip', `${task}: ${reason}`) });
};

export const resumeLoopRun: Handler = async (app, given) => {
  const typed = given.args[0] ?? '';
  const records = await app.openRecords();
  const [run, another] = await findRunsById(records.views, typed);
  if (run === undefined || another !== undefined || !isLoopRun(run))
    throw new GatewrightError('run-not-found', `"${typed}" is not the id of one loop.`, {
      hint: 'See the loops with: gatewright loop list',
    });
  const house = await openHouseOf(app, run, true);
  return continueLoop(app, house, given, run, { number: run.request.number, preset: null });
};
