/** On a screen, text from elsewhere may not move the cursor, change colours, hide or reorder what is read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import {
  escapeAroundColours,
  escapeForJson,
  escapeForLine,
  escapeForTerminal,
  hasUnsafeCharacters,
} from './untrusted-text.ts';

const fragments = [
  '\u001B[31m',
  '\u001B]0;title\u0007',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\0',
  '\u202E',
  '\u2066',
  '\u200B',
  '\uFEFF',
  '\u{E0041}',
  '\u009B',
  '\u2028',
  'a',
  'é',
  '💥',
  '\uD800',
  '\\u{1b}',
];

const anyText = fc.oneof(
  {
    weight: 500,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join('')),
  },
  { weight: 300, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
  { weight: 200, arbitrary: fc.string({ unit: 'grapheme', maxLength: 100 }) },
  { weight: 5, arbitrary: fc.constantFrom(...fragments).map((part) => part.repeat(10_000).slice(0, 10_000)) },
);

/** Said with Unicode properties, where the source lists code points. */
const dangerous =
  /(?![\n\t])\p{Cc}|\p{Bidi_Control}|[\u200B-\u200D\u2028\u2029\u2060\uFEFF]|[\u{E0000}-\u{E007F}]/u;

describe('escapeForTerminal', () => {
  it('leaves no control, reordering or hidden characters but line breaks and tabs', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeForTerminal(text);
        expect(shown).not.toMatch(dangerous);
        expect(hasUnsafeCharacters(shown)).toBe(false);
        expect(escapeForTerminal(shown)).toBe(shown);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('changes nothing in text without such characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const isPlain = !dangerous.test(text) && !hasUnsafeCharacters(text);
        if (isPlain) expect(escapeForTerminal(text)).toBe(text);
        else expect(escapeForTerminal(text)).not.toBe(text);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each([
    ['\u001B[31mred', '\\u{1b}[31mred'],
    ['a\u202Eb', 'a\\u{202e}b'],
    ['a\r\nb', 'a\nb'],
    ['a\rb', 'a\\u{d}b'],
    ['a\tb\nc', 'a\tb\nc'],
    ['\u{E0041}', '\\u{e0041}'],
    ['Größe 💥', 'Größe 💥'],
  ])('shows %j as %j', (text, shown) => {
    expect(escapeForTerminal(text)).toBe(shown);
  });
});

describe('escapeForJson', () => {
  it('means the same, and holds nothing that moves, reorders or hides anything', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = escapeForJson(JSON.stringify({ [text]: text }, null, 2));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(json).not.toMatch(dangerous);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

describe('escapeAroundColours', () => {
  it('leaves colours, and nothing else of what escapeForTerminal takes away', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const shown = escapeAroundColours(`${before}\u001B[1;31mred\u001B[0m${after}`);
        expect(shown).toContain('\u001B[1;31mred\u001B[0m');
        expect(shown.replaceAll(/\u001B\[[\d;]*m/gu, '')).not.toMatch(dangerous);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});

describe('escapeForLine', () => {
  it('is one safe line of at most the given width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
        const line = escapeForLine(text, width);
        expect(line).not.toMatch(/[\r\n\t]/u);
        expect(line).not.toMatch(dangerous);
        expect([...line].length).toBeLessThanOrEqual(width);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each([
    ['a\n b\t\tc', 20, 'a b c'],
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['💥💥💥', 2, '💥…'],
  ])('%j in %i columns is %j', (text, width, line) => {
    expect(escapeForLine(text, width)).toBe(line);
  });
});

describe('hasUnsafeCharacters', () => {
  it.each([
    ['plain', false],
    ['tab\tand\nbreak', false],
    ['a\u200Db', true],
    ['a\u00ADb', true],
    ['\u{E0020}', true],
  ])('%j: %s, and the same when asked again', (text, isUnsafe) => {
    expect([hasUnsafeCharacters(text), hasUnsafeCharacters(text)]).toEqual([isUnsafe, isUnsafe]);
  });
});
