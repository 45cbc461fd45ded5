import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDismissals, speaksOfDismissing } from './dismissal.ts';

const a = '3f9a0c11d2';
const b = 'aaaaaaaaaa';

describe('readDismissals', () => {
  it.each<[string, [string, string][]]>([
    [`@claude dismiss ${a}`, [[a, '']]],
    [`@Claude, please dismiss ${a.toUpperCase()}.`, [[a, '']]],
    [`@claude dismiss ${a} because the list is never empty.`, [[a, 'the list is never empty.']]],
    [
      `@claude dismiss ${a}, ${b} and ${a} because of both`,
      [
        [a, 'of both'],
        [b, 'of both'],
      ],
    ],
    [
      `@claude dismiss ${a}, ${b} because both are meant`,
      [
        [a, 'both are meant'],
        [b, 'both are meant'],
      ],
    ],
    [
      `Thanks for the review!\n\n- @claude dismiss ${a}\n- @claude dismiss ${b} since it is tested`,
      [
        [a, ''],
        [b, 'it is tested'],
      ],
    ],
    [
      `@claude dismiss ${a}. @claude dismiss ${b}.`,
      [
        [a, ''],
        [b, ''],
      ],
    ],
  ])('reads %j', (text, expected) => {
    expect(readDismissals(text, 'claude').map(({ finding, why }) => [finding, why])).toEqual(expected);
  });

  it.each([
    ['nobody is called', `dismiss ${a}`],
    ['somebody else is called', `@claudette dismiss ${a}`],
    ['it is denied', `@claude do not dismiss ${a}`],
    ['it is denied before the call', `I would not @claude dismiss ${a}`],
    ['it is a condition', `@claude dismiss ${a} if you like`],
    ['it is a question', `@claude dismiss ${a}?`],
    ['it is quoted', `> @claude dismiss ${a}`],
    ['it is code', `\`@claude dismiss ${a}\``],
    ['it is a block of code', `\`\`\`\n@claude dismiss ${a}\n\`\`\``],
    ['it is hidden', `<!-- @claude dismiss ${a} -->`],
    ['there is no identity', '@claude dismiss everything'],
    ['the identity is too short', '@claude dismiss 3f9a'],
    ['the identity goes on', `@claude dismiss ${a}ff`],
    ['the reason names another', `@claude fix ${a} because nobody wrote @claude dismiss ${b}`],
  ])('dismisses nothing when %s', (_, text) => {
    expect(readDismissals(text, 'claude')).toEqual([]);
  });

  it.each([
    'it is fine?',
    'it is fine, unless Bob objects',
    'it is fine, only if it is tested',
    'it is fine, only when it is tested',
    'it is fine, only after a test',
    'it is fine, only once it is tested',
    'it is fine, but if it is not',
    'it is fine if you like',
    'it is fine if we like',
    'it is fine if they agree',
    'it is fine if he agrees',
    'it is fine if she agrees',
    'it is fine if everybody agrees',
    'it is fine if everyone agrees',
    'it is fine if somebody looks',
    'it is fine if nobody objects',
    'it is fine if bob agrees',
    'it is fine if Bob agree',
    'it is fine, but only there',
    'it is fine, but not there',
    'it is fine, but wait',
    'it is fine, but first test it',
    'it is fine, but please test it',
    "it is fine, but don't do it",
    'it is fine, but do not do it',
    'it is fine, but I doubt it',
    'it is fine, but let it be',
    'it is fine, not yet',
    'it is fine, just kidding',
    'it is fine /s',
    '/s',
    '`code`',
    '~~it is fine~~',
    '<del>it is fine</del>',
  ])('dismisses nothing because %s', (why) =>
    expect(readDismissals(`@claude dismiss ${a} because ${why}`, 'claude')).toEqual([]),
  );

  it.each([
    ['it is ugly but works', 'it is ugly but works'],
    ['`x` is only reached if it is set', '… is only reached if it is set'],
    ['we know', 'we know'],
    ['it said "no" before', 'it said "no" before'],
    ['Bob &amp; I looked', 'Bob & I looked'],
  ])('keeps the reason %s', (why, kept) =>
    expect(readDismissals(`@claude dismiss ${a} since ${why}`, 'claude')).toEqual([
      { finding: a, why: kept },
    ]),
  );

  it.each(['please', 'thanks', 'thank you'])('may end with %s', (words) =>
    expect(readDismissals(`@claude dismiss ${a}, ${words}!`, 'claude')).toEqual([{ finding: a, why: '' }]),
  );

  it('is in plain letters', () => {
    expect(readDismissals(`@claude di\u017Fmiss ${a}`, 'claude')).toEqual([]);
    expect(readDismissals(`@claude dismiss ${a} because it is \u017Fine`, 'claude')).toHaveLength(1);
  });

  it('keeps a long reason short', () => {
    const [one] = readDismissals(`@claude dismiss ${a} because ${'x'.repeat(9000)}`, 'claude');
    expect(one?.why).toHaveLength(500);
  });
});

