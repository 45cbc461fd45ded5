/** The configuration of a repository: read as its tools write it, refused where a value cannot be used. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { type LoopConfig, readLoopConfig } from './loop-config.ts';
import { loopDefaults } from './loop-config-defaults.ts';

function configOf(value: unknown): LoopConfig {
  const read = readLoopConfig(value === null ? null : JSON.stringify(value));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.config;
}

function problemsOf(value: unknown): string[] {
  const read = readLoopConfig(typeof value === 'string' ? value : JSON.stringify(value));
  return 'problems' in read ? read.problems.map(({ path }) => path) : [];
}

function warningsOf(value: unknown): string[] {
  const read = readLoopConfig(JSON.stringify(value));
  return 'warnings' in read ? read.warnings.map(({ path }) => path) : ['refused'];
}

describe('a file', () => {
  it('need not be there', () => {
    expect(configOf(null)).toMatchObject({
      branchPrefix: 'ai/issue-',
      maxTaskAttempts: 3,
      summaryEveryNTaskLogs: 5,
      commentPrefixes: {},
      execution: { gateMode: 'warn', profile: 'greenfield', searchEvidence: { minQueries: 2 } },
    });
    expect(configOf({})).toEqual({ ...configOf(null), execution: expect.anything() });
  });

  it('may say everything that its tools write', () => {
    const whole = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      description: 'Configuration for the loop',
      ...loopDefaults,
      commentPrefixes: { plan: '## 📋 Implementation Plan', taskLog: '## 📝 Task Log:', wisp: '## 🪶 Wisp' },
    };
    expect(warningsOf(whole)).toEqual([]);
    expect(configOf(whole).commentPrefixes.taskLog).toBe('## 📝 Task Log:');
  });

  it('is told which of its keys change nothing, unless they say what holds anyway', () => {
    expect(
      warningsOf({
        labels: { testing: 'To test' },
        review: { enabled: true },
        execution: {
          replan: { autoGenerateOnStale: true, autoApplyIfSingleTask: false },
          testIntent: { enforce: true },
          contextManifest: { enabled: false },
        },
        commentPrefixes: { codeReview: '## Review' },
      }),
    ).toEqual([
      'labels',
      'commentPrefixes.codeReview',
      'execution.contextManifest',
      'execution.replan.autoApplyIfSingleTask',
    ]);
  });

  it('wins over the profile, and the profile over the defaults', () => {
    const { execution } = configOf({
      execution: { profile: 'brownfield', stalePlan: { sameTaskRetryThreshold: 5 }, replan: null },
    });
    expect(execution.stalePlan).toEqual({
      enabled: true,
      sameTaskRetryThreshold: 5,
      consecutiveRetryThreshold: 3,
    });
    expect(execution.searchEvidence.minQueries).toBe(3);
    expect(execution.verify.fullRunEveryNPassedTasks).toBe(3);
    expect(execution.replan.autoGenerateOnStale).toBe(true);
    expect(execution.placeholder.semanticChecks.enabled).toBe(true);
    expect(execution.gateMode).toBe('warn');
  });

  it('may hold unknown keys, which are named', () => {
    expect(
      warningsOf({
        colour: 1,
        execution: { gateMood: 'x', verify: { speed: 9 } },
        labels: { done: 'x' },
        commentPrefixes: { song: '## x' },
        __proto__: {},
      }),
    ).toEqual([
      'colour',
      'execution.gateMood',
      'execution.verify.speed',
      'labels.done',
      'commentPrefixes.song',
    ]);
    expect(warningsOf(JSON.parse('{"__proto__":{"maxTaskAttempts":9},"constructor":1}'))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('compiles its patterns so that they run in linear time', () => {
    const { placeholder } = configOf({ execution: { placeholder: { patterns: ['(a+)+$'] } } }).execution;
    expect(placeholder.patterns[0]?.test(`${'a'.repeat(10_000)}b`)).toBe(false);
    const { patterns, excludePathRegex } = configOf(null).execution.placeholder;
    expect(patterns.some((one) => one.test('throw new Error("Not implemented")'))).toBe(true);
    expect(excludePathRegex.some((one) => one.test('src/tests/a.ts'))).toBe(true);
    expect(excludePathRegex.some((one) => one.test('src/latest.ts'))).toBe(false);
  });
});

it('names all problems at once', () => {
  expect(
    problemsOf({
      branchPrefix: '../x',
      maxTaskAttempts: 0,
      prdLocation: '.git/config.json',
      archiveLocation: '/tmp',
      labels: { testing: 'auto-merge', review: 'a,b' },
      commitPrefixes: { task: 'feat: $(x)' },
      commentPrefixes: { plan: 'no heading' },
      execution: {
        gateMode: 'off',
        placeholder: { patterns: ['(?=x)', 'ok'], excludePathRegex: ['('] },
        verify: { globalVerifyCommands: ['a\nb'] },
        taskSizing: 5,
      },
      memory: { docTargets: ['../AGENTS.md'], managedSectionMarker: '--> x' },
    }).sort(),
  ).toEqual(
    [
      ...[
        'branchPrefix',
        'maxTaskAttempts',
        'prdLocation',
        'archiveLocation',
        'labels.testing',
        'labels.review',
      ],
      ...['commitPrefixes.task', 'commentPrefixes.plan', 'execution.gateMode', 'execution.taskSizing'],
      ...['execution.placeholder.patterns[0]', 'execution.placeholder.excludePathRegex[0]'],
      ...['execution.verify.globalVerifyCommands[0]', 'memory.docTargets[0]', 'memory.managedSectionMarker'],
    ].sort(),
  );
});

it.each([
  ['no JSON', '{', ''],
  ['a list', '[]', ''],
  ['a key twice', '{"maxTaskAttempts":1,"maxTaskAttempts":2}', 'maxTaskAttempts'],
  ['too long', `{"x":"${'x'.repeat(100_000)}"}`, ''],
  ['two labels that are the same', { labels: { testing: 'Mine', blocked: 'mine' } }, 'labels.blocked'],
  [
    'two headings that are the same',
    { commentPrefixes: { plan: '## A', wisp: '## A' } },
    'commentPrefixes.wisp',
  ],
  ['a prefix that leaves no room', { branchPrefix: 'x'.repeat(31) }, 'branchPrefix'],
])('refuses %s', (_, value, path) => {
  expect(problemsOf(value)).toEqual([path]);
});

it('gives a usable configuration or problems, whatever stands in the file', () => {
  const key = fc.constantFrom(
    'execution',
    'labels',
    'memory',
    'review',
    'commentPrefixes',
    'branchPrefix',
    'maxTaskAttempts',
    'prdLocation',
    '__proto__',
    'x',
  );
  const inner = fc.dictionary(
    fc.constantFrom(
      'profile',
      'gateMode',
      'verify',
      'placeholder',
      'plan',
      'trigger',
      'enabled',
      'docTargets',
      '__proto__',
    ),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.oneof(inner, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 4 }),
      (value) => {
        const read = readLoopConfig(JSON.stringify(value));
        if ('problems' in read) expect(read.problems.length).toBeGreaterThan(0);
        else expect(Object.keys(read.config).sort()).toEqual(Object.keys(loopDefaults).sort());
      },
    ),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      hostileText(['{', '}', '"', ':', ',', '"execution"', 'null', '[', '\\', '\u0000']),
      (text) => {
        expect(readLoopConfig(text)).toHaveProperty('problems');
      },
    ),
    { numRuns: 200 },
  );
});
