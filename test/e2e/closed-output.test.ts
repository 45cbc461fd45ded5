/** The program that reads the output ends early, as `| head` does: a command that changes something still does all of it. */
import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground, programFile } from '../support/playground.ts';

let playground: Playground;
beforeEach(() => {
  playground = new Playground();
});
afterEach(() => playground.remove());

type Stream = 'stdout' | 'stderr';

/** Runs a command whose readers have gone before it writes its first line. */
function runUnread(args: readonly string[], closed: readonly Stream[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programFile, ...args], {
      cwd: playground.repository,
      env: { ...playground.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      if (closed.includes(stream)) child[stream].destroy();
      else child[stream].resume();
    }
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

describe.each([[['stdout']], [['stdout', 'stderr']]] as const)('with %j closed', (closed) => {
  it('init writes every file and makes every label', async () => {
    expect(await runUnread(['init', '--yes', '--forge', 'local'], closed)).toBe(0);
    const again = await playground.run(['init', '--yes']);
    expect(again.all).toContain('Nothing to do.');
  });

  it('a brief is filed, its lineage is moved and committed', async () => {
    expect(await runUnread(['issue', '--brief', 'ideas/active/export-csv.md', '--auto'], closed)).toBe(0);
    expect(playground.list('docs/lineage/done')).toHaveLength(1);
    expect(playground.git('status', '--porcelain')).toBe('');
    const runs = await playground.json<{ status: string }[]>(['runs']);
    expect(runs.map(({ status }) => status)).toEqual(['done']);
  });

  it('commands of the local forge do what they are asked, and tell of failures by their exit code', async () => {
    expect(await runUnread(['forge', 'issue', 'create', '--title', 'T', '--label', 'bug'], closed)).toBe(0);
    expect(await runUnread(['forge', 'issue', 'close', '1', '--comment', 'Done.'], closed)).toBe(0);
    const issue = await playground.json<{ state: string; comments: unknown[] }>([
      'forge',
      'issue',
      'view',
      '1',
    ]);
    expect(issue).toMatchObject({ state: 'closed' });
    expect(issue.comments).toHaveLength(1);
    expect(await runUnread(['forge', 'issue', 'view', '99'], closed)).toBe(1);
  });

  it('a command that only shows something ends as it would', async () => {
    for (const args of [['status'], ['runs'], ['--help'], ['config', 'show'], ['agents']])
      expect(await runUnread(args, closed), args.join(' ')).toBe(0);
  });
});

it('fails when results cannot be written to a full disk', async () => {
  const run = (line: string): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn('sh', ['-c', line, process.execPath, programFile], {
        cwd: playground.repository,
        env: { ...playground.environment },
        stdio: 'ignore',
      });
      child.once('exit', resolve);
    });
  expect(await run('"$0" "$1" init --yes --forge local > /dev/full')).toBe(1);
  expect((await playground.run(['init', '--yes'])).all).toContain('Nothing to do.');
  expect(await run('"$0" "$1" status > /dev/full')).toBe(1);
});
