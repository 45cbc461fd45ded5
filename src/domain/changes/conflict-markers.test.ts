import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMarkersLeft } from './conflict-markers.ts';

const none = { ours: 'ours\n', theirs: 'theirs\n', marked: null };
const marked = '<<<<<<< a\nours\n||||||| b\n=======\ntheirs\n>>>>>>> c\n';
const character = fc.constantFrom('<', '>', '|', '=');
const line = fc
  .tuple(
    character,
    fc.integer({ min: 7, max: 40 }),
    fc.constantFrom('', ' ', '\t', ' HEAD', ' main', '\r', ' x\r'),
  )
  .map(([sign, length, rest]) => `${sign.repeat(length)}${rest}`);
const plain = fc.constantFrom(
  '',
  'x',
  '<<<<<<',
  '======',
  ' =======',
  '=======x',
  '<<<<<<<HEAD',
  'a ======= b',
  '||',
  '=>',
);
const text = fc.array(plain, { maxLength: 8 });

describe('hasMarkersLeft', () => {
  it('finds every marker that neither side has, wherever it is and whatever its label says', () => {
    fc.assert(
      fc.property(text, line, text, (before, found, after) => {
        expect(hasMarkersLeft([...before, found, ...after].join('\n'), none)).toBe(true);
        expect(hasMarkersLeft([...before, found, ...after].join('\n'), { ...none, marked })).toBe(true);
      }),
    );
  });

  it('finds none in other text, nor in what a side has itself', () => {
    fc.assert(
      fc.property(text, fc.array(line, { maxLength: 3 }), (lines, own) => {
        expect(hasMarkersLeft(lines.join('\n'), { ...none, marked })).toBe(false);
        const side = [...lines, ...own].join('\n');
        expect(hasMarkersLeft(side, { ...none, theirs: side })).toBe(false);
      }),
    );
  });

  it('tells the underline of a title from the separator of a conflict', () => {
    const title = 'Title\n=======\n';
    const sides = { ours: `${title}ours\n`, theirs: `${title}theirs\n`, marked: `${title}${marked}` };
    expect(hasMarkersLeft(`${title}both\n`, sides)).toBe(false);
    expect(hasMarkersLeft(`${title}ours\n=======\ntheirs\n`, sides)).toBe(true);
    // Both sides add a title of their own.
    const added = { ours: 'A\n=======\n', theirs: 'B\n=======\n' };
    const both = '<<<<<<< a\nA\n=======\n||||||| b\n=======\nB\n=======\n>>>>>>> c\n';
    expect(hasMarkersLeft('A\n=======\nB\n=======\n', { ...added, marked: both })).toBe(false);
    expect(hasMarkersLeft('A\n=======\n=======\nB\n=======\n', { ...added, marked: both })).toBe(true);
  });

  it('finds the longer markers of a merge within the history', () => {
    const nested = marked.replace('=======', '<<<<<<<<< Temporary merge branch 1\nx\n=========\ny\n=======');
    expect(hasMarkersLeft('x\n=========\ny\n', { ...none, marked: nested })).toBe(true);
  });

  it('takes a long text in its stride', () => {
    const long = `${'='.repeat(2_000_000)}x\n${'<'.repeat(1_000_000)}\n`;
    expect(hasMarkersLeft(long, { ...none, theirs: long })).toBe(false);
  });
});
