/** Something that goes wrong at the test GitHub. */
import { setTimeout } from 'node:timers/promises';

/** What happens to the next request that it fits. */
export interface Fault {
  readonly method?: string;
  readonly path?: RegExp;
  /** How many requests that it fits pass before it happens. */
  readonly after?: number;
  /** How many requests it happens to; once if it does not say. */
  readonly times?: number;
  /** Answered instead of doing anything. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** Why GitHub itself would not answer so. What does not say it is held to what GitHub publishes. */
    readonly deviates?: string;
  };
  /** The connection breaks: before anything was done, or after it was done and before anybody was told. */
  readonly reset?: 'before' | 'after';
  /** How long it takes before anything is done about it. */
  readonly milliseconds?: number;
  /** Called when it happens. */
  readonly onHit?: () => void;
}

/** What GitHub puts into every refusal, for faults that do not write it down. */
export function completeFault(status: number, body: unknown): unknown {
  if (status === 301 || status === 307) return body ?? { message: 'Moved Permanently' };
  const { message, ...others } = (body ?? { message: 'Fault' }) as { message?: unknown };
  if (status < 400 || typeof message !== 'string') return body;
  return { message, documentation_url: 'https://docs.github.com/rest', ...others };
}

export async function pauseFor(fault: Fault | null): Promise<void> {
  if (fault?.milliseconds !== undefined) await setTimeout(fault.milliseconds);
}
