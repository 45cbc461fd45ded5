import { describe, expect, it } from 'vitest';
import { gap, isPartlyRead, mentions, spokenBlocks, withoutMention } from './spoken-text.ts';

describe('mentions', () => {
  it.each([
    '@gatewright do it',
    'Hey @Gatewright, please',
    '- item\n- @gatewright',
    '**@gatewright**',
    '(@gatewright)',
  ])('hears %j', (text) => expect(mentions(text, 'gatewright')).toBe(true));

  it.each([
    'gatewright',
    '@gatewright-bot',
    '@gatewrights',
    'me@gatewright',
    'a@gatewright.example',
    '@gatewright.example',
    '`@gatewright`',
    '```\n@gatewright\n```',
    '> @gatewright do it',
    '<!-- @gatewright -->',
    '@@gatewright',
    'https://example.com/@gatewright',
  ])('does not hear %j', (text) => expect(mentions(text, 'gatewright')).toBe(false));

  it('takes the handle as it is, whatever signs are in it', () => {
    expect(mentions('@a.b', 'a.b')).toBe(true);
    expect(mentions('@axb', 'a.b')).toBe(false);
  });
});

describe('spokenBlocks', () => {
  it('keeps the words of the writer, block by block', () => {
    expect(spokenBlocks('# Title\n\nOne `two` three\n\n> quoted\n\n- a\n- b\n\n```\ncode\n```\n')).toEqual([
      'Title',
      `One ${gap} three`,
      'a',
      'b',
      gap,
    ]);
  });

  it('survives absurd nesting', () => {
    expect(spokenBlocks(`${'> '.repeat(5_000)}x\n\n${'- '.repeat(5_000)}y`)).toEqual([]);
  });
});

describe('a sign that is written as an entity', () => {
  it.each([
    ['amp', '&'],
    ['lt', '<'],
    ['quot', '"'],
    ['apos', "'"],
    ['#39', "'"],
  ])('&%s; is the sign', (name, sign) => expect(spokenBlocks(`a&${name};b`)).toEqual([`a${sign}b`]));
  it('&nbsp; is a space, and &gt; begins a quote', () => {
    expect(spokenBlocks('a&nbsp;b')).toEqual(['a b']);
    expect(spokenBlocks('a&gt;b')).toEqual(['a>b']);
    expect(spokenBlocks('a\n&gt; b\nc')).toEqual(['a']);
  });
  it.each(['&commat;', '&#64;', '&#x40;', '&#97;', '&Aacute;', '&constructor;'])('%s is none', (entity) =>
    expect(spokenBlocks(`x${entity}y`)).toEqual([
      entity === '&constructor;' ? 'x&constructor;y' : `x${gap}y`,
    ]),
  );
  it('does not take a sign for the one before it', () =>
    expect(spokenBlocks('&#64; &amp; &#64;')).toEqual([`${gap} & ${gap}`]));
});

describe('a sign with a backslash', () => {
  it('is the sign, except where it would call', () =>
    expect(spokenBlocks('a\\_b \\* \\@claude')).toEqual([`a_b * ${gap}claude`]));
});

