/** What models say to our agents in the week: the same work as the peer's agent does. */
import { check, type Tape } from '../../test/support/chain-world.ts';
import { faultless, faulty } from './week-events.ts';

const test = (cases: string): string =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../src/sum.mjs';\n\n${cases}\n`;

const done = (summary: string, risk: string): object => ({
  text: 'Done.',
  object: { summary, testing: 'A test of sum.', risk, questions: [] },
});

const review = (call: number, includes: readonly string[], findings: readonly object[]): object => ({
  ...{ role: 'reviewer', call, request: { includes } },
  answer: { object: { summary: findings.length === 0 ? 'Fine.' : 'One bug.', findings } },
});

const finding = {
  ...{ path: 'src/sum.mjs', line: 2, severity: 'major', category: 'bug' },
  ...{ title: 'Texts are joined instead of added', detail: "sum('1', '2') is '12'." },
};

export const weekTape: Tape = {
  work: [
    {
      ...{ role: 'implementer', call: 1, request: { includes: [faulty] } },
      steps: [
        { edit: 'src/sum.mjs', replace: 'a - b', with: 'a + b' },
        { write: 'test/sum.test.mjs', content: test("test('of two', () => assert.equal(sum(1, 2), 3));") },
        { run: check },
      ],
      outcome: done('sum adds now.', 'needs-review'),
    },
    {
      ...{ role: 'implementer', call: 1, request: { includes: [faultless] } },
      steps: [{ write: 'docs/sum.md', content: 'It takes two numbers.\n' }],
      outcome: done('It is written down.', 'auto-merge'),
    },
    {
      ...{ role: 'fixer', call: 1, request: { includes: ['joined instead of added'] } },
      steps: [
        { edit: 'src/sum.mjs', replace: 'a + b', with: 'Number(a) + Number(b)' },
        {
          write: 'test/sum.test.mjs',
          content: test(
            "test('of two', () => assert.equal(sum(1, 2), 3));\ntest('of texts', () => assert.equal(sum('1', '2'), 3));",
          ),
        },
        { run: check },
      ],
      outcome: done('Texts are added too.', 'needs-review'),
    },
  ],
  calls: [
    review(1, ['return a + b'], [finding]),
    ...[1, 2, 3, 4].map((call) => review(call, ['You review a change'], [])),
    {
      ...{ role: 'doctor', call: 1, request: { includes: ['expected 3, got -1'] } },
      answer: {
        object: {
          ...{ what: 'A test of sum fails.', why: 'sum subtracts.', fix: 'Turn the sign around.' },
          confidence: 'high',
        },
      },
    },
  ],
};
