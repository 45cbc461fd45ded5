/** The log of an attempt: read as it was written, whatever an agent or a command wrote into it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectInert, hostileWords, longWords } from '../../../../../test/support/loop-comments.ts';
import { commentPrefixes } from './prefixes.ts';
import { fitEvent, readTaskLog, type TaskLogEvent, type TaskLogInput, writeTaskLog } from './task-log.ts';

const event: TaskLogEvent = {
  v: 1,
  type: 'task_log',
  issue: 42,
  taskId: 'US-003',
  taskUid: 'tsk_a1b2c3d4e5f6',
  status: 'pass',
  attempt: 2,
  commit: 'abc1234',
  verify: { passed: ['npm run typecheck'], failed: [] },
  search: { queries: ['rg -n "auth" src', 'rg -n "token" src'], filesInspected: ['src/auth.ts'] },
  discovered: [],
  ts: '2026-02-10T18:30:00Z',
};

const input: TaskLogInput = {
  event,
  title: 'Create auth middleware',
  summary: 'Added the middleware.',
  changes: [{ path: 'src/auth.ts', what: 'reads the header' }],
  verification: [{ command: 'npm run typecheck', isPassed: true }],
  learnings: 'Errors of `jsonwebtoken` become 401.',
  nextAttempt: '',
};

const documentJson =
  '{"v":1,"type":"task_log","issue":42,"taskId":"US-003","taskUid":"tsk_a1b2c3d4e5f6","status":"pass","attempt":2,"commit":"abc1234","verify":{"passed":["npm run typecheck"],"failed":[]},"search":{"queries":["rg -n \\"auth\\" src","rg -n \\"token\\" src"],"filesInspected":["src/auth.ts"]},"discovered":[],"ts":"2026-02-10T18:30:00Z"}';

const documentHead = [
  '## 📝 Task Log: US-003 - Create auth middleware',
  '',
  '**Status:** ✅ Passed',
  '**Attempt:** 2',
  '**Timestamp:** 2026-02-10 18:30 UTC',
  '**Commit:** abc1234',
];
const documentSections = [
  ...[
    '',
    '### Summary',
    'Added the middleware.',
    '',
    '### Changes Made',
    '- `src/auth.ts` - reads the header',
  ],
  ...['', '### Verification Results', '```', '✓ npm run typecheck', '```'],
  ...['', '### Learnings', 'Errors of `jsonwebtoken` become 401.'],
];

describe('writeTaskLog', () => {
  it('has the layout of the document', () => {
    const lines = [
      ...documentHead,
      ...documentSections,
      '',
      '### Event JSON',
      '```json',
      documentJson,
      '```',
      '',
    ];
    expect(writeTaskLog(input)).toBe(lines.join('\n'));
  });

  it('tells of a failure what the next attempt should do and what the command printed', () => {
    const text = writeTaskLog({
      ...input,
      event: { ...event, status: 'fail', commit: '', verify: { passed: [], failed: ['npm test'] } },
      verification: [{ command: 'npm test', isPassed: false, output: '1 failing\n```\n## Task' }],
      nextAttempt: 'Mock the clock.',
      notes: ['warn: no search queries'],
    });
    expect(text).toContain('**Status:** ❌ Failed\n**Attempt:** 2\n');
    expect(text).not.toContain('**Commit:**');
    expect(text).toContain(
      '```\n✗ npm test\n```\n\n`npm test` printed:\n\n````text\n1 failing\n```\n## Task\n````\n',
    );
    expect(text).toContain('### Next Attempt Should\nMock the clock.\n\n### Event JSON\n');
    expect(text).toContain('### Notes\n- warn: no search queries\n');
  });

  it('uses the prefix of the configuration', () => {
    const prefixes = { ...commentPrefixes, taskLog: '## Attempt' };
    const text = writeTaskLog(input, prefixes);
    expect(text).toMatch(/^## Attempt US-003 - Create/u);
    expect(readTaskLog(text, 0, prefixes)?.event).toEqual(event);
    expect(readTaskLog(text)).toBeNull();
  });
});

describe('readTaskLog', () => {
  const whole = (json: string, before: readonly string[] = documentSections): string =>
    [...documentHead, ...before, '', '### Event JSON', '```json', json, '```'].join('\n');

  it("reads the document's example", () => {
    expect(readTaskLog(whole(documentJson))).toEqual({ event, from: 'json' });
    expect(readTaskLog(whole(documentJson).replaceAll('\n', '\r\n'))).toEqual({ event, from: 'json' });
  });

  it('ignores JSON that stands elsewhere', () => {
    const other = ['', '### Summary', '```json', documentJson.replace('"attempt":2', '"attempt":7'), '```'];
    expect(readTaskLog(whole(documentJson, other))?.event.attempt).toBe(2);
    const quoted = ['', '### Summary', '````', '### Event JSON', '```json', '{}', '```', '````'];
    expect(readTaskLog(whole(documentJson, quoted))?.event).toEqual(event);
    const inQuote = ['', '### Summary', '> ### Event JSON', '> ```json', '> {}', '> ```'];
    expect(readTaskLog(whole(documentJson, inQuote))?.event).toEqual(event);
    const inList = ['', '### Summary', '- ### Event JSON', '  ```json', '  {}', '  ```'];
    expect(readTaskLog(whole(documentJson, inList))?.event).toEqual(event);
    const inHtml = ['', '### Summary', '<!--', '### Event JSON', '```json', '{}', '```', '-->'];
    expect(readTaskLog(whole(documentJson, inHtml))?.event).toEqual(event);
  });

  it.each([
    ['no JSON', whole('status: pass')],
    ['a list', whole('[]')],
    ['another version', whole(documentJson.replace('"v":1', '"v":2'))],
    ['another type', whole(documentJson.replace('task_log', 'review_log'))],
    ['another task than the heading', whole(documentJson.replace('US-003', 'US-004'))],
    ['a commit that is none', whole(documentJson.replace('abc1234', '--output=x'))],
    ['a uid that is none', whole(documentJson.replace('tsk_a1b2c3d4e5f6', 'tsk_x'))],
    [
      'two sections of Event JSON',
      `${whole(documentJson)}\n\n### Event JSON\n\`\`\`json\n${documentJson}\n\`\`\``,
    ],
    ['two blocks', `${whole(documentJson)}\n\`\`\`json\n${documentJson}\n\`\`\``],
    ['no log at all', 'hello'],
    [
      'a heading without a task',
      whole(documentJson).replace('US-003 - Create auth middleware', 'everything'),
    ],
    ['more than a comment can hold', `${whole(documentJson)}\n${'x'.repeat(70_000)}`],
  ])('does not read one with %s', (_, body) => expect(readTaskLog(body)).toBeNull());

  it('falls back to the fields of a log without Event JSON', () => {
    const old = [...documentHead, ...documentSections].join('\n');
    const read = { ...event, issue: 7, taskUid: '', ts: '2026-02-10T18:30:00.000Z' };
    const { search: _, ...fields } = read;
    expect(readTaskLog(old, 7)).toEqual({ event: fields, from: 'markdown' });
    const failed = old.replace('✅ Passed', 'Failed').replace('✓ npm', '❌ npm');
    expect(readTaskLog(failed)?.event).toMatchObject({
      status: 'fail',
      commit: '',
      verify: { passed: [], failed: ['npm run typecheck'] },
    });
  });

  it('takes fields from under the heading only, each once', () => {
    const old = ['## 📝 Task Log: US-003', '**Attempt:** 1', '**Timestamp:** 2026-02-10', '### Summary'];
    expect(readTaskLog([...old, '**Status:** ✅ Passed'].join('\n'))).toBeNull();
    const twice = [...documentHead, '**Status:** ❌ Failed'].join('\n');
    expect(readTaskLog(twice)).toBeNull();
  });
});

const words = hostileWords.map((text) => text.slice(0, 240));
const list = fc.array(words, { maxLength: 3 });
const anyEvent: fc.Arbitrary<TaskLogEvent> = fc.record(
  {
    v: fc.constant(1 as const),
    type: fc.constant('task_log' as const),
    issue: fc.nat(100_000),
    taskId: fc.nat(999_999).map((number) => `US-${String(number).padStart(3, '0')}`),
    taskUid: fc.constantFrom('', 'tsk_0123456789ab'),
    status: fc.constantFrom('pass' as const, 'fail' as const),
    attempt: fc.nat(100),
    commit: fc.constantFrom('', 'abcdef1', 'a'.repeat(40)),
    verify: fc.record({ passed: list, failed: list }),
    search: fc.record({ queries: list, filesInspected: list }),
    discovered: fc.array(
      fc.record({
        title: words.filter((text) => text !== ''),
        description: words,
        acceptanceCriteria: list,
        verifyCommands: list,
        files: list,
      }),
      { maxLength: 2 },
    ),
    ts: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((at) => at.toISOString()),
    verifyTier: fc.constantFrom('fast' as const, 'full' as const),
    contextManifest: fc.record({ hash: words, algorithm: words }),
    testIntent: fc.array(fc.record({ test: words, why: words }), { maxLength: 2 }),
    patterns: fc.array(
      fc.record({ statement: words, scope: words, files: list, confidence: fc.constantFrom(0, 0.5, 1) }),
      { maxLength: 2 },
    ),
  },
  {
    requiredKeys: [
      'v',
      'type',
      'issue',
      'taskId',
      'taskUid',
      'status',
      'attempt',
      'commit',
      'verify',
      'discovered',
      'ts',
    ],
  },
);
const inputOf = (text: fc.Arbitrary<string>): fc.Arbitrary<TaskLogInput> =>
  fc.record({
    event: anyEvent,
    title: text,
    summary: text,
    changes: fc.array(fc.record({ path: text, what: text }), { maxLength: 3 }),
    verification: fc.array(fc.record({ command: text, isPassed: fc.boolean(), output: text }), {
      maxLength: 3,
    }),
    learnings: text,
    nextAttempt: text,
    notes: fc.array(text, { maxLength: 2 }),
  });

function expectSame(log: TaskLogInput): void {
  const body = writeTaskLog(log);
  expect(readTaskLog(body)).toEqual({ event: log.event, from: 'json' });
  // As some forges store it.
  expect(readTaskLog(body.replaceAll('\n', '\r\n').trimEnd())?.event).toEqual(log.event);
  const title = /^## 📝 Task Log: \S+ - .+/u.exec(body)?.[0] ?? '';
  expect(title).not.toBe('');
  const lines = body.split('\n').filter((line) => /^#{1,6} /u.test(line));
  const wanted = ['### Summary', '### Changes Made', '### Verification Results'];
  if ((log.notes ?? []).length > 0) wanted.push('### Notes');
  wanted.push('### Learnings');
  if (log.event.status === 'fail') wanted.push('### Next Attempt Should');
  expect(lines.filter((line) => wanted.includes(line)).slice(0, 3)).toEqual(wanted.slice(0, 3));
}

describe('for any words of agents and commands', () => {
  it('a log is read as it was written', () => {
    fc.assert(fc.property(inputOf(hostileWords), expectSame), { numRuns: 150 });
  });

  it('no word of them does anything, and the headings are ours', () => {
    fc.assert(
      fc.property(inputOf(hostileWords), (log) => {
        const body = writeTaskLog({ ...log, title: 'Title' });
        expectInert(body, [
          `## 📝 Task Log: ${log.event.taskId} - Title`,
          ...['### Summary', '### Changes Made', '### Verification Results'],
          ...((log.notes ?? []).length > 0 ? ['### Notes'] : []),
          '### Learnings',
          ...(log.event.status === 'fail' ? ['### Next Attempt Should'] : []),
          '### Event JSON',
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('a title ends neither its line nor the heading', () => {
    fc.assert(
      fc.property(hostileWords, (title) => {
        const body = writeTaskLog({ ...input, title });
        expect(body.split('\n').slice(1)).toEqual(writeTaskLog(input).split('\n').slice(1));
        expect(readTaskLog(body)?.event).toEqual(event);
      }),
      { numRuns: 150 },
    );
  });

  it('a log that is far too long fits, and is read', () => {
    fc.assert(
      fc.property(inputOf(longWords), longWords, (log, long) => {
        const many = Array.from({ length: 80 }, () => long.slice(0, 3000));
        const big: TaskLogEvent = { ...log.event, verify: { passed: many, failed: many } };
        const body = writeTaskLog({ ...log, event: big });
        expect(body.length).toBeLessThan(61_000);
        expect(readTaskLog(body)?.event).toEqual(fitEvent(big));
        expect(fitEvent(fitEvent(big))).toEqual(fitEvent(big));
      }),
      { numRuns: 3 },
    );
  });
});
