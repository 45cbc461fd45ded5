/** The child's side of `run-children.ts`: tells that it has loaded, is told when to begin, and begins on the dot. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Waits for the common beginning and returns it. */
export async function startTogether(): Promise<number> {
  process.stdout.write('ready\n');
  const [begin] = (await once(process.stdin, 'data')) as [Buffer];
  process.stdin.destroy();
  const moment = Number(begin.toString());
  await wait(Math.max(0, moment - Date.now()));
  return moment;
}
