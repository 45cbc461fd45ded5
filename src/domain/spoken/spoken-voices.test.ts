/** Beside a person's own words: what they take back, what they quote, whom they call, and what was left out. */
import { describe, expect, it } from 'vitest';
import {
  calledSentences,
  gap,
  isPartlyRead,
  mentions,
  spokenAsides,
  spokenBlocks,
  spokenLines,
  spokenPassages,
  spokenQuotes,
  withoutMention,
} from './spoken-text.ts';

describe('what is written and not said', () => {
  it.each<[string, string[]]>([
    ['a ~~b~~ c', ['b']],
    ['- [ ] a\n- [x] b\n- c', ['a', 'b']],
    ['1. [✓] a', ['[✓] a']],
    ['<del>a</del> b', ['a']],
    ['<div>a</div>\n\nb', ['<div>a</div>']],
    ['<!-- a -->\n\nb', []],
    ['a **b** c', []],
    ['> ~~a~~\n>\n> - [ ] b', []],
    ['> <div>a</div>', []],
    ['| a |\n|---|\n| ~~b~~ |', []],
    ['| <b>a</b> |\n|---|\n| c |', []],
    ['[a](b)', []],
    ['- [ ] ~~a~~', []],
    ['- [ ] <div>\n\n  a', ['a']],
  ])('%j: %j', (text, asides) => expect(spokenAsides(text)).toEqual(asides));
});

describe('what is quoted', () => {
  it.each<[string, string[]]>([
    ['> a\n\nb', ['a']],
    ['> a\n>\n> > b\n\nc', ['a', 'b']],
    ['> # a\n> - b', ['a', 'b']],
    ['> ~~a~~ `b` c', ['a', ' ', gap, ' c']],
    ['> ```\n> a\n> ```', [gap]],
    ['> ![a](b)', [gap]],
    ['a\n\n| b |\n|---|\n| c |', []],
    ['[a](b)', ['a']],
    ['a', []],
    ['~~a~~', []],
    ['> - [ ] a', ['a']],
  ])('%j: %j', (text, quotes) => expect(spokenQuotes(text)).toEqual(quotes));
});

describe('what was chosen to be quoted', () => {
  const mail = 'On 16.11.2026 Bob wrote:';
  it.each<[string, string[]]>([
    ['> a\n>\n> > b\n\nc', ['a', 'b']],
    ['> a\n\n[b](c)', ['a']],
    ['a', []],
    [`a\n\n${mail}\n\n> b`, []],
    [`${mail}\n\n> a\n\nb\n\n> c\n\n[d](e)`, ['c']],
    [`${mail}\n\n> a\n\n> b`, ['b']],
    ['a\n\n--\nBob\n\n> b\n\n> c', []],
  ])('%j: %j', (text, passages) => expect(spokenPassages(text)).toEqual(passages));
});

describe('more may be said than is read', () => {
  const deep = (depth: number): string => `${'- '.repeat(depth)}a`;
  it.each([
    ['a note', '> [!NOTE]\n> a'],
    ['a note with blanks', '>\t [!WARNING]\n> a'],
    ['settings at the head', '---\na: b\n---\nc'],
    ['a line that nests too deep', `a\n\n${'> '.repeat(150)}b`],
    ['a list that nests too deep', deep(60)],
    ['a footnote', 'a\n[^1]: b'],
    ['a sign that looks like a quote', 'a\n＞ b'],
    ['a quote by an entity', 'a\n&gt; b'],
    ['a signature that is none', 'a\n\n--\nbut only tomorrow'],
    ['a signature under a heading that is none', 'a\n--\nbut only tomorrow'],
    ['a name under two hyphens', 'a\n\n--\nBob'],
    ['a name under a heading', 'a\n--\nBob'],
    ['a name under a signature', 'a\n\n--\nbob@example.org\n\nBob'],
    ['a mail without a date', 'a\n\nOn Monday Bob wrote:\n\nb'],
    ['a mail right after what was none', 'On Monday Bob wrote:\n\n> b\n\nOn 16.11.2026 Bob wrote:\n\n> d'],
    [
      'a mail after what was none',
      'a\n\nOn Monday Bob wrote:\n\n> b\n\nc\n\nOn 16.11.2026 Bob wrote:\n\n> d',
    ],
  ])('%s', (_, text) => expect(isPartlyRead(text)).toBe(true));
  it.each([
    ['plain words', 'a'],
    ['a quote', '> a\n\nb'],
    ['a note in a quote', '> > [!NOTE]\n> > a'],
    ['a quote that only names one', '> a [!NOTE]'],
    ['a rule', 'a\n\n---\n\nb'],
    ['a list', deep(20)],
    ['a footnote that is named', 'a[^1] b'],
    ['a signature', 'a\n\n--\nbob@example.org'],
    ['a signature under a heading', 'a\n--\nbob@example.org'],
    ['nothing under two hyphens', 'a\n\n--'],
    ['a mail', 'a\n\nOn 16.11.2026 Bob wrote:\n\n> b'],
    ['two mails', 'a\n\nOn 16.11.2026 Bob wrote:\n\n> b\n\nc\n\nOn 17.11.2026 Bob wrote:\n\n> d'],
    ['a signature with a line under it', 'a\n\n--\nbob@example.org\n\nbob@example.org\n--'],
    ['a box', '- [ ] a'],
    ['HTML', '<div>a</div>'],
  ])('not with %s', (_, text) => expect(isPartlyRead(text)).toBe(false));
});

