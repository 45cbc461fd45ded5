/**
 * Commands of a project that end together with us. A command that ended because our process was stopped says nothing
 * about the project: its caller gets the error `cancelled`, and the ledger gets no entry about the command.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewrightError } from '../../errors.ts';
import type { CommandRunner } from '../../ports/command-runner.ts';

/**
 * A service manager or a terminal may send its signal to all processes at once. A command may then end before the
 * signal reaches our own process, and may even report success.
 */
const timeToHear = 100;

function cancelledError(): GatewrightError {
  return new GatewrightError('cancelled', 'A person stopped the program; the run is saved.');
}

export function stopCommandsWith(commands: CommandRunner, signal: AbortSignal | undefined): CommandRunner {
  if (signal === undefined) return commands;
  return {
    async run(request) {
      if (signal.aborted) throw cancelledError();
      // The time begins when the command has ended, and passes while the runner tidies up after it.
      let heard: Promise<void> | null = null;
      const hear = (): Promise<void> => {
        heard ??= sleep(timeToHear, undefined, { signal }).catch(() => undefined);
        return heard;
      };
      const result = await commands.run({ ...request, signal, onEnd: () => void hear() });
      await hear();
      if (signal.aborted) throw cancelledError();
      return result;
    },
  };
}
