/** Equal values have equal text, and so equal hashes; otherwise a chain would break without anybody touching it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { canonicalJson, isSignatureValid, type Json, sha256, shortHash, signText } from './hash.ts';

const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('a', 'b', 'B', '__proto__', '10', '9', '\u202E', '"'),
);

const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((fields) => Object.fromEntries(fields)),
  ),
}));

/** The same value with all keys put in the opposite order. */
function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, reversed(field)]),
  );
}

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('reads back as the value, and writes the same again', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        const back = JSON.parse(text) as Json;
        expect(back).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(back)).toBe(text);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('tells different values apart', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = JSON.stringify(reversed(reversed(one))) === JSON.stringify(reversed(reversed(other)));
        if (isSame) expect(canonicalJson(one)).toBe(canonicalJson(other));
        if (canonicalJson(one) === canonicalJson(other))
          expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(other)));
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it.each<[Json, string]>([
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [{ b: 1, a: [true, { d: 1, c: 2 }] }, '{"a":[true,{"c":2,"d":1}],"b":1}'],
    [{ '10': 1, '9': 2, a: 3 }, '{"10":1,"9":2,"a":3}'],
    [[], '[]'],
    [{}, '{}'],
  ])('writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([undefined, () => 1, Symbol('x')])('refuses what JSON cannot hold: %s', (value) => {
    const thrown = expect.objectContaining({
      code: 'internal',
      message: expect.stringContaining(typeof value),
    });
    for (const holder of [value, [value], { a: [value] }])
      expect(() => canonicalJson(holder as unknown as Json)).toThrow(thrown);
  });

  it('leaves out fields that are not set', () => {
    const value = { a: 1, b: undefined } as unknown as Json;
    expect(canonicalJson(value)).toBe('{"a":1}');
  });
});

describe('hashes and signatures', () => {
  it('are the known ones', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(signText('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect(shortHash('0123456789abcdef')).toBe('01234567');
  });

  it.each([
    ['the right key and text', 'key', 'text', true],
    ['another key', 'other', 'text', false],
    ['another text', 'key', 'texts', false],
  ])('with %s', (_, signingKey, text, isValid) => {
    expect(isSignatureValid(signingKey, text, signText('key', 'text'))).toBe(isValid);
  });

  it.each(['', 'short', 'é'.repeat(32)])('refuses the signature %j without failing', (signature) => {
    expect(isSignatureValid('key', 'text', signature)).toBe(false);
  });
});
