/**
 * Ctrl-C and the signal of a service manager stop the runs so that they can be resumed; a second one ends everything at
 * once.
 */

export interface StopListener {
  readonly signal: AbortSignal;
  /** Stops the runs for another reason than a signal. */
  stop(): void;
  /** Signals have their usual meaning again. */
  close(): void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

export function listenForStop(say: (text: string) => void): StopListener {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    // First: the end of a child that died by the same signal is reported only after this.
    stop.abort();
    say('Stopping. Runs are saved; the next start resumes them. Ctrl-C again ends it now.');
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: stop.signal,
    stop: () => stop.abort(),
    close: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
