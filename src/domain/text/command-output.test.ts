import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startProcessorClock } from '../../../test/support/processor-time.ts';
import { lastLines, quoteOutput } from './command-output.ts';
import { hasUnsafeCharacters } from './untrusted-text.ts';

/** Assembled, so that nothing that looks for keys in files takes it for a real one. */
const token = ['ghp', 'a1B2'.repeat(9)].join('_');

describe('lastLines', () => {
  it.each([
    ['nothing', '', ''],
    ['nothing but spaces', ' \n\t\n', ''],
    ['one line', 'npm error code E404\n', 'npm error code E404'],
    ['several lines, in their order', 'first\n\nsecond\r\nthird\n', 'first / second / third'],
    ['colours', '\u001B[31mred\u001B[0m', 'red'],
    ['what moves the cursor', 'a\u001B[2Jb', 'a\\u{1b}[2Jb'],
    ['a token', `fetching with ${token}`, 'fetching with [hidden]'],
    ['a token with a colour in its middle', `x ${token.slice(0, 9)}\u001B[1m${token.slice(9)}`, 'x [hidden]'],
    [
      'a password in an address',
      'https://me:hunter22@registry.example/x',
      'https://me:[hidden]@registry.example/x',
    ],
  ])('%s', (_, output, said) => expect(lastLines(output)).toBe(said));

  it('keeps the end: eight lines, and 600 characters', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(lastLines(lines.join('\n'))).toBe(lines.slice(-8).join(' / '));
    const long = lastLines(`begin ${'many words '.repeat(400)}end`);
    expect(long).toHaveLength(600);
    expect(long).toMatch(/^….*end$/u);
  });
});

describe('quoteOutput', () => {
  it('is a block of code, or nothing', () => {
    expect(quoteOutput('one\ntwo\n')).toEqual(['', '```text', 'one\ntwo', '```']);
    expect(quoteOutput(' \n')).toEqual([]);
    expect(quoteOutput('````\nx')).toEqual(['', '`````text', '````\nx', '`````']);
  });

  it('says that an earlier part is missing', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(quoteOutput(lines.join('\n'))[2]).toBe(['…', ...lines.slice(-30)].join('\n'));
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    '`',
    '```',
    '~~~',
    '\n',
    '\r',
    '\r\n',
    '\u001B[31m',
    '\u001B]8;;x\u0007',
    '\u202E',
    '\u2028',
    ' ',
  ),
  fc.constantFrom(token, `token=${token}`, '@alice', '#12', '<!--', '-----BEGIN RSA PRIVATE KEY-----'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const outputs = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));

function expectHarmless(output: string): void {
  const line = lastLines(output);
  expect(line.length).toBeLessThanOrEqual(600);
  expect(line).not.toMatch(/[\n\r]/u);
  const block = quoteOutput(output);
  const text = block[2] ?? '';
  const fence = block[3] ?? '```';
  expect(text.split('\n').length).toBeLessThanOrEqual(31);
  expect(text.length).toBeLessThanOrEqual(3002);
  // No line in it closes the block.
  expect(text.split('\n').filter((one) => one.trim().startsWith(fence))).toEqual([]);
  for (const shown of [line, text]) {
    expect(shown).not.toContain(token);
    expect(hasUnsafeCharacters(shown)).toBe(false);
  }
}

describe('whatever a command prints', () => {
  it('shows no token and stays in its place', () => {
    fc.assert(fc.property(outputs, expectHarmless), { numRuns: 300 });
  });
});

it('shows the end of a long output at once, whatever is in it', () => {
  const elapsed = startProcessorClock();
  for (const part of ['\u{E0001}', '\0', '😀', 'word ']) {
    const [, , text = ''] = quoteOutput(part.repeat(40_000));
    expect(text.startsWith('…')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(text.isWellFormed()).toBe(true);
  }
  // Shifting character after character from an array of them took 30 s.
  expect(elapsed()).toBeLessThan(10_000);
});
