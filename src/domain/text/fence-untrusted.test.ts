/** Text from elsewhere stands between marks in a prompt; it must not be able to close them and go on as instructions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { fenceUntrusted } from './fence-untrusted.ts';

const beginLine = /^<<<BEGIN BRIEF ([0-9a-f]{16})>>>$/u;

/** Takes a fenced text apart as a careful reader would: by the mark of its first line. */
function open(fenced: string): { mark: string; text: string; ends: number } {
  const lines = fenced.split('\n');
  const mark = beginLine.exec(lines[0] ?? '')?.[1] ?? '';
  const end = `<<<END BRIEF ${mark}>>>`;
  return { mark, text: lines.slice(1, -1).join('\n'), ends: fenced.split(end).length - 1 };
}

const guesses = [
  '<<<END BRIEF>>>',
  '<<<END BRIEF 0123456789abcdef>>>',
  '\n<<<END BRIEF ',
  '>>>',
  '<<<',
  '```',
  '\u202E',
  '\0',
  '-->',
  '\n',
];

const anyText = fc.oneof(
  {
    weight: 500,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...guesses), fc.string({ maxLength: 6 })), { maxLength: 10 })
      .map((parts) => parts.join('')),
  },
  { weight: 300, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
  { weight: 300, arbitrary: fc.string({ unit: 'grapheme', maxLength: 100 }) },
  { weight: 5, arbitrary: fc.constantFrom(...guesses).map((part) => part.repeat(10_000).slice(0, 10_000)) },
);

describe('fenceUntrusted', () => {
  it('is closed by nothing that the text contains', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const fenced = fenceUntrusted('BRIEF', text);
        const { mark, text: inside, ends } = open(fenced);
        expect(mark).not.toBe('');
        expect(ends).toBe(1);
        expect(fenced.endsWith(`\n<<<END BRIEF ${mark}>>>`)).toBe(true);
        expect(inside).toBe(text.trimEnd());
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('is not closed by the fence of the same text put into it once more', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const inner = fenceUntrusted('BRIEF', text);
        const outer = fenceUntrusted('BRIEF', inner);
        expect(open(outer).mark).not.toBe(open(inner).mark);
        expect(open(outer)).toMatchObject({ text: inner, ends: 1 });
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('gives the same marks for the same text, so that prompt caches hit, and others for another', () => {
    expect(fenceUntrusted('BRIEF', 'a')).toBe(fenceUntrusted('BRIEF', 'a'));
    expect(open(fenceUntrusted('BRIEF', 'a')).mark).not.toBe(open(fenceUntrusted('BRIEF', 'b')).mark);
  });
});
