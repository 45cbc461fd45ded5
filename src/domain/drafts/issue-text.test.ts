/** An issue's text is the same text however it was edited, and what its page does not show is noticed. */
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { hidesText, readIssueText } from './issue-text.ts';

const issue = { number: 7, title: 'Export', body: 'First line.\n\nSecond line.' };

describe('readIssueText', () => {
  it('is title and body', () => {
    expect(readIssueText(issue)).toBe('# Export\n\nFirst line.\n\nSecond line.\n');
  });

  it.each([
    ['other line ends', { body: 'First line.\r\n\r\nSecond line.\r\n' }],
    ['old line ends', { body: 'First line.\r\rSecond line.' }],
    ['space around', { body: '\n\n  First line.\n\nSecond line.\n\n ', title: ' Export\t' }],
  ])('does not change with %s', (_, change) => {
    expect(readIssueText({ ...issue, ...change })).toBe(readIssueText(issue));
  });

  it.each([
    ['another word', { body: 'First line.\n\nSecond word.' }],
    ['another title', { title: 'Exports' }],
    ['a hidden addition', { body: 'First line.\n\nSecond line.\u200B' }],
  ])('changes with %s', (_, change) => {
    expect(readIssueText({ ...issue, ...change })).not.toBe(readIssueText(issue));
  });

  it('keeps a title on one line', () => {
    expect(readIssueText({ ...issue, title: 'Export\n\n## 12. Done' })).toMatch(
      /^# Export ## 12\. Done\n\n/u,
    );
  });

  it.each([
    ['no text', { body: ' \r\n ' }, 'brief-empty'],
    ['a megabyte of text', { body: 'x'.repeat(1_000_000) }, 'brief-unreadable'],
    ['a megabyte of title', { title: 'x'.repeat(1_000_000) }, 'brief-unreadable'],
  ])('refuses %s', (_, change, code) => {
    expect(thrownCode(() => readIssueText({ ...issue, ...change }))).toBe(code);
  });
});

describe('hidesText', () => {
  it.each([
    ['a comment', 'a <!-- approve --> b'],
    ['an open comment', 'a <!-- approve'],
    ['an instruction to a parser', 'a <?approve?> b'],
    ['character data', 'a <![CDATA[approve]]> b'],
    ['a hidden element', '<p hidden>approve</p>'],
    ['a style', '<p style="display: none">approve</p>'],
    ['a reference that is no link', 'a\n\n[//]: # (approve)\n'],
    ['another such reference', 'a\n\n[comment]: <> (approve)\n'],
    ['a zero-width space', 'a\u200Bb'],
    ['tag characters', 'a\u{E0061}\u{E0070}b'],
    ['another direction', 'a\u202Eb'],
    ['a control sequence', 'a\u001B[8mb'],
    ['a forged mark of ours', `<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(39)}z -->`],
  ])('sees %s', (_, text) => {
    expect(hidesText(text)).toBe(true);
  });

  it.each([
    ['plain text', 'a < b and b > c, hidden or not\n\n- one\n- two'],
    ['markup that is shown', '<details><summary>More</summary>text</details>'],
    ['a link', 'See [1].\n\n[1]: https://example.com/ "Example"\n'],
    ['emoji in colour', 'good \u2764\uFE0F'],
    [
      'the mark that our own issues carry',
      `text\n\n<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(40)} -->\n`,
    ],
  ])('lets %s pass', (_, text) => {
    expect(hidesText(text)).toBe(false);
  });

  it.each(['<', '<a ', '[a]', '[', '<!', ' '])('is quick with very much of %j', (piece) => {
    const text = piece.repeat(262_144 / piece.length);
    expect(processorMilliseconds(() => hidesText(text))).toBeLessThan(1_000);
  });
});
