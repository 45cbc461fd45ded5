import { describe, expect, it } from 'vitest';
import { readPipelineAnswer } from './gate-answers.ts';

describe('a comment to the question of a pipeline', () => {
  it.each([
    ['escalation', '@claude proceed: it is ours', { choice: 'proceed', feedback: 'it is ours' }],
    ['escalation', '@claude stop', { choice: 'stop' }],
    ['blocked', '@claude retry: write the test first', { choice: 'retry', feedback: 'write the test first' }],
    // The choice takes no words: with them it could never be answered.
    ['work', '@claude continue, the analysis is fine', { choice: 'continue' }],
    ['escalation', 'proceed', null],
    ['escalation', '> @claude proceed', null],
    ['escalation', '@claude do not proceed', null],
    ['escalation', '@claude retry', null],
    ['blocked', '@claude proceed', null],
    ['plan', '@claude proceed', null],
  ] as const)('at the gate %s: %s', (kind, body, expected) => {
    expect(readPipelineAnswer(kind, body, 'claude')).toEqual(expected);
  });
});