describe('words beside an order', () => {
  const dismisses = (text: string): boolean => readDismissals(text, 'claude').length > 0;
  const order = `@claude dismiss ${a}`;
  const beginnings = [
    ...["don't", 'do not', 'never', 'no', 'nope', 'not', 'wait', 'stop', 'hold', 'scratch', 'ignore'],
    ...['disregard', 'forget', 'undo', 'actually', 'if', 'unless', 'only', 'except', 'but'],
    ...['for example', 'e.g', 'example'],
  ];
  it.each(beginnings)('"%s …" takes it back', (word) => {
    expect(dismisses(`${order}. ${word} x`)).toBe(false);
    expect(dismisses(`${order}.\n\n${word.toUpperCase()} x`)).toBe(false);
    expect(dismisses(`${word}, x.\n\n${order}`)).toBe(false);
    expect(dismisses(`Fine: ${word} x.\n\n${order}`)).toBe(false);
  });
  it.each(['please', 'but', 'and', 'well', 'hm', 'hmmm', 'oh', 'ok', 'okay', 'so', 'just'])(
    '"%s" may stand before that',
    (word) => {
      expect(dismisses(`${order}.\n\n${word} wait`)).toBe(false);
      expect(dismisses(`${order}.\n\n${word}, please, wait`)).toBe(false);
    },
  );
  it.each([
    ...['on second thought', 'on second thoughts', 'just kidding', 'nevermind', 'oh never mind'],
    ...['then scratch that', 'I take it back', 'I take that back', 'I take this back', 'see what happens'],
    ...['and what if it breaks', 'I said do not dismiss it', "I said don't dismiss it", "I'd rather not"],
    ...['Better do not', "Better don't!", 'Better not.', 'Is it?', 'A ? b', '/s', 'Don\u2019t'],
  ])('"%s" takes it back', (words) => {
    expect(dismisses(`${order}.\n\n${words}`)).toBe(false);
    expect(dismisses(`${words}\n\n${order}`)).toBe(false);
  });
  it.each([
    ...['Fine.', 'I looked at it: nothing to hold it up.', 'It is not wrong.', 'I seconded it'],
    ...['We do not need it.', 'See a/s for it', 'We never stop; we go on.', 'All of it, and wait for none'],
  ])('"%s" is in no list, so it is asked about', (words) => {
    expect(dismisses(`${words}\n\n${order}`)).toBe(false);
    expect(dismisses(`${order}\n\n${words}`)).toBe(false);
  });
  it.each(['Thanks!', 'Thank you very much.', 'Good catch, thanks!', 'Hi all,', 'Nice work 🎉'])(
    '"%s" does not',
    (words) => {
      expect(dismisses(`${words}\n\n${order}`)).toBe(true);
      expect(dismisses(`${order}\n\n${words}`)).toBe(true);
    },
  );
  it.each([
    ['before it, on the same line', `Wait. ${order}`],
    ['before it, after a colon', `Or: wait; ${order}`],
    ['in one block of several', `Fine.\n\nWait.\n\nFine.\n\n${order}`],
    ['after code', `\`x\` wait\n\n${order}`],
    ['with a gap of blanks', `Fine!   wait\n\n${order}`],
  ])('take it back %s', (_, text) => expect(dismisses(text)).toBe(false));
  it('dismiss nothing when more may be said than is read', () => {
    expect(dismisses(`${order}\n\n> [!NOTE]\n> not yet`)).toBe(false);
    expect(dismisses(`${order}\n\n> not yet`)).toBe(true);
  });
  it('keep the first of two reasons, without what stands around it', () => {
    const text = `@claude dismiss ${a} because one\n\n@claude dismiss ${a} because two`;
    expect(readDismissals(text, 'claude')).toEqual([{ finding: a, why: 'one' }]);
    expect(readDismissals(`@claude dismiss ${a} because  one  `, 'claude')).toEqual([
      { finding: a, why: 'one' },
    ]);
  });
});

