/** The small rules of the runner: patterns of branches, files of commands, the log, permissions, lines that are full. */
import { describe, expect, it } from 'vitest';
import { readPairs } from './command-files.ts';
import { ConcurrencyGroups, longestQueue } from './concurrency-groups.ts';
import { JobLog } from './job-log.ts';
import { grantJob } from './job-permissions.ts';
import { matchesBranch } from './match-event.ts';

it.each<[string[], string, boolean]>([
  [['main'], 'main', true],
  [['main'], 'maintenance', false],
  [['releases/*'], 'releases/1', true],
  [['releases/*'], 'releases/1/2', false],
  [['releases/**'], 'releases/1/2', true],
  [['**', '!main'], 'main', false],
  [['!main', '**'], 'main', true],
  [['v[12].x'], 'v2.x', true],
  [['v1.x'], 'v10x', false],
])('%j and %s: %s', (patterns, branch, is) => {
  expect(matchesBranch(patterns, branch)).toBe(is);
});

describe('a file of commands', () => {
  it('has values of one line and of several', () => {
    const text = 'a=b=c\n\nb<<END\none\nx=y\nEND\n__proto__=x\n';
    expect(Object.entries(readPairs(text))).toEqual([
      ['a', 'b=c'],
      ['b', 'one\nx=y'],
      ['__proto__', 'x'],
    ]);
  });

  it.each(['a', '=b', 'a<<END\nb', 'a<<\nb'])('is refused: %j', (text) => {
    expect(() => readPairs(text)).toThrow(/Invalid/u);
  });
});

describe('a log', () => {
  it('hides secrets in their usual forms (not the padding of base64), and what a step asks to hide', () => {
    const log = new JobLog();
    log.mask('line "one"\nline two');
    for (const line of [
      'x line two x',
      'line \\"one\\"',
      Buffer.from('line two').toString('base64'),
      '::add-mask::word4',
      'word4',
    ])
      log.add(line);
    expect(log.text).toBe('x *** x\n***\n***=\n::add-mask::***\n***\n');
  });

  it('obeys no command while a step has stopped them', () => {
    const log = new JobLog();
    for (const line of [
      '::stop-commands::t0ken',
      '::error::no',
      '::t0ken::',
      '::warning::yes',
      '::set-output name=a::b',
    ])
      log.add(line);
    expect(log.annotations.map(({ message }) => message)).toEqual(['yes']);
    expect(log.unknown).toEqual(['set-output']);
  });
});

it('a job has what it declares, and else what its workflow or the repository says', () => {
  const usual = { workflow: undefined, job: undefined, default: 'read', isFork: false } as const;
  expect(grantJob(usual)).toEqual({ metadata: 'read', contents: 'read', packages: 'read' });
  expect(grantJob({ ...usual, workflow: {} })).toEqual({ metadata: 'read' });
  expect(
    grantJob({ ...usual, workflow: { issues: 'write' }, job: { contents: 'read', issues: 'none' } }),
  ).toEqual({
    metadata: 'read',
    contents: 'read',
  });
  const fork = grantJob({ ...usual, job: { issues: 'write', 'id-token': 'write' }, isFork: true });
  expect(fork).toEqual({ metadata: 'read', issues: 'read' });
});

it('a line that is full takes no more', async () => {
  const groups = new ConcurrencyGroups();
  const wish = { group: 'g', queue: 'max', isCancelling: false, cancel: () => undefined };
  const leave = await groups.enter(wish);
  const waiting = Array.from({ length: longestQueue }, () => groups.enter(wish));
  expect(await groups.enter(wish)).toBeNull();
  expect(groups.waiting).toBe(longestQueue);
  leave?.();
  for (const one of waiting) (await one)?.();
  expect(groups.waiting).toBe(0);
});
