import { expect, it } from 'vitest';
import { parseTape, type SessionsTape, type Tape, type TapeLine } from '../../domain/recordings/tape.ts';
import { exportTape } from './export-tape.ts';

const head = {
  version: '0.1.0',
  run: '01J9ZC6T3N8Q4V7X2M5K0B1RWD',
  agent: 'reviewer',
  subject: 'acme/project#1',
  request: {},
  event: {},
  own: 'gatewright[bot]',
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: {},
} as const;

function exportSaid(said: string, ...folders: readonly (readonly [string, string])[]): string {
  const call = { at: 0, port: 'forge', method: 'getIssue', args: ['acme/project', 1], value: { body: said } };
  const lines: readonly TapeLine[] = [{ head }, { call }];
  const text = exportTape(
    head.run,
    [lines],
    folders.map(([path, name]) => ({ path, name })),
  );
  const [taped] = (parseTape(text, 'this') as Tape).calls;
  const { body } = (taped?.value ?? {}) as { readonly body?: string };
  return body ?? '';
}

it.each([
  ['/home/my user', 'in /home/my user/a', 'in /H/a'],
  ['/home/ü@x', '/home/ü@x', '/H'],
  ['/home/a+b (c)[d]', 'x/home/a+b (c)[d]/e', 'x/H/e'],
  ['/home/al', '/home/alice and /home/al', '/home/alice and /H'],
  ['/home/al', '/home/al.bak /home/al-x /home/al"', '/home/al.bak /home/al-x /H"'],
])('the folder %s has another name', (folder, said, expected) => {
  expect(exportSaid(said, [folder, '/H'])).toBe(expected);
});

it('a folder inside of another is named first', () => {
  expect(exportSaid('/home/a/repo/x /home/a/y', ['/home/a', '/H'], ['/home/a/repo', '/R'])).toBe('/R/x /H/y');
});

it('keys in the forms of providers are hidden, everywhere by the same word', () => {
  const key = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6'}`;
  expect(exportSaid(`use ${key}, again ${key}`)).toBe('use [hidden], again [hidden]');
});

it('a run without a tape, or with one that was cut, says so', () => {
  expect(() => exportTape(head.run, [], [])).toThrow('No tape of the run');
  expect(() => exportTape(head.run, [[{ head }, 'cut']], [])).toThrow('too long for its tape');
});

it('a recording that is nested too deeply is refused by name', () => {
  const text = `{"format":"gatewright-tape/1","x":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;
  expect(() => parseTape(text, 'deep')).toThrow('nested too deeply');
});

it('every session of a workflow is in the recording, up to where its tape was cut', () => {
  const { run, subject, version } = head;
  const session = { version, run, workflow: 'loop', subject, data: {}, place: null } as const;
  const call = { at: 0, port: 'clock', method: 'now', args: [], value: 1 };
  const lines: readonly (readonly TapeLine[])[] = [
    [{ head: session }, { call }, { end: { value: null } }],
    // The process ended before it had begun.
    [],
    [{ head: { ...session, place: { node: 'plan', state: {} } } }, { call }, 'cut'],
  ];
  const { sessions } = parseTape(exportTape(run, lines, []), 'this') as SessionsTape;
  expect(sessions.map(({ head: { place }, end }) => [place?.node ?? null, end])).toEqual([
    [null, { value: null }],
    ['plan', null],
  ]);
});
