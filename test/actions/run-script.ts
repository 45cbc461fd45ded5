/** Runs the script of a step as GitHub's runner does: a file for a shell, in a process group of its own that ends with it. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ScriptEnd = { readonly code: number } | { readonly stopped: 'timeout' | 'cancelled' | 'killed' };

interface Script {
  readonly text: string;
  /** As in the file; undefined where the file says nothing. */
  readonly shell: string | undefined;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly scratch: string;
  readonly id: string;
  readonly milliseconds: number;
  readonly onLine: (line: string) => void;
  /** How the script is stopped from outside: politely, or as when a machine goes away. */
  readonly stop: AbortSignal;
}

/** What a stopped script has to end in peace. GitHub grants ten seconds in all. */
const patience = 2_000;

const shells: Readonly<Record<string, readonly string[]>> = {
  '': ['bash', '-e'],
  bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
  sh: ['sh', '-e'],
};

export async function runScript(script: Script): Promise<ScriptEnd> {
  const words = shells[script.shell ?? ''];
  if (words === undefined) throw new Error(`The runner has no shell "${script.shell}".`);
  mkdirSync(script.scratch, { recursive: true });
  const file = join(script.scratch, `${script.id}.sh`);
  writeFileSync(file, script.text);
  const [program = '', ...more] = words;
  const child = spawn(program, [...more, file], {
    cwd: script.cwd,
    env: script.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stopped: 'timeout' | 'cancelled' | 'killed' | null = null;
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  const timers: NodeJS.Timeout[] = [];
  const end = (why: 'timeout' | 'cancelled' | 'killed'): void => {
    stopped ??= why;
    if (why !== 'killed') signal('SIGINT');
    timers.push(setTimeout(() => signal('SIGKILL'), why === 'killed' ? 0 : patience));
  };
  const onStop = (): void => end(script.stop.reason === 'killed' ? 'killed' : 'cancelled');
  if (script.stop.aborted) onStop();
  script.stop.addEventListener('abort', onStop, { once: true });
  timers.push(setTimeout(() => end('timeout'), script.milliseconds));
  const outputs = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) script.onLine(line);
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (given) => {
      // What it left behind would keep the output open, and does not outlive the job on GitHub either.
      timers.push(setTimeout(() => signal('SIGKILL'), 100));
      resolve(given ?? 1);
    });
  });
  await Promise.all(outputs);
  for (const timer of timers) clearTimeout(timer);
  signal('SIGKILL');
  script.stop.removeEventListener('abort', onStop);
  return stopped === null ? { code } : { stopped };
}
