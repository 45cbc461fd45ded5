/** Which words at the gate answer which question, and which do not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import { answerQuestions } from './answer-questions.ts';
import { addFeedback, followBrief } from './revise-outline.ts';

const fragments = [
  'the size ',
  '1,500ms',
  'separator ',
  '\n',
  '1. ',
  '- ',
  '`',
  '> ',
  '# ',
  '@claude ',
  '<!--',
  'yes ',
];

const draftWith = (...questions: string[]): string =>
  `# T\n\n**Labels:** \`bug\`\n\n## Objective\n\nX.\n\n## Open Questions\n\n${questions.map((one) => `- [ ] ${one}`).join('\n')}\n\n## The Brief\n\nB.\n`;

describe('an answer', () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    ['names what was asked about', ['not sure about `1,500ms`'], '1,500ms is refused', []],
    [
      'quotes the question',
      ['Which separator?', 'How large?'],
      'Which separator? A semicolon.',
      ['How large?'],
    ],
    ['is numbered', ['Which separator?', 'How large?'], '1. A semicolon\n2) 10 MB', []],
    ['is numbered, for some of them', ['Which separator?', 'How large?'], '2. 10 MB', ['Which separator?']],
    ['is yes or no to the only one', ['Should it be sorted?'], 'Yes, by name', []],
    [
      'is one of two',
      ['Which separator?', 'How large may it be?'],
      'The separator is ;',
      ['How large may it be?'],
    ],
    ['is German', ['Welches Trennzeichen?'], 'Das Trennzeichen ist ein Semikolon', []],
  ])('%s', (_, questions, feedback, left) => {
    const revised = addFeedback(draftWith(...questions), feedback);
    expect(findOpenQuestions(revised)).toEqual(left);
    expect(revised).toContain('Answer: ');
  });

  it.each<[string, readonly string[], string, readonly string[]]>([
    [
      'a doubt',
      ['Which separator?'],
      'not sure about the separator',
      ['Which separator?', 'not sure about the separator'],
    ],
    [
      'a question',
      ['Which separator?'],
      'What is a separator?',
      ['Which separator?', 'What is a separator?'],
    ],
    ['a request', ['Which separator?'], 'Name the separator', ['Which separator?', 'Name the separator']],
    ['another matter', ['Which separator?'], 'It must be UTF-8.', ['Which separator?', 'It must be UTF-8.']],
    ['a number that none has', ['Sorted?', 'Signed?'], '3. Yes', ['Sorted?', 'Signed?', '3. Yes']],
    ['yes to one of two', ['Sorted?', 'Signed?'], 'Yes', ['Sorted?', 'Signed?', 'Yes']],
    [
      'both at once',
      ['the size of files', 'the size of folders'],
      'size is limited',
      ['the size of files', 'the size of folders', 'size is limited'],
    ],
  ])('is not seen in %s', (_, questions, feedback, left) => {
    expect(findOpenQuestions(addFeedback(draftWith(...questions), feedback))).toEqual(left);
  });

  it('keeps a question open unless it is ticked with the words that were said, whatever they are', () => {
    const questions = ['Which separator?', 'not sure about `1,500ms`', 'the size'];
    fc.assert(
      fc.property(
        fc.oneof(hostileText(fragments), fc.constantFrom('the size ', '1,500ms ')),
        hostileText(fragments),
        (one, other) => {
          const draft = draftWith(...questions);
          const { draft: ticked, rest } = answerQuestions(draft, `${one}${other}`);
          const left = findOpenQuestions(ticked);
          const closed = findOpenQuestions(draft).filter((text) => !left.includes(text)).length;
          const answers = ticked.split('\n').filter((line) => line.startsWith('  Answer: ')).length;
          expect(answers).toBeGreaterThanOrEqual(closed);
          if (closed === 0) expect([ticked, rest]).toEqual([draft, `${one}${other}`]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('a changed brief takes back the questions that it answers, and leaves answers and other questions', () => {
  const before = '# T\n\nDo it.\n\n- a\n- not sure about b\n\nWhich c?\n';
  const after = '# T\n\nDo it.\n\n- a\n- b is refused\n\nWhich c?\n';
  const outline = followBrief(before, before, draftWith('not sure about b', 'Which c?'), 'T');
  const revised = addFeedback(outline, 'Name d\nc is 3');
  expect(findOpenQuestions(revised)).toEqual(['not sure about b', 'Name d']);
  const followed = followBrief(before, after, revised, 'T');
  expect(findOpenQuestions(followed)).toEqual(['Name d']);
  expect(followed).toContain('- [x] Which c?\n  Answer: c is 3\n');
});