describe('reasons that are none', () => {
  const order = `@claude dismiss ${a}`;
  it.each([
    ...[
      'as soon as it works',
      'as long as it works',
      'because if',
      'because not!',
      'because no …',
      'because No',
    ],
    ...['as we wait until then', 'as we wait till then', 'as we wait for Bob', 'as I never dismiss it'],
    ...["as I don't dismiss it", 'as I do not dismiss it', 'as it is provided that x', 'as assuming you can'],
    ...['as provided we do', 'as provided they do', 'as provided he does', 'as assuming she does'],
    ...['because `a` `b`', 'because it is ok, only once a', 'because x unless y', 'as x /s'],
  ])('%s', (why) => expect(readDismissals(`${order} ${why}`, 'claude')).toEqual([]));
  it.each([
    ...['because no list is empty', 'because it is too long as it is', 'because not all is lost'],
    ...['because we said no', 'because it says if', 'because a/s is b'],
  ])('but: %s', (why) => expect(readDismissals(`${order} ${why}`, 'claude')).toHaveLength(1));

  it.each([
    `This is not a bug.\n\n@claude dismiss ${a} because it is not reached`,
    `@claude dismiss ${a}\n\nVielleicht morgen.`,
    `@claude dismiss ${a} as it is tested`,
    `@claude dismiss ${a} as soon as Bob agrees`,
    `@claude dismiss ${a} because it is fine, wenn Bob zustimmt`,
    `@claude dismiss ${a} because it is fine (sofern getestet)`,
    `@claude dismiss ${a} because it is fine. Erst morgen`,
    `@claude dismiss ${a} because it is fine - maybe`,
    `@claude dismiss ${a} because it is fine: later`,
    `@claude dismiss ${a} because it is fine -- later`,
    `@claude dismiss ${a} because no 42`,
    `@claude DISMISS ${a.toUpperCase()} because not`,
    `Peut-être.\n\n@claude dismiss ${a}`,
    `@claude dismiss ${a}. @claude but not today`,
    `\\[x]: nope\n\n@claude dismiss ${a}`,
    `\`\`\`\nx\n\`\`\`\n\n@claude dismiss ${a}`,
  ])('dismisses nothing and can be asked about: %j', (text) => {
    expect(readDismissals(text, 'claude')).toEqual([]);
    expect(speaksOfDismissing(text, 'claude')).toBe(true);
  });

  it('dismisses nothing beside any sentence that no list knows', () => {
    const sentence = fc
      .array(fc.stringMatching(/^[a-zäß]{4,9}$/u), { minLength: 2, maxLength: 6 })
      .map((words) => `${words.join(' ')} zz.`);
    fc.assert(
      fc.property(sentence, fc.boolean(), (words, isBefore) => {
        const order = `@claude dismiss ${a}`;
        const text = isBefore ? `${words}\n\n${order}` : `${order}\n\n${words}`;
        expect(readDismissals(text, 'claude')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('dismisses beside a call that only thanks', () => {
    for (const text of [`@claude thanks!\n\n@claude dismiss ${a}`, `@claude dismiss ${a}. @claude thanks!`])
      expect(readDismissals(text, 'claude'), text).toEqual([{ finding: a, why: '' }]);
  });

  it('does not take other orders for one', () => {
    expect(speaksOfDismissing('@claude fix the parser', 'claude')).toBe(false);
    expect(speaksOfDismissing(`dismiss ${a}`, 'claude')).toBe(false);
    expect(speaksOfDismissing('@claude make the dialog dismiss itself', 'claude')).toBe(false);
  });
});
