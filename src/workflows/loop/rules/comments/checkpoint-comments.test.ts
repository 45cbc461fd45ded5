/** The comments that stop for a person, and the final report: each way to go on is named, and no word does anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyPrd,
  anyStories,
  expectInert,
  hostileWords,
  storyOf,
} from '../../../../../test/support/loop-comments.ts';
import {
  writeDebugBlocked,
  writeDebugFixed,
  writeDebugSession,
  writeReplanCheckpoint,
  writeTaskBlocked,
  writeTestingCheckpoint,
} from './checkpoint-comments.ts';
import { describeTime, type FinalFigures, writeFinalReport } from './final-report.ts';
import { kindOfComment } from './prefixes.ts';

const prd = {
  userStories: [storyOf(), storyOf({ id: 'US-002', title: 'Add the page' })],
  globalVerifyCommands: ['npm run lint'],
};
const report = { type: 'Error', location: 'US-002', description: 'It crashes.', by: 'alice' };

describe('checkpoints', () => {
  it('replan says why and how to go on', () => {
    const text = writeReplanCheckpoint({
      reason: 'US-003 failed twice in a row.',
      handle: 'gatewright',
      issue: 42,
    });
    expect(kindOfComment(text)).toBe('replanCheckpoint');
    expect(text).toContain('US-003 failed twice in a row.');
    expect(text).toContain('`gatewright loop replan 42 --change "…"`');
    expect(text).toContain('`replan_required`');
  });

  it('blocked names the tasks that failed and those that wait', () => {
    const exhausted = [storyOf({ id: 'US-003', attempts: 3 })];
    const waiting = [storyOf({ id: 'US-004', dependsOn: ['US-003'] })];
    const text = writeTaskBlocked({ exhausted, waiting, handle: 'gatewright', issue: 42 });
    expect(text).toContain('## 🚫 Task Blocked: US-003\n');
    expect(text).toContain('- US-003: Add one endpoint (3 attempts)');
    expect(text).toContain('- US-004: Add one endpoint (after US-003)');
    expect(text).toContain('`gatewright loop skip 42 US-003 --reason "…"`');
    expect(kindOfComment(text)).toBeNull();
  });

  it('testing asks the three questions of the document and takes its three answers', () => {
    const verified = [{ command: 'npm test', isPassed: true }];
    const text = writeTestingCheckpoint({
      prd,
      branch: 'ai/issue-42-x',
      issue: 42,
      verified,
      handle: 'claude',
    });
    expect(kindOfComment(text)).toBe('testingCheckpoint');
    expect(text).toContain('🎉 ALL TASKS PASSING');
    expect(text).toContain('Behavior / Error / Missing / Visual / Other');
    for (const answer of ['works', 'issue', 'later'])
      expect(text).toContain(`\`gatewright loop testing 42 ${answer}\``);
    expect(text).toContain('- US-002: Add the page');
    expect(text).toContain('```\n✓ npm test\n```');
  });

  it('debugging tells of the report, of the fix and of the end', () => {
    const session = writeDebugSession({ ...report, attempt: 1, most: 3 });
    expect(kindOfComment(session)).toBe('debugSession');
    expect(session).toContain('**Attempt:** 1 of 3');
    expect(session).toContain('**Location:** US-002');
    const verified = [{ command: 'npm test', isPassed: true }];
    const fixed = writeDebugFixed({
      attempt: 2,
      commit: 'a'.repeat(40),
      summary: 'Mended it.',
      verified,
      handle: 'claude',
      issue: 42,
    });
    expect(kindOfComment(fixed)).toBe('debugFixed');
    expect(fixed).toContain('**Commit:** `aaaaaaaaaaaa`');
    const blocked = writeDebugBlocked({
      attempts: 3,
      failures: ['"npm test" fails.'],
      handle: 'gatewright',
      issue: 42,
    });
    expect(kindOfComment(blocked)).toBe('debugBlocked');
    expect(blocked).toContain('- "npm test" fails.');
  });
});

const judged = [
  { task: 'US-001', attempt: 1, passed: false, commit: null, reasons: ['"npm test" fails.'] },
  { task: 'US-001', attempt: 2, passed: true, commit: 'b'.repeat(40), reasons: [] },
];
const figures: FinalFigures = {
  judged,
  skipped: [{ task: 'US-002', by: 'alice', why: 'done by hand' }],
  costUsd: 1.234,
  milliseconds: 4_000_000,
  prd: { ...prd, userStories: [storyOf({ passes: true }), storyOf({ id: 'US-002', passes: true })] },
  branch: 'ai/issue-42-x',
};

describe('writeFinalReport', () => {
  it('has the figures', () => {
    const text = writeFinalReport(figures);
    expect(kindOfComment(text)).toBe('finalReport');
    expect(text).toContain('**Tasks:** 2 of 2 passed');
    expect(text).toContain('**Attempts:** 2, 1 of them failed');
    expect(text).toContain('**Time:** 1 h 6 min');
    expect(text).toContain('**Cost:** $1.23');
    expect(text).toContain('| US-001 | Add one endpoint | ✅ passed | 2 | `bbbbbbbbbbbb` |');
    expect(text).toContain('| US-002 | Add one endpoint | ☑️ by a person | 0 | – |');
    expect(text).toContain('- US-002 by `alice`: done by hand');
    expect(text).toContain('- US-001, attempt 1: "npm test" fails.');
    expect(text).toContain('```sh\nnpm test\nnpm run lint\n```');
  });

  it.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [86_400_000 * 2 + 3_600_000, '2 d 1 h'],
  ])('%d ms are %s', (milliseconds, text) => expect(describeTime(milliseconds)).toBe(text));
});

describe('for any words', () => {
  it('no comment does anything', () => {
    const words = hostileWords;
    const list = fc.array(words, { maxLength: 3 });
    fc.assert(
      fc.property(anyPrd, anyStories, words, list, (any, stories, text, some) => {
        const verified = some.map((command) => ({ command, isPassed: false }));
        const handle = 'gatewright';
        expectInert(writeReplanCheckpoint({ reason: text, handle, issue: 42 }), [
          '## 🔁 Replan Checkpoint',
          '### How to go on',
        ]);
        expectInert(writeTaskBlocked({ exhausted: stories, waiting: stories, handle, issue: 42 }), [
          '## 🚫 Task Blocked: US-001',
          '### How to go on',
        ]);
        expectInert(
          writeTestingCheckpoint({ prd: any, branch: text, issue: 1, verified, handle: 'claude' }),
          [
            ...[
              '## 🧪 Testing Checkpoint',
              '### What was done',
              '### Verification Results',
              '### How to answer',
            ],
          ],
        );
        const all = { type: text, location: text, description: text, by: text };
        expectInert(writeDebugSession({ ...all, attempt: 1, most: 3 }), [
          '## 🔧 Debug Session',
          '### Description',
        ]);
        expectInert(
          writeDebugFixed({ attempt: 1, commit: text, summary: text, verified, handle: 'claude', issue: 42 }),
          [...['## ✅ Debug Fix Applied', '### Summary', '### Verification Results']],
        );
        expectInert(writeDebugBlocked({ attempts: 3, failures: some, handle, issue: 42 }), [
          '## 🚫 Debug Blocked',
          '### How to go on',
        ]);
        const skipped = some.map((why) => ({ task: why, by: why, why }));
        const tried = some.map((why) => ({
          task: why,
          attempt: 1,
          passed: false,
          commit: why,
          reasons: some,
        }));
        expectInert(writeFinalReport({ ...figures, judged: tried, skipped, prd: any, branch: text }), [
          ...['## 📊 Final Report', '### Tasks'],
          ...(some.length > 0 ? ['### Passed by the word of a person', '### Failed attempts'] : []),
          '### Verified by',
        ]);
      }),
      { numRuns: 25 },
    );
  });

  it('no comment is too long for a forge', () => {
    const long = '\u{E0001}@a#1`<!-- '.repeat(20_000);
    const many = Array.from({ length: 120 }, () => long);
    const stories = many.map(() => storyOf({ title: long, verifyCommands: [long.slice(0, 2000)] }));
    const verified = many.map((command) => ({ command, isPassed: true }));
    const handle = 'gatewright';
    for (const text of [
      writeReplanCheckpoint({ reason: long, handle, issue: 42 }),
      writeTaskBlocked({ exhausted: stories, waiting: stories, handle, issue: 42 }),
      writeTestingCheckpoint({
        prd: { userStories: stories },
        branch: long,
        issue: 1,
        verified,
        handle: 'claude',
      }),
      writeDebugSession({ ...report, description: long, type: long, by: long, attempt: 1, most: 3 }),
      writeDebugFixed({ attempt: 1, commit: long, summary: long, verified, handle: 'claude', issue: 42 }),
      writeDebugBlocked({ attempts: 3, failures: many, handle, issue: 42 }),
      writeFinalReport({ ...figures, prd: { ...prd, userStories: stories } }),
    ])
      expect(text.length).toBeLessThan(61_000);
  });
});
