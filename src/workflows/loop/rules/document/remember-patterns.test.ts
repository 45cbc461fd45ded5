/** Patterns of passed tasks in prd.json: those that are sure, each once, and harmless whatever their words are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileWords } from '../../../../../test/support/loop-comments.ts';
import { readPrd } from './prd.ts';
import { choosePatterns, rememberPatterns, type TaskPattern } from './remember-patterns.ts';
import { makePrd } from './write-prd.ts';

const pattern = (fields: Partial<TaskPattern> = {}): TaskPattern => ({
  ...{ statement: 'Errors have codes.', scope: 'src', files: ['src/errors.ts'], confidence: 0.9 },
  ...fields,
});

const limits = { minConfidence: 0.8, maxPatternsPerTask: 3 };
const from = {
  ...{ issue: 42, taskId: 'US-001', taskUid: 'tsk_000000000001', commit: 'abc1234' },
  ...{ createdAt: '2026-02-10T18:30:00Z', syncedDocs: ['AGENTS.md'] },
};

const text = makePrd({
  ...{ project: 'calc', issueNumber: 42, branchName: 'ai/issue-42-x', description: '', formula: 'feature' },
  ...{ generatedAt: '2026-02-10T18:30:00Z', summaryEveryNTaskLogs: 5, globalVerifyCommands: [] },
  userStories: [
    {
      ...{ title: 'T', description: 'D', files: [], dependsOn: [], priority: 1 },
      ...{ acceptanceCriteria: ['`true` passes'], verifyCommands: ['true'] },
    },
  ],
});

const patternsOf = (prd: string): readonly Record<string, unknown>[] => {
  const read = readPrd(prd);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.prd.memory?.patterns ?? [];
};

describe('patterns of a task', () => {
  it('are kept when they are sure enough, and not more than so many', () => {
    const sure = [0.5, 0.8, 0.9, 1, 0.95].map((confidence, index) =>
      pattern({ statement: `P${index}`, confidence }),
    );
    expect(choosePatterns(sure, limits).map(({ statement }) => statement)).toEqual(['P1', 'P2', 'P3']);
    expect(choosePatterns([pattern({ statement: ' \n ' })], limits)).toEqual([]);
    expect(choosePatterns([pattern({ files: ['../out', '/etc/passwd', 'src/a.ts'] })], limits)).toMatchObject(
      [{ files: ['src/a.ts'] }],
    );
  });

  it('stand in prd.json once, with where they came from', () => {
    const once = rememberPatterns(text, [pattern(), pattern({ statement: '  errors   HAVE codes.' })], from);
    expect(patternsOf(once)).toEqual([
      { key: expect.stringMatching(/^ptn_[0-9a-f]{12}$/u), ...pattern(), ...from },
    ]);
    expect(rememberPatterns(once, [pattern()], from)).toBe(once);
    expect(rememberPatterns(text, [], from)).toBe(text);
    // The rest of the file keeps its bytes.
    expect(once.startsWith(text.slice(0, text.lastIndexOf(']') + 1))).toBe(true);
  });

  it('leave prd.json valid and free of secrets, whatever an agent says', () => {
    const key = ['ghp', 'a'.repeat(36)].join('_');
    const anyPattern = fc.record({
      statement: fc.oneof(hostileWords, fc.constant(`use ${key}`)),
      scope: hostileWords,
      files: fc.array(hostileWords, { maxLength: 3 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(anyPattern, { maxLength: 5 }), (reported) => {
        const kept = choosePatterns(reported, limits);
        expect(kept.length).toBeLessThanOrEqual(3);
        const next = rememberPatterns(text, kept, from);
        expect(patternsOf(next).length).toBeLessThanOrEqual(kept.length);
        expect(next).not.toContain(key);
        const strip = (prd: string) => ({ ...(JSON.parse(prd) as object), memory: null });
        expect(strip(next)).toEqual(strip(text));
      }),
    );
  });
});