describe('lines', () => {
  it.each<[string, string[][]]>([
    ['a\nb  \nc', [['a', 'b', 'c']]],
    ['a<br>b', [['a', 'b']]],
    ['a <!-- x --> b', [['a b']]],
    ['a   b', [['a b']]],
    ['# a\n\nb', [['a'], ['b']]],
    ['a\n--\nBob', [['a']]],
    ['a\n--  \nBob', [['a']]],
    ['a\n  --\nBob', [['a']]],
    ['a\n---\nBob', [['a'], ['Bob']]],
    ['a\n==\nBob', [['a'], ['Bob']]],
    ['# a --\n\nBob', [['a --'], ['Bob']]],
    ['[x]: y\n\na', [['a']]],
    ['- a\n\n  b', [['a'], ['b']]],
    ['<!-- x -->\n\na', [['a']]],
    ['<br>\n\na', [['a']]],
    ['<b>\n\na', [[gap], [gap]]],
    ['a<br><br>b', [['a', 'b']]],
    ['a<br> --<br>Bob', [['a']]],
    ['--\nBob', []],
    ['a\rb', [['a', 'b']]],
  ])('%j', (text, lines) => expect(spokenLines(text)).toEqual(lines));

  it('keeps apart what is half emphasised, and no more', () => {
    for (const [text, block] of [
      ['ap**prove**', `ap${gap}prove`],
      ['**ap**prove', `ap${gap}prove`],
      ['1**2**', `1${gap}2`],
      ['/**approve**', `/${gap}approve`],
      ['.**approve**', `.${gap}approve`],
      ['-**approve**', `-${gap}approve`],
      ['@**claude**', `@${gap}claude`],
      ['x_**y**', `x_${gap}y`],
      ['**x**_', `x${gap}_`],
      ['**x**@claude', `x${gap}@claude`],
      ['**x**-y', `x${gap}-y`],
      ['**x**.', 'x.'],
      ['**x**/y', 'x/y'],
      ['!**x**', '!x'],
      ['(**x**)', '(x)'],
      ['x **y** z', 'x y z'],
    ] as const)
      expect(spokenBlocks(text), text).toEqual([block]);
  });
});

describe('a call', () => {
  it.each([
    '@claude',
    'a @claude',
    'a,@claude',
    'a;@claude',
    'a–@claude',
    'a—@claude',
    '(@claude)',
    '@claude, a',
    '@claude; a',
    '@claude: a',
    '@claude. A',
    '@claude!',
    '@claude?',
    '@claude…',
    '@claude?!?!?!?!?',
    '@claude –a',
    '@claude–a',
    '@claude—a',
    '@claude...) a',
    '@CLAUDE a',
    '@bob @claude',
    '@claudette @claude',
  ])('%s', (text) => {
    expect(mentions(text, 'claude')).toBe(true);
    expect(mentions(text, 'CLAUDE')).toBe(true);
  });
  it.each([
    'claude',
    'x@claude',
    '.@claude',
    '/@claude',
    '-@claude',
    '_@claude',
    ':@claude',
    '@claude.a',
    '@claude:a',
    '@claude!a',
    '@claude/a',
    '@claude_a',
    '@claude-a',
    "@claude's",
    '@claude?!?!?!?!?!',
    '@c\u217Caude',
    '@claud',
    '@\u212Aclaude',
  ])('no call: %s', (text) => expect(mentions(text, 'claude')).toBe(false));
  it('has letters of ASCII only', () => expect(mentions('@\u212Aim', 'kim')).toBe(false));
});

describe('withoutMention', () => {
  it.each([
    ['@bot a', 'a'],
    ['@bot, a', 'a'],
    ['@bot: a', 'a'],
    ['@bot; a', '; a'],
    ['@bot; a, b: c', '; a, b: c'],
    ['a @bot b @BOT: c', 'a b c'],
    ['a', 'a'],
    ['  a   b  ', 'a b'],
    ['@bots a', '@bots a'],
    ['a @bot', 'a'],
  ])('%j leaves %j', (block, rest) => expect(withoutMention(block, 'bot')).toBe(rest));
});

describe('calledSentences', () => {
  it.each<[string, string[]]>([
    ['@bot a', ['@bot a']],
    ['@bot a. @bot b! @bot c; @bot d', ['@bot a.', '@bot b!', '@bot c;', '@bot d']],
    ['a @bot b', []],
    ['a. @bot b', ['@bot b']],
    ['a.  @bot b', []],
    ['a, @bot b', []],
    ['a? @bot b', []],
    ['a: @bot b', []],
    ['@bot a and @bot b', ['@bot a and @bot b']],
    ['. @bot a', ['@bot a']],
    ['! @bot a', ['@bot a']],
  ])('%j: %j', (block, parts) => expect(calledSentences(block, 'bot')).toEqual(parts));
});

it('keeps a few comments in mind and reads each for itself', () => {
  const texts = Array.from({ length: 12 }, (_, index) => `text ${index}`);
  for (const text of [...texts, ...texts.toReversed()]) expect(spokenBlocks(text)).toEqual([text]);
});
