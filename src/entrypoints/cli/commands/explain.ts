/** `explain`: why something is where it is. */

import type { Condition } from '../../../domain/ledger/condition.ts';
import { isAgentRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { money } from '../../../domain/text/money.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { NumberExplanation } from '../../../fleet/explain-number.ts';
import { explainRun, findRunOf } from '../../../runs/explain-subject.ts';
import type { House } from '../../../runs/house.ts';
import type { App } from '../app.ts';
import { openHouseOf } from '../open-house.ts';
import type { Handler } from '../table/command.ts';
import { ago, boundNote, cost } from '../views/format.ts';

function printConditions(app: App, conditions: readonly Condition[]): void {
  const { terminal } = app;
  if (conditions.length > 0) terminal.print('What would unblock it:');
  for (const { what, who, command, advice } of conditions) {
    terminal.print(`  - ${escapeForLine(what, 300)}`);
    if (advice !== undefined) terminal.print(`    fix: ${advice}`);
    terminal.print(
      `    who: ${escapeForLine(who)}${command === '' ? '' : `\n    how: ${escapeForLine(command, 500)}`}`,
    );
  }
}

function printNumber(app: App, explained: NumberExplanation): void {
  const { terminal } = app;
  const { subject, title, kind, state, conditions, budgetUsd, costAtMostUsd, lately } = explained;
  terminal.print(`${subject}  "${escapeForLine(title, 80)}"  (${kind}, ${state})`);
  const why = conditions.length === 0 ? 'nothing blocks it' : `${conditions.length} not met`;
  if (state === 'open') terminal.print(`Now:   ${why}`);
  for (const { at, what } of lately)
    terminal.print(`       ${ago(at, new Date())} ago  ${escapeForLine(what, 200)}`);
  terminal.print(`Cost:  ${cost(explained)} so far, of ${money(budgetUsd)}${boundNote(costAtMostUsd)}`);
  printConditions(app, conditions);
}

async function explainOneRun(
  app: App,
  run: RunSummary,
  isJson: boolean,
  records: Parameters<typeof explainRun>,
): Promise<void> {
  const explanation = await explainRun(...records);
  const { terminal } = app;
  if (isJson) {
    const { standing, why, conditions } = explanation;
    terminal.printJson({
      subject: run.subject,
      run: run.id,
      title: run.request.title,
      status: standing,
      why,
      conditions,
      result: run.result,
      costUsd: run.costUsd,
      costAtMostUsd: run.costAtMostUsd,
      since: run.changedAt,
    });
    return;
  }
  terminal.print(`${run.subject}  "${escapeForLine(run.request.title, 80)}"  (run ${run.id})`);
  terminal.print(
    `Now:   ${explanation.standing} for ${ago(run.changedAt, new Date())}${run.node === null ? '' : `, last node ${run.node}`}`,
  );
  terminal.print(`Why:   ${escapeForLine(explanation.why, 300)}`);
  if (run.result !== null) terminal.print(`Issue: ${run.result.url}`);
  terminal.print(`Cost:  ${cost(run)} so far${boundNote(run.costAtMostUsd)}`);
  printConditions(app, explanation.conditions);
}

/** The issue or pull request that is meant, if a number was typed. */
function numberOf(typed: string): number | null {
  const [, number] = /^(?:[^#]*#)?(\d+)$/u.exec(typed) ?? [];
  return number === undefined ? null : Number(number);
}

/**
 * The repository of the run, or the one here. Opened under the agents' login, so that the rules know our labels and
 * comments from those of people.
 */
function openPlace(app: App, run: RunSummary | null): Promise<House> {
  if (run !== null) return openHouseOf(app, run, true);
  return app.openHouse(null, { forge: null, name: null, asAgent: true });
}

export const explain: Handler = async (app, given) => {
  const typed = given.args[0] ?? '';
  const number = numberOf(typed);
  const records = await app.openViews();
  const nothing = (): GatewrightError =>
    new GatewrightError(
      'subject-not-found',
      `Gatewright knows nothing about "${typed}": the ledger has no entry yet.`,
    );
  let run: RunSummary | null = null;
  try {
    if (records === null) throw nothing();
    run = await findRunOf(records.views, typed, process.cwd());
  } catch (error) {
    // An issue that no run is about may still be one: then the forge knows.
    if (number === null || !isGatewrightError(error, 'subject-not-found')) throw error;
  }
  const isFleet = run === null || isAgentRun(run);
  const about = number ?? (run !== null && isAgentRun(run) ? run.request.number : null);
  if (isFleet && about !== null) {
    const house = await openPlace(app, run);
    const { explainNumber } = await import('../../../fleet/explain-number.ts');
    const explained = await explainNumber(house, await house.forge.whoAmI(), about);
    if (given.flag('json')) app.terminal.printJson(explained);
    else printNumber(app, explained);
    return 0;
  }
  if (run === null || records === null) throw nothing();
  await explainOneRun(app, run, given.flag('json'), [
    run,
    await records.views.listOpenGates(),
    records.leases,
  ]);
  return 0;
};
