/** Text for property tests: fragments that have hurt parsers, any characters at all, and now and then a very long one. */
import fc from 'fast-check';

export function hostileText(fragments: readonly string[], longest = 120): fc.Arbitrary<string> {
  const pieces = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(''));
  const long = fc.constantFrom(...fragments).map((part) => part.repeat(10_000).slice(0, 10_000));
  return fc.oneof(
    { weight: 600, arbitrary: pieces },
    { weight: 200, arbitrary: fc.string({ unit: 'binary', maxLength: longest }) },
    { weight: 200, arbitrary: fc.string({ unit: 'grapheme', maxLength: longest }) },
    { weight: 2, arbitrary: long },
  );
}