describe('what is left of a block', () => {
  it.each<[string, string[]]>([
    ['a ~~b~~ c', [`a ${gap} c`]],
    ['a ~b~ c', [`a ${gap} c`]],
    ['a [b](c) d', [`a ${gap} d`]],
    ['a ![b](c) d', [`a ${gap} d`]],
    ['a <https://b.example> c', [`a ${gap} c`]],
    ['a https://b.example/c d', [`a ${gap} d`]],
    ['a WWW.b.example/c d', [`a ${gap} d`]],
    ['a mailto:b@c d', [`a ${gap} d`]],
    ['a $b$ c', [`a ${gap} c`]],
    ['a $5 and $6 c', ['a $5 and $6 c']],
    ['a $$b c$$ d', [`a ${gap} d`]],
    ['a $$b c', [`a ${gap}`]],
    ['a\n[^1]: b', ['a']],
    ['a[^1] b', ['a[^1] b']],
    ['a\n\\> b\nc', ['a']],
    ['a\n＞ b', ['a']],
    ['[ ] a', [gap]],
    ['[] a', [gap]],
    ['[x] a', [gap]],
    ['[✓] a', [gap]],
    ['［x］ a', [gap]],
    ['• [ ] a', [gap]],
    ['- [ ] a\n\n  b', [gap]],
    ['- [✓] a\n\n  b', [gap]],
    ['1. [ ] a\n2. b', [gap, 'b']],
    ['- [x](y) a', [`${gap} a`]],
    ['[WIP] a', ['[WIP] a']],
    ['a \u202Eb', [gap]],
    ['a \u2066b', [gap]],
    ['a "b" c', ['a "b" c']],
    ['a "@b c" d', [`a ${gap} d`]],
    ['a "@b c', [`a ${gap}`]],
    ['a 5" @b c', ['a 5" @b c']],
    ['a “@b” c', [`a ${gap} c`]],
    ['a „@b“ c', [`a ${gap} c`]],
    ['a «@b» c', [`a ${gap} c`]],
    ['a **b** c', ['a b c']],
    ['a **b**c', [`a b${gap}c`]],
    ['**a**!', ['a!']],
    ['a  \nb', ['a b']],
    ['a<br>b', ['a b']],
    ['a<!-- b -->c', ['a c']],
    ['---\na: b\n---\nc', ['c']],
    ['---\na: b\n...\nc', ['c']],
    ['---\na\n', ['a']],
    ['a\r\n\r\nb\rc', ['a', 'b c']],
    ['| a |\n|---|\n| b |', [gap]],
    ['    a', [gap]],
    ['> a\nb', []],
    ['> - a\n>\n> # b', []],
    ['a *b* c', ['a b c']],
    ['a http://b.example/c d', [`a ${gap} d`]],
    ['a $bcd$ e', [`a ${gap} e`]],
    ['a\n[^12]: b', ['a']],
    ['a [^1]: b', ['a [^1]: b']],
    ['a [x] b', ['a [x] b']],
    ['•[ ] a', [gap]],
    ['- a\n  - [ ] b\n  - c', ['a', gap, 'c']],
    ['12. [✓] a\n\n    b', [gap]],
    ['-  [✓] a\n\n   b', [gap]],
    ['- [ ✓ ] a\n\n  b', [gap]],
    ['- [✓ ] a\n\n  b', [gap]],
    ['- [] a\n\n  b', [gap]],
    ['- [xy]: z\n  [ ] a\n\n  b', [gap]],
    ['"@b c" d', [`${gap} d`]],
    ['a “@b c', [`a ${gap}`]],
    ['a «@b c', [`a ${gap}`]],
    ['a\n\n---\n\nb\n\n---\n\nc', ['a', 'b', 'c']],
    ['--- \na: b\n---\nc', ['c']],
    ['---\na: b\nc: d\n---\ne', ['e']],
    ['---\na: b\n---', []],
    ['a<br><br>b', ['a b']],
    ['a\n\nOn 16.11.2026 Bob wrote:\n\nb', ['a']],
    ['a\n\nOn 16.11.2026 Bob wrote:\n\n> b\n\nc', ['a', 'c']],
    ['a\n\n--\nBob\n\n> b\n\nc', ['a']],
    ['a\n\n-----  Original Message  -----\nb', ['a']],
    ['> a\n--\n\nb', ['b']],
  ])('%j', (text, blocks) => expect(spokenBlocks(text)).toEqual(blocks));

  it('is all that stands before a line that nests too deep', () =>
    expect(spokenBlocks(`a\n\nb\n\n${'> '.repeat(150)}c\nd\n\ne`)).toEqual(['a', 'b']));

  it('is nothing that nests too deep', () =>
    expect(spokenBlocks(`${'- '.repeat(60)}a\n\nb <b>c</b>`)).toEqual([gap.repeat(4)]));

  it('is what nests in fifty things, and not in more', () => {
    const lists = (depth: number): string => '- '.repeat(depth);
    expect(spokenBlocks(`${lists(24)}**a**`)).toEqual(['a']);
    expect(spokenBlocks(`${lists(24)}***a***`)).toEqual([gap]);
    expect(isPartlyRead(`${lists(25)}a`)).toBe(false);
    expect(spokenBlocks(`${lists(25)}a`)).toEqual([gap]);
    expect(isPartlyRead(`${lists(26)}a`)).toBe(true);
    expect(spokenBlocks(`${lists(26)}a`)).toEqual([]);
  });

  it('is nothing after emphasis that nests too deep, since HTML may have begun in it', () => {
    let emphasised = '<b>b</b>';
    for (let depth = 0; depth < 60; depth += 2) emphasised = `*a __a ${emphasised} c__ c*`;
    const [first, ...rest] = spokenBlocks(`${emphasised}\n\nd`);
    expect(first).toMatch(/^(?:a ){49}\uFFFC+$/u);
    expect(rest).toEqual([gap]);
  });
});

describe('withoutMention', () => {
  it('leaves the rest', () => {
    expect(withoutMention('@bot: do this, @bot', 'bot')).toBe('do this,');
  });
});
