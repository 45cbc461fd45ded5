import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutTable, textWidth, wrapLine, wrapText } from './wrap-line.ts';

const word = fc.stringMatching(/^[a-zäß0-9.,→]{1,24}$/u);
const words = (line: string): string[] => line.split(' ').filter((one) => one !== '');

describe('a line that is wider than the screen', () => {
  it('is broken between words, below its beginning', () => {
    expect(wrapLine('  - one two three four five six', 20)).toEqual([
      '  - one two three',
      '    four five six',
    ]);
  });

  it.each([
    ['19:25:31 one two three four five', ['19:25:31 one two three', '         four five']],
    ['[19:25:31] one two three four', ['[19:25:31] one two three', '           four']],
    [
      '\u001B[2m19:25:31\u001B[22m ▶ one two three four',
      ['\u001B[2m19:25:31\u001B[22m ▶ one two three', '           four'],
    ],
    ['12:00 one two three four five', ['12:00 one two three four', 'five']],
  ])('goes on behind the time of day: %j', (line, lines) => {
    expect(wrapLine(line, 24)).toEqual(lines);
  });

  it('goes on below its last column', () => {
    expect(wrapLine('ok  git   2.45 is there and everything works', 30)).toEqual([
      'ok  git   2.45 is there and',
      '          everything works',
    ]);
  });

  it('goes on at the left where the last column begins too far right', () => {
    expect(wrapLine('a very long first column indeed  and what it means', 36)).toEqual([
      'a very long first column indeed  and',
      'what it means',
    ]);
  });

  it('leaves a command in one piece, which somebody may copy', () => {
    const resume = 'gatewright issue --resume ideas/active/export-csv.md --database other.db';
    expect(wrapLine(`   continue: ${resume}`, 60)).toEqual(['   continue:', `       ${resume}`]);
    expect(wrapLine(`  ${resume}`, 60)).toEqual([`  ${resume}`]);
    expect(wrapLine('  the issue           gatewright explain 1 --database other.db', 60)).toEqual([
      '  the issue',
      '      gatewright explain 1 --database other.db',
    ]);
    expect(wrapLine(`  the run             ${resume}`, 80)).toEqual(['  the run', `      ${resume}`]);
  });

  it('breaks what follows a command in brackets or in code, and not the command', () => {
    expect(wrapLine('To go on, run `gatewright dispatch --resume 01ABC`, or wait.', 40)).toEqual([
      'To go on, run',
      '`gatewright dispatch --resume 01ABC`, or',
      'wait.',
    ]);
    expect(wrapLine('Now:   it works (gatewright runs show 01ABC), as before', 30)).toEqual([
      'Now:   it works',
      '    (gatewright runs show 01ABC),',
      '       as before',
    ]);
    expect(wrapLine('It is not there (look with: gatewright doctor). It printed a few lines.', 30)).toEqual([
      'It is not there (look with:',
      'gatewright doctor). It printed',
      'a few lines.',
    ]);
  });

  it('breaks what a command printed, though it begins with the name of a program', () => {
    const words = ['12:00:00 It ended with 1. It printed', '         last: npm test failed in a'];
    expect(wrapLine('12:00:00 It ended with 1. It printed last: npm test failed in a copy', 36)).toEqual([
      ...words,
      '         copy',
    ]);
    expect(wrapLine('    npm error code E403 / npm error 403 Forbidden', 30)).toEqual([
      '    npm error code E403 / npm',
      '    error 403 Forbidden',
    ]);
  });

  it('is measured as it is shown', () => {
    expect(textWidth('\u001B[31mred\u001B[39m')).toBe(3);
    expect(textWidth('日本')).toBe(4);
    expect(textWidth('e\u0301')).toBe(1);
    expect(wrapLine('日本 日本 日本', 9)).toEqual(['日本 日本', '日本']);
  });

  it('loses no word and is never too wide, unless one word is', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 40, max: 120 }),
        (all, indent, width) => {
          const line = ' '.repeat(indent) + all.join(' ');
          const lines = wrapLine(line, width);
          expect(lines.flatMap(words)).toEqual(all);
          for (const one of lines) expect(one.length).toBeLessThanOrEqual(width);
          expect(wrapText(lines.join('\n'), width)).toBe(lines.join('\n'));
        },
      ),
    );
  });

  it('with columns loses no word either', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 80, max: 120 }),
        (all, width) => {
          const line = all.map(([one, blanks]) => one + ' '.repeat(blanks)).join('');
          const lines = wrapLine(line, width);
          expect(lines.flatMap(words)).toEqual(all.map(([one]) => one));
          for (const one of lines) expect(one.trimEnd().length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('a table that is wider than the screen', () => {
  it('is broken within its columns, the widest first', () => {
    expect(
      layOutTable(
        [
          ['NAME', 'WHAT IT IS FOR', 'FROM'],
          ['hold', 'Not begun until this is removed', 'people'],
        ],
        36,
      ),
    ).toBe(
      ['NAME  WHAT IT IS FOR          FROM', 'hold  Not begun until this    people', '      is removed'].join(
        '\n',
      ),
    );
  });

  it('stays as it is where it fits, and where no break would make it fit', () => {
    expect(
      layOutTable(
        [
          ['a', 'b'],
          ['ccc', 'd'],
        ],
        80,
      ),
    ).toBe('a    b\nccc  d');
    const long = 'x'.repeat(40);
    expect(layOutTable([[long, long]], 60)).toBe(`${long}  ${long}`);
  });

  it('loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.array(word, { maxLength: 8 }), { minLength: 3, maxLength: 3 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 90, max: 120 }),
        (rows, width) => {
          const cells = rows.map((row) => row.map((cell) => cell.join(' ')));
          const lines = layOutTable(cells, width).split('\n');
          expect(lines.flatMap(words).toSorted()).toEqual(rows.flat(2).toSorted());
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
