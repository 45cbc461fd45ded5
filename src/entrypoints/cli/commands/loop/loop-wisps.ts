/** `loop wisp`: hints for the next tasks that hold for a short while, and how they are made to last. */
import type { LoopRun } from '../../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { House } from '../../../../runs/house.ts';
import { requirePerson } from '../../../../workflows/issue-runs/drive-issue-run.ts';
import { findLoop } from '../../../../workflows/loop/drive-loop.ts';
import { addWisp, promoteWisp, type WispView } from '../../../../workflows/loop/keep-wisps.ts';
import { viewWisps } from '../../../../workflows/loop/look-at-loop.ts';
import type { App } from '../../app.ts';
import { personOf } from '../../person-of.ts';
import type { Given, Handler } from '../../table/command.ts';
import { readIssueNumber } from '../forge/issue-number.ts';
import { openLoopHouse } from './run-loop.ts';

async function openLoop(app: App, given: Given): Promise<{ house: House; run: LoopRun; number: number }> {
  const number = readIssueNumber(given.args[0]);
  const house = await openLoopHouse(app, given);
  const run = await findLoop(house, number);
  if (run !== null) return { house, run, number };
  throw new GatewrightError('run-not-found', `Issue #${number} has no open loop.`, {
    hint: `Begin with: gatewright loop plan ${number}`,
  });
}

/** Only people who may decide about the repository give hints: agents read them. */
async function openToChange(app: App, given: Given) {
  const { house, run, number } = await openLoop(app, given);
  const own = await house.forge.whoAmI();
  const person = personOf(app, house, own);
  await requirePerson(house, person);
  return { house, run, number, person, session: { own, progress: () => undefined } };
}

const taskOf = (given: Given): string | null => given.text('task')?.toUpperCase() ?? null;

export const addLoopWisp: Handler = async (app, given) => {
  const { house, run, number, session } = await openToChange(app, given);
  const wanted = { note: given.args[1] ?? '', task: taskOf(given), minutes: given.count('minutes') };
  const { wisp, isNew } = await addWisp(house, run, wanted, session);
  if (given.flag('json')) app.terminal.printJson({ issue: number, isNew, ...wisp });
  else
    app.terminal.say(
      isNew
        ? `Added ${wisp.id}; it holds until ${wisp.expiresAt}.`
        : `${wisp.id} holds already, until ${wisp.expiresAt}.`,
    );
  return 0;
};

function stateOf({ promoted, isLive, expiresAt }: WispView): string {
  if (promoted) return 'promoted';
  return isLive ? `until ${escapeForLine(expiresAt ?? '', 40)}` : 'expired';
}

export const listLoopWisps: Handler = async (app, given) => {
  const { terminal } = app;
  const { house, run, number } = await openLoop(app, given);
  const wisps = await viewWisps(house, run);
  if (given.flag('json')) terminal.printJson(wisps);
  else if (wisps.length === 0) terminal.say(`The loop of #${number} has no hints.`);
  else
    terminal.printTable(
      wisps.map((wisp) => [wisp.id, stateOf(wisp), wisp.task ?? '-', escapeForLine(wisp.note, 200)]),
    );
  return 0;
};

export const promoteLoopWisp: Handler = async (app, given) => {
  const { house, run, number, person, session } = await openToChange(app, given);
  const id = given.args[1] ?? '';
  const to = given.text('to') === 'task' ? 'task' : 'note';
  const verify = given.texts('verify');
  if (to === 'note' && verify.length > 0)
    throw new GatewrightError('usage', '--verify belongs to --to task: a note has no commands.');
  const promotion = { id, to, task: taskOf(given), verify, person } as const;
  const { task } = await promoteWisp(house, run, promotion, session);
  if (given.flag('json')) app.terminal.printJson({ issue: number, wisp: id, to, task });
  else app.terminal.say(task === null ? `${id} is a discovery note now.` : `${id} is the task ${task} now.`);
  return 0;
};
