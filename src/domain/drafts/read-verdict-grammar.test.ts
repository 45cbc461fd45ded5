/**
 * Verdict files put together from a grammar: words that hold an approval back, written in any encoding, in any construct
 * of Markdown, at any place of a file in which the approval is ticked. None of them approves.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewOf, isLong } from '../../../test/support/property-runs.ts';
import { constructs, encodings, makePick, reservations } from '../../../test/support/reservation-grammar.ts';
import {
  approvedByHand,
  clean,
  header,
  original,
  withSuggestion,
} from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';
import { renderVerdict } from './verdict.ts';

const suggestion = renderVerdict(withSuggestion, header);
const bases: readonly (readonly [string, string | null])[] = [
  [approvedByHand, original],
  [suggestion, suggestion],
  [renderVerdict(clean, header), renderVerdict(clean, header)],
  ['## Notes\n\nFine.\n\n## Verdict\n\n- [x] **APPROVED**: ready to go on as it is\n', null],
];

/** Other orders of the file. */
const orders: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `\uFEFF${text}`,
  (text) => text.replace(/(## Notes\n[\s\S]*?)(## Verdict\n[\s\S]*)$/u, '$2\n$1'),
  (text) => text.replace(/^([\s\S]*?)(## Notes\n[\s\S]*?)(?=## Verdict)/u, '$2$1'),
  (text) => text.replace(/(- \[x\].*\n)((?:- \[ \].*\n)+)/u, '$2$1'),
  (text) => `${text}\n${text}`,
];

const drawn = fc.record({
  base: fc.constantFrom(...bases),
  words: fc.constantFrom(...reservations),
  encoding: fc.constantFrom(...Object.keys(encodings)),
  other: fc.option(fc.constantFrom(...Object.keys(encodings)), { freq: 3 }),
  construct: fc.constantFrom(...Object.keys(constructs)),
  order: fc.constantFrom(...orders),
  place: fc.oneof(fc.nat(40), fc.constant(-1), fc.constant(-1)),
  isApart: fc.boolean(),
  seed: fc.nat(),
});

function build(one: typeof drawn extends fc.Arbitrary<infer T> ? T : never): string {
  const pick = makePick(one.seed);
  const encode = (name: string | null, text: string): string =>
    encodings[name ?? 'as it is']?.(text, pick) ?? text;
  const words = constructs[one.construct]?.(encode(one.other, encode(one.encoding, one.words))) ?? '';
  const lines = one.base[0].split('\n');
  // Often right under the notes, where sentences of a person may stand.
  const at = one.place === -1 ? lines.indexOf('## Notes') + 1 : one.place % lines.length;
  const space = one.isApart || one.place === -1 ? [''] : [];
  return one.order(
    [...lines.slice(0, at), ...space, ...words.split('\n'), ...space, ...lines.slice(at)].join('\n'),
  );
}

describe('words that hold an approval back', () => {
  it('approve nothing, however they are written and wherever they stand', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const text = build(one);
        expect(readVerdict(text, one.base[1]).decision, text).not.toBe('APPROVED');
      }),
      { numRuns: isLong ? 40_000 : 300 },
    );
  });

  it.each(Object.keys(encodings))('approve nothing as a note: %s', (encoding) => {
    const from = Object.keys(encodings).indexOf(encoding);
    for (const words of fewOf(reservations, 20, from))
      for (const construct of ['a sentence', 'after a sentence', 'an emphasis'])
        for (const seed of [1, 2]) {
          const text = build({
            ...{ base: bases[0] ?? expect.fail(), words, encoding, other: null, construct },
            ...{ order: (same) => same, place: -1, isApart: true, seed },
          });
          expect(readVerdict(text, original).decision, text).not.toBe('APPROVED');
        }
  });

  it('do nothing of the kind where they are not: the files themselves approve', () => {
    for (const [text, rendered] of bases) expect(readVerdict(text, rendered).decision).toBe('APPROVED');
  });
});
