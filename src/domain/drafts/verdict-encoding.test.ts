/** A verdict file that was saved in another encoding: it is read, or the person is told which encoding it has. */
import { describe, expect, it } from 'vitest';
import { approvedByHand, original } from '../../../test/support/verdict-files.ts';
import { readVerdict } from './read-verdict.ts';
import { doubtEncoding } from './verdict-encoding.ts';

const ok = '- [x] **APPROVED**: ready to go on as it is';
const why = (text: string, rendered: string | null): string | null => readVerdict(text, rendered).unclear;

describe('the encoding of the file', () => {
  /** As the file is read: bytes that are no UTF-8 become replacement characters. */
  const asRead = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const wide = (text: string, isLittle: boolean): Uint8Array =>
    Uint8Array.from(
      [...text].flatMap((sign) => {
        const code = sign.codePointAt(0) ?? 0;
        const [high, low] = [code >> 8, code & 255];
        return isLittle ? [low, high] : [high, low];
      }),
    );

  it.each([
    ['APPROVED', approvedByHand],
    ['REVISE', original],
    ['DISCUSS', original.replace('[x]', '[ ]').replace('[ ] **DISCUSS**', '[x] **DISCUSS**')],
  ])('a byte order mark at the beginning changes nothing: %s', (decision, text) => {
    for (const ends of ['\n', '\r\n']) {
      const saved = `\uFEFF${text.replaceAll('\n', ends)}`;
      expect(readVerdict(saved, original)).toEqual({ decision, unclear: null });
      expect(readVerdict(saved, `\uFEFF${original}`)).toEqual({ decision, unclear: null });
    }
  });
  it('a byte order mark before nothing but the boxes changes nothing', () =>
    expect(readVerdict(`\uFEFF## Verdict\n\n${ok}\n`).decision).toBe('APPROVED'));
  it('a second one, or one further on, is a sign of its own', () => {
    for (const text of [
      `\uFEFF\uFEFF${approvedByHand}`,
      approvedByHand.replace('## Verdict', '\uFEFF## Verdict'),
      approvedByHand.replace('- [x]', '\uFEFF- [x]'),
    ])
      expect(readVerdict(text, original).decision).toBeNull();
  });

  it.each([
    ['UTF-16', 'with its mark, little end first', wide(`\uFEFF${approvedByHand}`, true)],
    ['UTF-16', 'with its mark, big end first', wide(`\uFEFF${approvedByHand}`, false)],
    ['UTF-16', 'without a mark, little end first', wide(approvedByHand, true)],
    ['UTF-16', 'without a mark, big end first', wide(approvedByHand, false)],
    [
      'UTF-32',
      'little end first',
      Uint8Array.from([...`\uFEFF${approvedByHand}`].flatMap((one) => [...wide(one, true), 0, 0])),
    ],
    [
      'UTF-32',
      'big end first',
      Uint8Array.from([...`\uFEFF${approvedByHand}`].flatMap((one) => [0, 0, ...wide(one, false)])),
    ],
  ])('%s %s is named', (name, _, bytes) =>
    expect(readVerdict(asRead(bytes), original)).toEqual({
      decision: null,
      unclear: `The file is encoded as ${name}. Save it as UTF-8.`,
    }),
  );
  it('any other encoding is told, unless the reviewer wrote such signs', () => {
    const latin = Uint8Array.from(
      [...approvedByHand.replace('It decides', '\xFCber')].map((one) => one.charCodeAt(0) & 255),
    );
    const said = 'The file is not valid UTF-8. Save it as UTF-8.';
    expect(why(asRead(latin), original)).toBe(said);
    expect(
      why(
        asRead(latin)
          .replace('[x] **APPROVED**', '[ ] **APPROVED**')
          .replace('[ ] **REVISE**', '[x] **REVISE**'),
        original,
      ),
    ).toBe(said);
    const signs = (text: string): string => text.replace('One thing', 'One \uFFFD thing');
    expect(why(signs(approvedByHand), signs(original))).toBeNull();
    expect(why(`${original}\u0000`, original)).toBe(
      'The file has characters in it that are no text. Delete them.',
    );
  });
});

describe('signs that no text has', () => {
  const wide = 'The file is encoded as UTF-16. Save it as UTF-8.';
  const invalid = 'The file is not valid UTF-8. Save it as UTF-8.';
  const noText = 'The file has characters in it that are no text. Delete them.';
  it('are told, unless they were rendered', () => {
    expect(doubtEncoding('\uFFFD\uFFFDabc', null)).toBe(wide);
    expect(doubtEncoding('abc\uFFFD\uFFFD', null)).toBe(invalid);
    expect(doubtEncoding('a\0b\0', null)).toBe(wide);
    expect(doubtEncoding('abc\0', null)).toBe(noText);
    expect(doubtEncoding('abc\0\0\0', null)).toBe('The file is encoded as UTF-32. Save it as UTF-8.');
    expect(doubtEncoding('\uFFFD\uFFFDabc', '\uFFFD\uFFFDabc')).toBeNull();
    expect(doubtEncoding('a\0b\0', 'a\0b\0')).toBeNull();
    expect(doubtEncoding('a\0b\0\uFFFD', 'a\0b\0')).toBe(wide);
    expect(doubtEncoding('a\u0008', 'a')).toBe(noText);
    expect(doubtEncoding('a\t\n\r', null)).toBeNull();
  });
});
