import { describe, expect, it } from 'vitest';
import { layOutRuns } from './runs-view.ts';
import { wrapText } from './wrap-line.ts';

const rows = [
  ['RUN', 'STATUS', 'AGE', 'COST', 'SUBJECT', 'TITLE', 'WHY'],
  [
    '01M7JX4N5Q56JN2V7YCB5QNDAW',
    'blocked',
    '3 s',
    '≤ $0.50',
    'local/project:export-csv',
    'Export reports',
    'no',
  ],
  ['01M7JX4N5Q56JN2V7YCB5QNDAX', 'done', '12 min', '$0.00', 'local/project#7', 'reviewer: "Export"', ''],
];

describe('the list of runs', () => {
  it('gives each run lines of its own on a narrow screen', () => {
    const shown = layOutRuns(rows, 80);
    expect(shown.split('\n')).toEqual([
      'RUN                         STATUS   AGE     COST',
      '    SUBJECT  TITLE',
      '    WHY',
      '01M7JX4N5Q56JN2V7YCB5QNDAW  blocked  3 s     ≤ $0.50',
      '    local/project:export-csv  Export reports',
      '    no',
      '01M7JX4N5Q56JN2V7YCB5QNDAX  done     12 min  $0.00',
      '    local/project#7  reviewer: "Export"',
    ]);
    expect(wrapText(shown, 80)).toBe(shown);
  });

  it.each([undefined, 200])('is a table on a screen of %s columns', (columns) => {
    const lines = layOutRuns(rows, columns).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('$0.50  local/project:export-csv  Export reports');
  });

  it('shows no control characters of others', () => {
    expect(layOutRuns([['a', 'b', 'c', 'd', 'e', 'x\u001B[2Jy\nz', '']], 80)).not.toMatch(/\u001B|y\nz/u);
  });
});
