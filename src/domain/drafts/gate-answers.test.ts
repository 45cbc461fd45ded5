/** Which answers are offered at a gate, in which order, and what each of them needs. */
import { describe, expect, it } from 'vitest';
import type { GateQuestion } from './gate.ts';
import { answersOf, offerAnswers } from './gate-answers.ts';

const choices = {
  draft: [
    { name: 'send', key: 'G', label: '' },
    { name: 'revise', key: 'R', label: '', takesFeedback: true },
    { name: 'save', key: 'S', label: '', leavesOpen: true },
  ],
  verdict: [
    { name: 'approve', key: 'A', label: '' },
    { name: 'revise', key: 'R', label: '', takesFeedback: true },
    { name: 'manual', key: 'M', label: '', leavesOpen: true },
  ],
  filing: [
    { name: 'retry', key: 'R', label: '' },
    { name: 'edit', key: 'E', label: '' },
    { name: 'abort', key: 'A', label: '', leavesOpen: true },
  ],
  merge: [
    { name: 'check', key: 'C', label: '[C]heck whether it is merged' },
    { name: 'save', key: 'S', label: '[S]ave', leavesOpen: true },
  ],
} as const;

function ask(kind: keyof typeof choices, more: Partial<GateQuestion> = {}): GateQuestion {
  return {
    ...{ id: 'G1', kind, title: 'T', iteration: 1, drafts: 1, verdicts: 0 },
    ...{ artefacts: [{ name: 'draft', path: 'd.md', hash: 'h' }], choices: choices[kind], ...more },
  };
}

const answer = 'gatewright gate answer G1 --choice';

describe('offered answers', () => {
  it.each<[string, GateQuestion, readonly (readonly [string, string | null])[]]>([
    [
      'a draft',
      ask('draft'),
      [
        [`${answer} send`, null],
        [`${answer} revise --feedback "TEXT"`, null],
      ],
    ],
    [
      'a draft with open questions',
      ask('draft', { questions: ['How large?'] }),
      [
        [`${answer} revise --feedback "TEXT"`, null],
        [`${answer} send`, 'after you answered what is open in d.md'],
      ],
    ],
    [
      'a design with gaps',
      ask('draft', { gaps: ['2.3 Data Structures'] }),
      [
        [`${answer} revise --feedback "TEXT"`, null],
        [`${answer} send`, 'after you filled the gaps in d.md'],
      ],
    ],
    [
      'a draft that came back unchanged',
      ask('draft', { isUnchanged: true }),
      [
        [`${answer} revise --feedback "TEXT"`, null],
        [`${answer} send`, 'after you edited d.md'],
      ],
    ],
    [
      'a verdict that approves',
      ask('verdict', { decision: 'APPROVED' }),
      [
        [`${answer} approve`, null],
        [`${answer} revise --feedback "TEXT"`, null],
      ],
    ],
    ...(['REVISE', 'DISCUSS', null] as const).map(
      (decision): [string, GateQuestion, readonly (readonly [string, string | null])[]] => [
        `a verdict that says ${decision}`,
        ask('verdict', { decision }),
        [
          [`${answer} revise --feedback "TEXT"`, null],
          [`${answer} approve --against-verdict`, 'if you decide against the verdict'],
        ],
      ],
    ),
    [
      'a filing that failed',
      ask('filing'),
      [
        [`${answer} retry`, null],
        [`${answer} edit`, null],
      ],
    ],
    [
      'a loop whose pull request is open',
      ask('merge'),
      [[`${answer} check`, 'after its pull request is merged']],
    ],
  ])('of %s', (_, question, expected) => {
    expect(offerAnswers(question).map(({ command, words, after }) => [command + words, after])).toEqual(
      expected,
    );
  });

  it('never include a choice that leaves the gate open', () => {
    for (const kind of ['draft', 'verdict', 'filing'] as const)
      expect(answersOf(ask(kind)).every((one) => one.leavesOpen !== true)).toBe(true);
  });
});
