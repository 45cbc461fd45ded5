/** JSON with places: it takes what JSON.parse takes, refuses what that refuses, and says where. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { parseJson } from './parse-json.ts';

function parsesNatively(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseJson', () => {
  it('reads every value as JSON.parse does, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const parsed = parseJson(text);
        expect(parsed.problems).toEqual([]);
        expect(parsed.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('agrees with JSON.parse on what is no JSON, and never throws', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"b"',
        '"',
        '\\',
        '1',
        '-',
        '.5',
        '01',
        'true',
        'nul',
        ' ',
        '\n',
      ],
      ...['\u0000', '\u2028', '// x', '"\\u12"', '1e5', '1E', '+1'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const parsed = parseJson(text);
        expect(parsed.value !== undefined, text).toBe(parsesNatively(text));
        if (parsed.value === undefined) expect(parsed.problems[0]?.message).toContain('this is not JSON');
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('knows the line of every key and list entry', () => {
    const { placeOf } = parseJson(
      '{\n  "models": {\n    "reviewer": 7\n  },\n  "labels": [\n    1,\n    2]\n}',
    );
    expect(placeOf(['models', 'reviewer'])).toEqual({ line: 3, column: 5 });
    expect(placeOf(['labels', 1])).toEqual({ line: 7, column: 5 });
    expect(placeOf(['models', 'nowhere', 'at', 'all'])).toEqual({ line: 2, column: 3 });
  });

  it.each([
    ['{"a": 1,}', 1, 9, 'key in double quotes'],
    ['{\n  a: 1\n}', 2, 3, 'key in double quotes'],
    ['{"a": 1 "b": 2}', 1, 9, 'expected , or }'],
    ['// x\n{}', 1, 1, 'no comments'],
    ['', 1, 1, 'ends too early'],
    ['{"a": "x\ny"}', 1, 7, 'not closed'],
    ['{} {}', 1, 4, 'more text'],
  ])('%j: line %i, column %i', (text, line, column, message) => {
    const [problem] = parseJson(text).problems;
    expect(problem).toMatchObject({ line, column });
    expect(problem?.message).toContain(message);
  });

  it('refuses a key that is there twice: people would read the first, programs the last', () => {
    expect(parseJson('{"a": 1,\n "a": 2}').problems).toEqual([
      { line: 2, column: 2, message: 'the key "a" is there twice' },
    ]);
  });

  it('a key called __proto__ is a key, a deep file is refused, a mark at the beginning is skipped', () => {
    const { value } = parseJson('{"__proto__": {"polluted": true}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(parseJson('['.repeat(10_000)).problems[0]?.message).toContain('too deeply');
    expect(parseJson('\uFEFF{}').value).toEqual({});
  });
});
