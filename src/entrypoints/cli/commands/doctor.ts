/** `doctor`: one line for everything that a workflow needs. */

import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { machineChecks } from '../../../setup/checkup/machine-checks.ts';
import { networkChecks } from '../../../setup/checkup/network-checks.ts';
import { type NamedFinding, runCheckup } from '../../../setup/checkup/run-checkup.ts';
import { serviceChecks } from '../../../setup/checkup/service-checks.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Handler } from '../table/command.ts';
import type { Terminal } from '../views/terminal.ts';

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function showFinding(terminal: Terminal, { state, name, detail, fix }: NamedFinding): void {
  const mark = terminal.style(colours[state], state.padEnd(7));
  terminal.print(`${mark}  ${name.padEnd(13)}  ${escapeForLine(detail, 400)}`);
  if (fix !== '') terminal.print(`${' '.repeat(24)}fix: ${escapeForLine(fix, 400)}`);
}

export const runDoctor: Handler = async (app, given) => {
  const { terminal } = app;
  const asJson = given.flag('json');
  if (!asJson) terminal.wait('checking this machine, its services and the network');
  const findings = await runCheckup(
    [...machineChecks, ...serviceChecks, ...networkChecks],
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
