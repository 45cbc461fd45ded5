/** `doctor`: one line for everything that a workflow needs. */

import { loadConfig } from '../../../config/load-config.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { makeActionsChecks } from '../../../setup/checkup/actions-checks.ts';
import { machineChecks } from '../../../setup/checkup/machine-checks.ts';
import { networkChecks } from '../../../setup/checkup/network-checks.ts';
import { notificationChecks } from '../../../setup/checkup/notification-checks.ts';
import { type Check, type NamedFinding, runCheckup } from '../../../setup/checkup/run-checkup.ts';
import { serviceChecks } from '../../../setup/checkup/service-checks.ts';
import type { App } from '../app.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given, Handler } from '../table/command.ts';
import type { Terminal } from '../views/terminal.ts';

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function showFinding(terminal: Terminal, { state, name, detail, fix }: NamedFinding): void {
  const mark = terminal.style(colours[state], state.padEnd(7));
  terminal.print(`${mark}  ${name.padEnd(13)}  ${escapeForLine(detail, 400)}`);
  if (fix !== '') terminal.print(`${' '.repeat(24)}fix: ${escapeForLine(fix, 400)}`);
}

async function chooseChecks(app: App, given: Given): Promise<readonly Check[]> {
  if (!given.flag('actions'))
    return [...machineChecks, ...serviceChecks, ...networkChecks, ...notificationChecks];
  const root = await app.findRoot(given.text('repo'));
  if (root === null)
    throw new GatewrightError('not-a-repository', `${process.cwd()} is not inside a git work tree.`);
  const { actionsNeeds } = await import('./actions/actions-options.ts');
  return makeActionsChecks(actionsNeeds({ app, config: loadConfig(app.config, root), root }));
}

export const runDoctor: Handler = async (app, given) => {
  const { terminal } = app;
  const asJson = given.flag('json');
  if (!asJson)
    terminal.wait(
      given.flag('actions')
        ? 'checking what GitHub Actions needs'
        : 'checking this machine, its services and the network',
    );
  const findings = await runCheckup(
    await chooseChecks(app, given),
    await app.openCheckup(given.text('repo')),
    (finding) => {
      if (!asJson) showFinding(terminal, finding);
    },
  );
  terminal.endWait();
  const count = (state: NamedFinding['state']) => findings.filter((one) => one.state === state).length;
  const isReady = count('problem') === 0;
  if (asJson) terminal.printJson({ isReady, findings });
  else
    terminal.print(
      `\n${isReady ? 'Nothing blocks a run' : `Problems: ${count('problem')}`}; warnings: ${count('warning')}; ok: ${count('ok')}.`,
    );
  return isReady ? exitCodes.done.code : exitCodes.failed.code;
};
