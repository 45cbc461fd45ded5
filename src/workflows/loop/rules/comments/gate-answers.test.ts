import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateKinds } from '../../../../domain/drafts/gate.ts';
import { readGateAnswer } from './gate-answers.ts';

const read = (kind: (typeof gateKinds)[number], body: string) => readGateAnswer(kind, body, 'claude');

describe('an answer in a comment', () => {
  it.each([
    ['scope', 'Only the API.', { choice: 'answer', feedback: 'Only the API.' }],
    ['scope', '@claude plan', { choice: 'plan' }],
    ['scope', '@claude Plan!', { choice: 'plan' }],
    ['scope', '> quoted', null],
    ['plan', '@claude approve', { choice: 'approve' }],
    ['plan', 'LGTM', { choice: 'approve' }],
    ['plan', 'I like cats', null],
    ['plan', '`@claude approve`', null],
    ['plan', '> @claude approve', null],
    ['work', '@claude continue', { choice: 'loop' }],
    ['work', '@claude next', { choice: 'next' }],
    ['work', 'continue', null],
    ['testing', 'Works', { choice: 'works' }],
    ['testing', 'It works!', { choice: 'works' }],
    ['testing', '@claude works', { choice: 'works' }],
    ['testing', 'It works, but the button is red', null],
    ['testing', 'Nothing works', null],
    ['testing', 'works?', null],
    ['testing', '@claude it never works', null],
    ['testing', '@claude issue: it says 0', { choice: 'issue', feedback: 'Other\n\nit says 0' }],
    [
      'testing',
      '@claude issue\n\nType: error\nLocation: US-002\nIt says 0.',
      { choice: 'issue', feedback: 'Error\nUS-002\nIt says 0.' },
    ],
    ['testing', '@claude issue', null],
    ['testing', '@claude later', null],
    ['testing', 'issue: it says 0', null],
    ['blocked', '@claude retry', { choice: 'retry' }],
    ['blocked', '@claude retry: use BigInt', { choice: 'retry', feedback: 'use BigInt' }],
    ['blocked', '@claude replan: drop the API', { choice: 'replan', feedback: 'drop the API' }],
    ['blocked', '@claude replan', null],
    ['blocked', '@claude skip us-003: done by hand', { choice: 'skip', feedback: 'US-003: done by hand' }],
    ['blocked', '@claude skip US-003', null],
    ['blocked', '@claude skip everything', null],
    ['blocked', 'retry', null],
    ['close', '@claude close', { choice: 'close' }],
    ['close', '@claude close the window', null],
    ['merge', '@claude check', null],
    ['draft', '@claude approve', null],
  ] as const)('%s: %s', (kind, body, expected) => {
    expect(read(kind, body)).toEqual(expected);
  });

  it('never comes of quotes, code, struck-out words or pictures, at any gate', () => {
    const words = fc.constantFrom(
      ...['@claude approve', '@claude works', 'works', '@claude retry', '@claude close', '@claude continue'],
      ...['@claude skip US-001: no', '@claude replan: all', '@claude issue: bad', '@claude plan'],
    );
    const hidden = fc.constantFrom<(text: string) => string>(
      (text) => `> ${text}`,
      (text) => `\`${text}\``,
      (text) => `\`\`\`\n${text}\n\`\`\``,
      (text) => `    ${text}`,
      (text) => `~~${text}~~`,
      (text) => `- [ ] ${text}`,
      (text) => `<!-- ${text} -->`,
      (text) => `![${text}](a.png)`,
    );
    const kinds = gateKinds.filter((kind) => kind !== 'scope');
    fc.assert(
      fc.property(words, hidden, fc.constantFrom(...kinds), (text, hide, kind) => {
        expect(read(kind, hide(text))).toBeNull();
      }),
    );
  });

  it('is never an approval, a test or a close without the words for it', () => {
    const plain = fc
      .array(fc.constantFrom('the', 'button', 'is', 'red', 'not', 'does', 'maybe', 'later', 'why', 'no'), {
        minLength: 1,
        maxLength: 12,
      })
      .map((words) => `@claude ${words.join(' ')}`);
    fc.assert(
      fc.property(plain, fc.constantFrom('testing', 'close', 'blocked', 'work'), (body, kind) => {
        expect(read(kind, body)).toBeNull();
      }),
    );
  });
});
