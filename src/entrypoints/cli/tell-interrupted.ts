/** Says how to go on when a signal ends the program in the middle of a run. The signal then has its usual effect. */
import type { Terminal } from './views/terminal.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

export interface InterruptNote {
  /** From here on there is something to resume; null: nothing was begun that could be. */
  set(resume: string | null): void;
}

export async function tellInterrupted<T>(
  terminal: Terminal,
  work: (note: InterruptNote) => Promise<T>,
): Promise<T> {
  let resume: string | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    close();
    terminal.endWait();
    terminal.clearLine();
    const how = signal === 'SIGINT' ? 'Stopped by you' : `Stopped by the signal ${signal}`;
    if (resume !== null) terminal.say(`${how}; nothing is lost.\nContinue with: ${resume}`);
    process.kill(process.pid, signal);
  };
  const close = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work({
      set: (command) => {
        resume = command;
      },
    });
  } finally {
    close();
  }
}
