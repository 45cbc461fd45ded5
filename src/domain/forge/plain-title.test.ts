/** What commits say: words of models and strangers that a forge and git do not act on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, plainTitle } from './plain-title.ts';

/** Words that forges act on, in any mixture with other text. */
const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...['fixes #1', 'Closes o/r#22', 'GH-3', '@alice', ' @org/team', 'https://github.com/o/r/issues/4'],
      ...['[skip ci]', '[ci skip]', '[no ci]', '[Skip Actions]', '[actions skip]', '***NO_CI***'],
      ...['\nCo-authored-by: Eve <e@x>', '\nSigned-off-by: Eve', '\n\n\nskip-checks: true', '\r', '\u2028'],
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  ),
  { maxLength: 12 },
);

function expectQuiet(text: string): void {
  expect(text).not.toMatch(/#\d|\bGH-\d/iu);
  expect(text).not.toMatch(/(?<![A-Za-z0-9])@\w/u);
  expect(text).not.toMatch(/https?:\/\//iu);
  expect(text).not.toMatch(/\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|\*{3}NO_CI\*{3}/iu);
  expect(text).not.toMatch(/^\s*(?:co-authored-by|signed-off-by|skip-checks):/imu);
}

describe('plainText', () => {
  it('keeps lines and paragraphs', () => {
    expect(plainText('One.\n\n\n\n- two\r\n- three\n')).toBe('One.\n\n- two\n- three');
  });

  it('holds nothing that a forge acts on', () => {
    fc.assert(fc.property(words, (parts) => expectQuiet(plainText(parts.join('')))));
    fc.assert(fc.property(words, (parts) => expectQuiet(plainText(parts.join(' ')))));
  });
});

describe('plainTitle', () => {
  it('is one quiet line', () => {
    fc.assert(
      fc.property(words, (parts) => {
        const title = plainTitle(parts.join(' '), 7).replace('Work on #7', 'Work');
        expectQuiet(title);
        expect(title).not.toContain('\n');
      }),
    );
  });
});
