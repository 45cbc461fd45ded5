/** The command line from words to exit code. */

import { escapeForTerminal } from '../../domain/text/untrusted-text.ts';
import { errorCatalogue, type GatewrightError, toGatewrightError } from '../../errors.ts';
import type { App } from './app.ts';
import { exitCodeOfError, exitCodes } from './exit-codes.ts';
import { helpCommandFor, type Parsed, parseCommandLine } from './table/parse.ts';
import type { Terminal } from './views/terminal.ts';

interface ErrorView {
  readonly isDebug: boolean;
  readonly asJson: boolean;
  readonly terminal: Terminal;
  /** The command that shows help on what was typed. */
  readonly helpCommand: string;
}

/**
 * After a wrong use of a command, the hint names the help to read. Where a run stopped, the hint names that run; where
 * none did, it speaks of none.
 */
function hintOf({ code, hint, stop }: GatewrightError, helpCommand: string): string {
  if (code === 'usage' && hint === errorCatalogue.usage.hint)
    return `See its arguments and options with: ${helpCommand}`;
  return stop === null
    ? hint.replace(/\bresume the run\b/u, 'try again')
    : hint.replaceAll(/\bRUN\b/gu, stop.run);
}

/** Shows a person, or a script, what went wrong and what to do about it. */
function reportError(error: unknown, view: ErrorView): number {
  const known = toGatewrightError(error);
  const { terminal } = view;
  const hint = hintOf(known, view.helpCommand);
  if (view.asJson) {
    terminal.printJson({
      error: {
        code: known.code,
        message: known.message,
        details: known.details,
        hint,
        retry: known.retry,
        ...(known.stop === null ? {} : { stop: known.stop }),
      },
    });
  } else {
    // What a person stopped themselves is no error.
    const mark = known.code === 'cancelled' ? '' : `${terminal.style(['red', 'bold'], 'Error:')} `;
    terminal.say(`${mark}${escapeForTerminal(known.message)}`);
    for (const line of known.details) terminal.say(`  - ${escapeForTerminal(line)}`);
    terminal.say(`${terminal.style('dim', 'What to do:')} ${escapeForTerminal(hint)}`);
    if (known.stop !== null && known.stop.resume !== '') {
      terminal.say(`${terminal.style('dim', 'Continue with:')} ${known.stop.resume}`);
    }
    terminal.say(terminal.style('dim', `(${known.code})`));
  }
  if (view.isDebug) terminal.say(escapeForTerminal(known.stack ?? ''));
  if (view.isDebug && known.cause instanceof Error) terminal.say(escapeForTerminal(known.cause.stack ?? ''));
  return exitCodeOfError(known.code, known.stop?.status ?? null);
}

/** Runs one command. The app is made only when a command needs it: help and version load nothing. */
export async function runCli(
  argv: readonly string[],
  terminal: Terminal,
  version: string,
  makeApp: (parsed: Parsed) => App,
): Promise<number> {
  const view = {
    isDebug: false,
    asJson: argv.includes('--json'),
    terminal,
    helpCommand: helpCommandFor(argv),
  };
  let app: App | null = null;
  try {
    const parsed = parseCommandLine(argv);
    if (parsed.given.flag('version')) {
      terminal.print(version);
      return exitCodes.done.code;
    }
    if (parsed.given.flag('help') || parsed.command === null) {
      const { helpText } = await import('./table/help.ts');
      const text = helpText(parsed.command, parsed.words, terminal.columns);
      if (parsed.given.flag('help')) terminal.print(text);
      else terminal.say(text);
      return parsed.given.flag('help') ? exitCodes.done.code : exitCodes.misused.code;
    }
    app = makeApp(parsed);
    const handler = await parsed.command.load();
    return await handler(app, parsed.given);
  } catch (error) {
    terminal.endWait();
    return reportError(error, { ...view, isDebug: app?.config.isDebug ?? false });
  }
}
