/** Starts several copies of a child script, for tests in which real processes compete. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** What a child needs of the environment, and nothing of the machine's own settings. */
export const childEnvironment = {
  PATH: process.env.PATH ?? '',
  NO_COLOR: '1',
  // The same scripts are started again and again: half of the time goes into reading their types away.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

function startChild(file: string, args: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], { env: childEnvironment });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const ended = once(child, 'close');
  // A child that fails while it loads is never ready; its end is what is waited for then.
  const ready = Promise.race([once(child.stdout, 'data'), ended]);
  return {
    ready,
    async finish(begin: number): Promise<{ code: unknown; stdout: string; stderr: string }> {
      child.stdin.on('error', () => undefined).end(String(begin));
      const [code] = await ended;
      return { code, ...output };
    },
  };
}

/**
 * Runs one child for each list of arguments and returns what each printed last, read as JSON. They begin together, when
 * all have loaded (see `start-together.ts`): one after the other they would prove nothing.
 */
export async function runChildren<T>(script: URL, argumentLists: readonly string[][]): Promise<T[]> {
  const children = argumentLists.map((args) => startChild(fileURLToPath(script), args));
  await Promise.all(children.map((child) => child.ready));
  const begin = Date.now() + 30;
  const results = await Promise.all(children.map((child) => child.finish(begin)));
  for (const result of results) expect(result, result.stderr).toMatchObject({ code: 0, stderr: '' });
  return results.map((result) => JSON.parse(result.stdout.split('\n').at(-1) ?? '') as T);
}
