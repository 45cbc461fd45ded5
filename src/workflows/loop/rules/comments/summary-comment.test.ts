/** One summary for many logs: what was learned, what is open, and which logs it stands for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectInert, hostileWords, longWords, storyOf } from '../../../../../test/support/loop-comments.ts';
import {
  isSummaryDue,
  readCompactedSummary,
  type SummarizedLog,
  writeCompactedSummary,
} from './summary-comment.ts';
import { type TaskLogEvent, writeTaskLog } from './task-log.ts';

function logOf(fields: Partial<TaskLogEvent>, learnings: string, nextAttempt = ''): SummarizedLog {
  const event: TaskLogEvent = {
    ...{
      v: 1,
      type: 'task_log',
      issue: 42,
      taskId: 'US-001',
      taskUid: 'tsk_000000000001',
      status: 'pass',
      attempt: 1,
    },
    ...{ commit: '', verify: { passed: [], failed: [] }, discovered: [], ts: '2026-02-10T18:30:00Z' },
    ...fields,
  };
  const body = writeTaskLog({
    event,
    title: 'T',
    summary: 's',
    changes: [],
    verification: [],
    learnings,
    nextAttempt,
  });
  return { event, body };
}

const prd = { userStories: [storyOf({ passes: true }), storyOf({ passes: true }), storyOf()] };
const logs = [
  logOf({ status: 'fail' }, 'lost', 'Use `x_y`.'),
  logOf({ attempt: 2 }, 'Errors of foo_bar become 401 & stay.'),
  logOf(
    {
      taskId: 'US-002',
      taskUid: 'tsk_000000000002',
      status: 'fail',
      verify: { passed: [], failed: ['npm test'] },
    },
    '',
    'Mock the clock.',
  ),
];

describe('writeCompactedSummary', () => {
  const text = writeCompactedSummary({ logs, prd, supersedes: 'https://forge.example/1#c2' });

  it('says what it covers, what was decided and what is open', () => {
    expect(text).toContain('## 🧾 Compacted Summary\n\n**Covers:** 3 task logs  \n');
    expect(text).toContain('**Supersedes:** `https://forge.example/1#c2`');
    expect(text).toContain('**Progress:** 2 of 3 tasks passed (66 %)');
    expect(text).toContain('- US-001 (`tsk_000000000001`), attempt 2: passed\n');
    expect(text).toContain('### Decisions\n\n- US-001: Errors of foo\\_bar become 401 &amp; stay.\n');
    expect(text).toContain('### Open Risks\n\n- US-002 failed in attempt 1 (npm test): Mock the clock.\n');
  });

  it('is read back', () => {
    expect(readCompactedSummary(text)).toEqual({
      ...{ v: 1, type: 'compacted_summary', covers: 3, supersedes: 'https://forge.example/1#c2' },
      covered: logs.map(({ event: { taskId, taskUid, attempt, status } }) => ({
        taskId,
        taskUid,
        attempt,
        status,
      })),
      decisions: ['US-001: Errors of foo_bar become 401 & stay.'],
      openRisks: ['US-002 failed in attempt 1 (npm test): Mock the clock.'],
      progress: { passed: 2, total: 3, percent: 66 },
    });
  });

  it('takes over what the one before it said, as far as it still holds', () => {
    const stories = [1, 2, 3].map((place) => storyOf({ id: `US-00${place}`, passes: place === 1 }));
    const first = writeCompactedSummary({
      logs: [
        logOf({}, 'Old words.'),
        ...['US-002', 'US-003'].map((taskId) => logOf({ taskId, taskUid: '', status: 'fail' }, '')),
        logOf({ taskId: 'US-009', taskUid: '', status: 'fail' }, ''),
      ],
      prd: { userStories: stories },
    });
    const second = writeCompactedSummary({
      logs: [logOf({ taskId: 'US-002', taskUid: '', attempt: 2 }, 'New words.')],
      prd: { userStories: stories },
      supersedes: 'https://forge.example/1#c3',
      before: readCompactedSummary(first),
    });
    expect(readCompactedSummary(second)).toMatchObject({
      ...{ covers: 1, supersedes: 'https://forge.example/1#c3' },
      decisions: ['US-001: Old words.', 'US-002: New words.'],
      // US-002 was tried again, and US-009 is no task any more.
      openRisks: ['US-003 failed in attempt 1.'],
    });
  });

  it('is due after so many logs', () => {
    expect([4, 5, 6].map((count) => isSummaryDue(count, 5))).toEqual([false, true, true]);
    expect(isSummaryDue(9, 0)).toBe(false);
  });
});

describe('readCompactedSummary', () => {
  const text = writeCompactedSummary({ logs, prd });
  it.each([
    ['another kind', text.replace('🧾 Compacted Summary', '🪶 Wisp')],
    ['no JSON', text.replace('### Event JSON', '### Other')],
    ['broken JSON', text.replace('{"v":1', '{"v":')],
    ['another type', text.replace('"compacted_summary"', '"task_log"')],
    ['two of them', text + text.slice(text.indexOf('### Event JSON'))],
  ])('does not read %s', (_, body) => expect(readCompactedSummary(body)).toBeNull());
});

describe('for any words in logs', () => {
  it('a summary is read as it was written, and does nothing', () => {
    fc.assert(
      fc.property(hostileWords, hostileWords, (learnings, next) => {
        const some = [
          logOf({}, learnings),
          logOf({ taskId: 'US-002', taskUid: '', status: 'fail' }, '', next),
        ];
        const body = writeCompactedSummary({ logs: some, prd, supersedes: learnings });
        expect(readCompactedSummary(body)).toMatchObject({
          covers: 2,
          supersedes: learnings,
          progress: { percent: 66 },
        });
        expectInert(body, [
          '## 🧾 Compacted Summary',
          '### Covered Attempts',
          '### Decisions',
          '### Open Risks',
          '### Event JSON',
        ]);
      }),
      { numRuns: 120 },
    );
  });

  it('fits into a comment, however many logs it covers', () => {
    fc.assert(
      fc.property(longWords, (long) => {
        const many = Array.from({ length: 30 }, (_, index) =>
          logOf(
            { taskId: `US-${100 + index}`, taskUid: '', status: index % 2 === 0 ? 'pass' : 'fail' },
            `${index} ${long.slice(0, 3000)}`,
            long.slice(0, 3000),
          ),
        );
        const body = writeCompactedSummary({ logs: many, prd });
        expect(body.length).toBeLessThan(61_000);
        expect(readCompactedSummary(body)?.covers).toBe(30);
      }),
      { numRuns: 2 },
    );
  });
});
