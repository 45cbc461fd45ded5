import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosePrefixes, commentPrefixes, kindOfComment } from './prefixes.ts';

describe('kindOfComment', () => {
  it.each(Object.entries(commentPrefixes))(
    'recognises %s with its emoji and by its words alone',
    (kind, prefix) => {
      const words = `## ${prefix.replace(/^## \S+ /u, '')}`;
      for (const line of [prefix, words]) {
        expect(kindOfComment(line)).toBe(kind);
        expect(kindOfComment(`${line}\r\n\r\nmore`)).toBe(kind);
        expect(kindOfComment(`\uFEFF${line} 12\nmore`)).toBe(kind);
      }
    },
  );

  it.each([
    ['another line before it', `hello\n${commentPrefixes.wisp}`],
    ['an empty line before it', `\n${commentPrefixes.wisp}`],
    ['a quote', `> ${commentPrefixes.wisp}`],
    ['code', `    ${commentPrefixes.wisp}`],
    ['another rank', '# 🪶 Wisp'],
    ['another word', '## 🪶 Wisps'],
    ['another emoji', '## 🧪 Wisp'],
    ['the garbled emoji', '## ğŸª¶ Wisp'],
    ['small letters', '## wisp'],
    ['nothing', ''],
    ['a task log without its colon', '## 📝 Task Log US-001'],
  ])('takes %s for no kind', (_, body) => expect(kindOfComment(body)).toBeNull());
});

describe('choosePrefixes', () => {
  it('takes those of a configuration, and recognises them', () => {
    const prefixes = choosePrefixes({ wisp: '## 🌬️ Hint', taskLog: '### Attempt' });
    expect(kindOfComment('## 🌬️ Hint', prefixes)).toBe('wisp');
    expect(kindOfComment('## Hint', prefixes)).toBe('wisp');
    expect(kindOfComment('## 🪶 Wisp', prefixes)).toBeNull();
    expect(kindOfComment('### Attempt US-001', prefixes)).toBe('taskLog');
    expect(kindOfComment('## 📋 Implementation Plan', prefixes)).toBe('plan');
  });

  it.each([
    ['no heading', 'Wisp'],
    ['a rank that there is not', '####### Wisp'],
    ['no words', '## 🪶'],
    ['two lines', '## a\n## b'],
    ['a name', '## @alice'],
    ['a mark of an effect', '## <!-- gatewright:effect'],
    ['an invisible character', '## Wi\u200Bsp'],
    ['the prefix of another kind', '## ✅ Plan Approved'],
    ['the beginning of the prefix of another kind', '## Plan'],
    ['more than a heading', `## ${'x'.repeat(200)}`],
    ['a number', 7],
    ['null', null],
  ])('leaves %s out', (_, wisp) => {
    const prefixes = choosePrefixes({ wisp });
    if (wisp === '## Plan') expect(kindOfComment('## Plan Approved', prefixes)).toBe('approved');
    else expect(prefixes).toEqual(commentPrefixes);
  });

  it('always gives each kind a prefix by which exactly that kind is recognised', () => {
    const line = fc.oneof(
      fc.constantFrom(...Object.values(commentPrefixes)),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `## ${text}`),
      fc.constantFrom('## Debug', '## Plan', '## Plan Approved:', '## a', '## a b', '## 🧪 a'),
    );
    const kinds = Object.keys(commentPrefixes);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...kinds, '__proto__', 'other'), line), (overrides) => {
        const prefixes = choosePrefixes(overrides);
        expect(Object.keys(prefixes)).toEqual(kinds);
        for (const [kind, prefix] of Object.entries(prefixes))
          expect(kindOfComment(prefix, prefixes)).toBe(kind);
      }),
      { numRuns: 500 },
    );
  });
});
