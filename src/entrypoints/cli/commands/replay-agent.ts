/** `replay` of an agent's run: from its tape, in no repository and with no model. */
import { parseTape } from '../../../domain/recordings/tape.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { replayTape, type TapeReport } from '../../../fleet/tapes/replay-tape.ts';
import type { App } from '../app.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../table/command.ts';

const longestLine = 300;

function showReport({ terminal }: App, { compared, changedPrompts, ended, isSame }: TapeReport): void {
  const colours = { same: 'green', differs: 'red', missing: 'red', extra: 'red' } as const;
  for (const { name, state } of compared)
    terminal.print(`${terminal.style(colours[state], state.padEnd(8))} ${escapeForLine(name, longestLine)}`);
  const told = (text: string): string => escapeForLine(text, 1000);
  if (ended.before === null) terminal.say('The recorded run was cut off, so its end is not known.');
  else terminal.say(`Recorded end: ${told(ended.before)}`);
  terminal.say(`End now:      ${told(ended.now)}`);
  if (changedPrompts.length > 0)
    terminal.say(
      `${terminal.style('yellow', 'Note:')} the prompt of a model would now differ from the recorded one (${changedPrompts.map((one) => told(one)).join(', ')}). The answers are still the recorded ones.`,
    );
  terminal.say(isSame ? 'The agent would do the same.' : 'The agent would not do the same.');
}

export async function replayAgentRun(app: App, given: Given, text: string, name: string): Promise<number> {
  const unfit = [
    ...['from', 'into', 'draft', 'prompt', 'record'].filter((option) => given.text(option) !== null),
    ...['keep', 'auto', 'strict'].filter((option) => given.flag(option)),
  ];
  if (unfit[0] !== undefined)
    throw new GatewrightError(
      'usage',
      `--${unfit[0]} is for issue and lld runs; this is a run of an agent.`,
      {
        hint: `Replay it as it was, with: gatewright replay ${name}`,
      },
    );
  const tape = parseTape(text, name);
  const { prompts } = await app.openTapes();
  const report = await replayTape(tape, prompts);
  const { run, agent, subject, version } = tape.head;
  if (given.flag('json')) app.terminal.printJson({ run, agent, subject, version, ...report });
  else {
    app.terminal.say(escapeForLine(`${agent} for ${subject}, recorded with version ${version}`, longestLine));
    showReport(app, report);
  }
  return report.isSame ? exitCodes.done.code : exitCodes.failed.code;
}
