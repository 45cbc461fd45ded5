/** The live view of a loop: a row for each task, a dot for each attempt, commands with their times, cost and tool. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgressEvent } from '../../../ports/progress.ts';
import { followLoop, noRows, renderLoop } from './loop-rows.ts';

const plain = (_: string, text: string): string => text;
const marked = (style: string, text: string): string => (text === '' ? '' : `<${style[0]}>${text}`);

/** Each event a second after the one before. */
function show(events: readonly ProgressEvent[], paint = plain, width = 80): string[] {
  let rows = noRows(0);
  let now = 0;
  for (const event of events) {
    now += 1000;
    rows = followLoop(rows, event, now);
  }
  return renderLoop(rows, now + 500, width, paint);
}

const task = (id: string, attempts: number, passes = false, title = 'Add it') => ({
  id,
  title,
  attempts,
  passes,
});
const tasks = (current: string | null, ...all: ReturnType<typeof task>[]): ProgressEvent => ({
  ...{ kind: 'tasks', tasks: all, current },
});
const calling: ProgressEvent = {
  kind: 'calling',
  role: 'loop-coder',
  model: 'Claude',
  purpose: 'working on US-002',
};

describe('the rows of a loop', () => {
  it('show tasks with a dot for each attempt, in the colour of its end', () => {
    const all = [task('US-001', 3, true), task('US-002', 1), task('US-003', 0), task('US-004', 0, true)];
    const lines = show([tasks('US-002', ...all)], marked).map((line) => line.replace(/ {2,}/gu, ' '));
    expect(lines).toEqual([
      ' <g>✓ US-001 Add it <r>●●<g>●',
      ' <y>▶ US-002 Add it <r>●<y>○',
      ' · US-003 Add it ',
      ' <g>✓ US-004 Add it <d> by a person',
      ' <d>2 of 4 tasks passed · $0.00 · 1 s',
    ]);
  });

  it('show the stages of a pipeline in columns, with what came of them', () => {
    const stages: ProgressEvent = {
      kind: 'tasks',
      tasks: [
        task('triage', 0, true, 'SMALL, simple'),
        task('writer', 1, false, ''),
        task('committer', 0, false, ''),
      ],
      ...{ current: 'writer', noun: 'stages' },
    };
    const lines = show([stages]);
    expect(lines.map((line) => line.trimEnd())).toEqual([
      '  ✓ triage     SMALL, simple',
      '  ▶ writer                               ●○',
      '  · committer',
      '  1 of 3 stages done · $0.00 · 1 s',
    ]);
  });

  it('show the present tool of the agent, what it cost, and for how long', () => {
    const working: ProgressEvent = {
      ...{ kind: 'working', role: 'loop-coder', turns: 3, tool: 'Edit', target: 'src/a.js', text: null },
    };
    expect(show([calling, working])).toEqual(['    … turn 3: Edit src/a.js · 1 s', '  $0.00 · 2 s']);
    const answered: ProgressEvent = {
      ...{
        kind: 'answered',
        role: 'loop-coder',
        model: 'Claude',
        seconds: 2,
        costUsd: 0.25,
        isUnpriced: false,
      },
    };
    expect(show([calling, working, answered, answered])).toEqual(['  $0.50 · 4 s']);
  });

  it('show commands ticking, and how each ended', () => {
    const checking = (name: string): ProgressEvent => ({ kind: 'checking', name: `sh -c ${name}` });
    const checked = (name: string, ok: boolean): ProgressEvent => ({
      ...{ kind: 'checked', name: `sh -c ${name}`, ok, detail: 'exit 0' },
    });
    const events = [checking('npm test'), checked('npm test', false), checking('npm run lint')];
    expect(show(events).slice(0, -1)).toEqual(['      ✗ npm test  1.0 s', '      … npm run lint  0.5 s']);
    // The next attempt begins with none.
    expect(show([...events, checked('npm run lint', true), calling])).toHaveLength(2);
  });

  it('fit on a screen: many tasks are shown around the one that is worked on', () => {
    const many = Array.from({ length: 50 }, (_, index) => task(`US-${index + 100}`, 40));
    const lines = show([tasks('US-130', ...many)]);
    expect(lines.length).toBeLessThan(20);
    expect(lines.join('\n')).toContain('▶ US-130');
    expect(lines.join('\n')).toContain('and 38 more');
    expect(lines[0]).toContain('28+●●●●●●●●●●●●');
  });

  it('are single lines without control characters that fit the width, whatever titles and tools are called', () => {
    const words = fc.string({
      unit: fc.constantFrom('\u001b[2J', '\n', '\r', '\u202e', 'x', ' ', '界', '\u0007'),
    });
    fc.assert(
      fc.property(words, words, fc.integer({ min: 60, max: 120 }), (title, target, width) => {
        const lines = show(
          [
            tasks('US-001', task('US-001', 1, false, title)),
            { kind: 'checking', name: `sh -c ${target}` },
            { kind: 'working', role: 'r', turns: 1, tool: title, target, text: null },
          ],
          plain,
          width,
        );
        for (const line of lines) {
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/u);
          expect([...line].length).toBeLessThan(width);
        }
      }),
    );
  });
});
