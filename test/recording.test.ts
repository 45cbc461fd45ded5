/** The recording of the demo: what a terminal showed becomes a picture, and the picture in the documentation is one of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderRecording } from '../scripts/render-recording.ts';

const size = { columns: 40, rows: 4 };
/** Nothing but its lines, without what a renderer does not show. */
function shownLines(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/gu)].map(([, line = '']) =>
    line.replace(/<[^>]+>/gu, ''),
  );
}

describe('a recording', () => {
  it('shows the lines that stayed, and none that was erased', () => {
    const svg = renderRecording(
      [
        { at: 0, text: 'one\r\n' },
        { at: 500, text: '… working\r\n' },
        { at: 900, text: '\u001B[1A\u001B[0Jtwo <&>\r\nthree' },
      ],
      size,
      'Test',
    );
    expect(shownLines(svg)).toEqual(['one', 'two &lt;&amp;&gt;', 'three']);
  });

  it('keeps colours, and ends them where they end', () => {
    const svg = renderRecording(
      [{ at: 0, text: '\u001B[1m\u001B[32mgood\u001B[39m\u001B[22m and plain' }],
      size,
      'Test',
    );
    expect(svg).toContain('<tspan font-weight="bold" fill="#98c379">good</tspan> and plain</text>');
  });

  it('has a step for each line, at growing times, and pauses that can be sat through', () => {
    const svg = renderRecording(
      [1, 2, 3, 4, 5].map((line) => ({ at: line * 60_000, text: `line ${line}\r\n` })),
      size,
      'Test',
    );
    const shares = [...svg.matchAll(/([\d.]+)%\{transform:translateY\((-?\d+)px\)\}/gu)];
    expect(shares.map(([, , y]) => Number(y))).toEqual([54, 36, 18, 0, -18]);
    expect(shares.map(([, share]) => Number(share))).toEqual(
      shares.map(([, share]) => Number(share)).toSorted((a, b) => a - b),
    );
    expect(Number(/scroll ([\d.]+)s/u.exec(svg)?.[1])).toBeLessThan(15);
  });

  it('in the documentation goes from the idea to the merge', () => {
    const lines = shownLines(readFileSync(join(import.meta.dirname, '..', 'docs', 'demo.svg'), 'utf8'));
    const seen = [
      'Gatewright demo',
      'VERDICT HAS FEEDBACK',
      'VERDICT PASSED',
      'Issue created',
      'The loop: issue #3',
      'the tests without the change: they fail, as they should',
      'worked off in two tasks',
    ];
    const places = seen.map((words) => lines.findIndex((line) => line.includes(words)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
