/**
 * Runs a program of which nothing is left behind: neither after the time limit or an abort, nor when it ends by itself and
 * leaves children running, nor when we are told to end ourselves. Arguments are a list, never a shell.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

type Environment = Readonly<Record<string, string | undefined>>;

/** Those of the variables that are on a list. What is not on it, above all a token, stays with us. */
export function pickVariables(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export interface OwnedProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** All that it gets to see. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  /** Sent on file descriptor 3: unlike a variable, its own children do not inherit it. */
  readonly secret?: string;
  readonly limitMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when nothing of it runs any more, before it is judged. */
  readonly onEnd?: () => void;
  /** Called with each piece of standard output; nothing is kept here. */
  readonly onOutput: (chunk: Buffer) => void;
  /** Called with each piece of standard error, for those who want more of it than the end. */
  readonly onErrors?: (chunk: Buffer) => void;
}

export type OwnedExit =
  | {
      readonly kind: 'ended';
      /** Null when a signal ended it. */
      readonly code: number | null;
      /** The end of what it said on standard error. */
      readonly complaint: string;
    }
  | { readonly kind: 'not-started' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' };

/** Time to end by itself after it was asked to, so that it can end its own children. */
const grace = 1_000;
const longestComplaint = 2_000;
/**
 * A service manager may stop us and our children at the same moment, so a child may end before we get our own signal. A
 * child that failed is judged only after this time, in which our signal can arrive.
 */
const timeToHear = 100;

/**
 * Children that made a process group of their own are found by this variable, which all of them inherit. Only Linux lets
 * us look; elsewhere the process group has to do.
 */
const markName = 'GATEWRIGHT_PROCESS';

interface Family {
  readonly leader: number;
  readonly mark: string;
}

function signalProcess(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It is gone already, which is what was wanted.
  }
}

function findMarked(mark: string): number[] {
  const wanted = `${markName}=${mark}`;
  let ids: string[];
  try {
    ids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  } catch {
    return [];
  }
  return ids.flatMap((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(wanted) ? [Number(id)] : [];
    } catch {
      return [];
    }
  });
}

/** Passes of looking for children: one may start another while it is being looked for. */
const passes = 5;

function killFamily({ leader, mark }: Family): void {
  signalProcess(-leader, 'SIGKILL');
  for (let pass = 0; pass < passes; pass += 1) {
    const left = findMarked(mark);
    if (left.length === 0) return;
    for (const id of left) signalProcess(id, 'SIGKILL');
  }
}

const living = new Set<Family>();
const deaths = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function killAll(): void {
  for (const family of living) killFamily(family);
  living.clear();
}

function die(signal: NodeJS.Signals): void {
  killAll();
  unwatch();
  // Other listeners of this signal decide what this process does; without any, the signal has its usual effect.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function watch(family: Family): void {
  if (living.size === 0) {
    process.once('exit', killAll);
    for (const signal of deaths) process.on(signal, die);
  }
  living.add(family);
}

function unwatch(family?: Family): void {
  if (family !== undefined) living.delete(family);
  if (living.size > 0) return;
  process.removeListener('exit', killAll);
  for (const signal of deaths) process.removeListener(signal, die);
}

function start(options: OwnedProcess, mark: string): ChildProcess {
  return spawn(options.program, [...options.args], {
    cwd: options.folder,
    env: { ...options.environment, [markName]: mark },
    stdio: ['pipe', 'pipe', 'pipe', ...(options.secret === undefined ? [] : (['pipe'] as const))],
    // A process group of its own, which can be ended as a whole.
    detached: true,
  });
}

function send(stream: unknown, text: string): void {
  const writable = stream as Writable;
  // It may end before it has read everything; its output tells why.
  writable.on('error', () => undefined);
  writable.end(text);
}

export function runOwned(options: OwnedProcess): Promise<OwnedExit> {
  if (options.signal?.aborted === true) return Promise.resolve({ kind: 'aborted' });
  return new Promise((resolve) => {
    const mark = randomUUID();
    const child = start(options, mark);
    if (child.pid === undefined) {
      child.once('error', () => resolve({ kind: 'not-started' }));
      return;
    }
    child.on('error', () => undefined);
    const family = { leader: child.pid, mark };
    watch(family);
    const [output, errors] = [child.stdout as Readable, child.stderr as Readable];
    const timers: NodeJS.Timeout[] = [];
    const later = (milliseconds: number, work: () => void): void => {
      timers.push(setTimeout(work, milliseconds));
    };
    let stopped: 'timeout' | 'aborted' | null = null;
    let complaint = '';

    const finish = (): void => {
      killFamily(family);
      // Something that hid from us may still hold them open, and then "close" would never come.
      later(grace, () => {
        output.destroy();
        errors.destroy();
      });
    };
    const stop = (why: 'timeout' | 'aborted'): void => {
      if (stopped !== null) return;
      stopped = why;
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalProcess(-family.leader, 'SIGTERM');
      later(grace, finish);
    };
    const onAbort = (): void => stop('aborted');
    later(options.limitMilliseconds, () => stop('timeout'));
    options.signal?.addEventListener('abort', onAbort, { once: true });

    output.on('data', options.onOutput);
    const decoder = new StringDecoder('utf8');
    errors.on('data', (chunk: Buffer) => {
      options.onErrors?.(chunk);
      complaint += decoder.write(chunk);
      // A word that is cut in two could be half a secret, which the search for secrets would not recognise any more.
      if (complaint.length > longestComplaint)
        complaint = complaint.slice(-longestComplaint).replace(/^\S+/u, '');
    });
    child.once('exit', finish);
    child.once('close', (code) => {
      for (const timer of timers) clearTimeout(timer);
      unwatch(family);
      options.onEnd?.();
      const conclude = (): void => {
        options.signal?.removeEventListener('abort', onAbort);
        resolve(stopped === null ? { kind: 'ended', code, complaint } : { kind: stopped });
      };
      if (stopped !== null || code === 0 || options.signal === undefined) conclude();
      else setTimeout(conclude, timeToHear);
    });
    send(child.stdin, options.input);
    if (options.secret !== undefined) send(child.stdio[3], options.secret);
  });
}
