/** Every sign that a person may take for a box, and what only looks like one. */
import { describe, expect, it } from 'vitest';
import { hasMark, isBoxLike } from './verdict-words.ts';

const isMarked = (line: string): boolean => isBoxLike(line, { onlyMarked: true });

describe('a box', () => {
  it.each([...'[［【〔❲'])('begins with %s', (open) => {
    expect([isBoxLike(`${open}x]`), isMarked(`${open}x]`)]).toEqual([true, true]);
    expect([isBoxLike(`${open} ]`), isMarked(`${open} ]`)]).toEqual([true, false]);
  });
  it.each([...']］】〕❳'])('ends with %s', (close) => {
    expect([isBoxLike(`[x${close}`), isMarked(`[x${close}`)]).toEqual([true, true]);
    expect([isBoxLike(`[${close}`), isMarked(`[${close}`)]).toEqual([true, false]);
  });
  it.each([...'(（{'].flatMap((open) => [...')）}'].map((close) => [open, close] as const)))(
    'is round: %s %s',
    (open, close) => {
      for (const mark of 'xXvVyY✓✔✗✘*+•●-') expect(isMarked(`${open}${mark}${close}`), mark).toBe(true);
      expect([isBoxLike(`${open}${close}`), isMarked(`${open} ${close}`)]).toEqual([true, false]);
      expect(isBoxLike(`${open}a${close}`)).toBe(false);
    },
  );
  it.each([...'☐☑☒⬜✅✔✓✗✘❎❌🗹🗸🔘◉○●⚪⚫'])('is %s before a label', (sign) => {
    for (const label of [
      'APPROVED',
      'revise',
      'Discuss',
      '**APPROVED**',
      '*REVISE*',
      '_DISCUSS_',
      '~~REVISE',
      '`REVISE`',
    ]) {
      expect(isMarked(`${sign} ${label}`), label).toBe(true);
      expect(isMarked(`${sign}${label}`), label).toBe(true);
      expect(isMarked(`${sign}\uFE0F   ${label}`), label).toBe(true);
    }
    expect(isMarked(`${sign} ** REVISE`)).toBe(true);
    expect(isBoxLike(`${sign} fine`)).toBe(false);
    expect(isBoxLike(`fine ${sign} REVISE`)).toBe(false);
  });
  it.each(['', '  ', '\t', '> ', '> > ', '| ', '* ', '+ ', '- ', '~~', '__', '"', "'", '`', '´', '• ', '· '])(
    'may stand after %j',
    (lead) => {
      for (const box of ['[x]', '(x)', '✅ REVISE']) expect(isMarked(`${lead}${box}`)).toBe(true);
      expect([isBoxLike(`${lead}[ ]`), isMarked(`${lead}[ ]`)]).toEqual([true, false]);
    },
  );
  it.each(['1. ', '1) ', '123456789. ', '<b>', '<a href="x">', '- 1. <i> > **'])(
    'may stand after %j as well',
    (lead) => expect(isMarked(`${lead}[x]`)).toBe(true),
  );
  it.each(['a ', '1 ', '1234567890. ', 'a. ', '<b', '# ', '1.a ', '!'])('does not stand after %j', (lead) => {
    expect(isBoxLike(`${lead}[x]`)).toBe(false);
    expect(isBoxLike(`${lead}✅ REVISE`)).toBe(false);
    expect(isBoxLike(`${lead}(x)`)).toBe(false);
  });
  it.each([
    ['[abc]', true],
    ['[ x ]', true],
    ['[x ] REVISE', true],
    ['[abcd]', false],
    ['[a\nb]', false],
    ['(xxx)', true],
    ['(xxxx)', false],
    ['[x', false],
    ['x]', false],
    ['(x', false],
    ['APPROVED', false],
    ['', false],
  ])('%j: %s', (line, expected) => expect(isBoxLike(line)).toBe(expected));
});

describe('a link with a short name', () => {
  it.each([
    ...[
      '[PR](https://x.y/1) covers it.',
      '[#12](https://x.y/12)',
      '[12](http://x.y)',
      '[doc](./a.md)',
      '[RFC](/rfc/1)',
    ],
    ...['[ADR](../adr.md) says so', '- [PR](https://x.y/1)', '[#1](#one)'],
  ])('%j is no box', (line) => expect([isBoxLike(line), isMarked(line)]).toEqual([false, false]));
  it.each([
    ...[
      '[x](https://x.y)',
      '[X](https://x.y)',
      '[xx](https://x.y)',
      '[ok](https://x.y)',
      '[yes](https://x.y)',
    ],
    ...[
      '[v](https://x.y)',
      '[✓](https://x.y)',
      '[-](https://x.y)',
      '[PR]',
      '[PR] (https://x.y)',
      '[PR](REVISE)',
    ],
    ...[
      '[PR](',
      '[PR](https://x.y',
      '[PR](https://x.y z)',
      '[ x](https://x.y)',
      '[No](https://x.y)',
      '[](https://x.y)',
    ],
  ])('%j is like one', (line) => expect(isMarked(line) || isBoxLike(line)).toBe(true));
});

describe('a mark in a sentence', () => {
  it.each([
    '[x]',
    'a [x] b',
    '[ x]',
    '[x  ]',
    '[ok]',
    '[ \tv  ]',
    '[✓]',
    '［x］',
    '[x\u200D\u200D]',
    '[\u200Bx]',
    '[[x]',
    '[-]',
  ])('%j is one', (text) => expect(hasMark(text)).toBe(true));
  it.each(['[yes]', '[]', '[ ]', '[x', 'x]', '(x)', '', '[a b]', '[ \n ]'])('%j is none', (text) =>
    expect(hasMark(text)).toBe(false),
  );
});
