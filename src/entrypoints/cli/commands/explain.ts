/** `explain`: why something is where it is. */
import { explainRun, findRunOf } from '../../../dispatch/explain-subject.ts';
import { escapeForLine } from '../../../domain/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Handler } from '../command.ts';
import { ago, money } from '../format.ts';

export const explain: Handler = async (app, given) => {
  const typed = given.args[0] ?? '';
  const records = await app.openViews();
  if (records === null)
    throw new GatewrightError(
      'subject-not-found',
      `Nothing is known about "${typed}": nothing was recorded yet.`,
    );
  const run = findRunOf(records.views, typed, process.cwd());
  const explanation = explainRun(run, records.views, records.leases);
  const { terminal } = app;
  if (given.flag('json')) {
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
      since: run.changedAt,
    });
    return 0;
  }
  terminal.print(`${run.subject}  "${escapeForLine(run.request.title, 80)}"  (run ${run.id})`);
  terminal.print(
    `Now:   ${explanation.standing} for ${ago(run.changedAt, new Date())}${run.node === null ? '' : `, last node ${run.node}`}`,
  );
  terminal.print(`Why:   ${escapeForLine(explanation.why, 300)}`);
  if (run.result !== null) terminal.print(`Issue: ${run.result.url}`);
  terminal.print(`Cost:  ${money(run.costUsd)} so far`);
  if (explanation.conditions.length > 0) terminal.print('What would move it:');
  for (const { what, who, command } of explanation.conditions) {
    terminal.print(`  - ${escapeForLine(what, 300)}`);
    terminal.print(`    who: ${escapeForLine(who)}${command === '' ? '' : `\n    how: ${command}`}`);
  }
  return 0;
};
