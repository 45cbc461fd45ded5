import { describe, expect, it } from 'vitest';
import { listFilesAsTests } from './summary-reports.ts';

describe('files that node:test reports as tests', () => {
  it.each([
    ['for people', '✔ adds (1.2ms)\n✔ test/a.test.js (30.1ms)\n✖ test/b.test.js (31.5ms)\n'],
    ['in TAP', 'ok 1 - adds\nok 2 - test/a.test.js\r\nnot ok 3 - test/b.test.js\n'],
    [
      'twice',
      '✖ test/b.test.js (1ms)\n✔ test/a.test.js (2ms)\n✔ test/a.test.js (2ms)\n  ✖ test/b.test.js (1ms)\n',
    ],
  ])('are found in a report %s', (_, output) => {
    expect(listFilesAsTests(output)).toEqual({ empty: ['test/a.test.js'], broken: ['test/b.test.js'] });
  });

  it('are not found in other words', () => {
    const none = { empty: [], broken: [] };
    expect(listFilesAsTests('✔ adds test/a.test.js (1ms)\nok test/a.test.js\n# test/a.test.js')).toEqual(
      none,
    );
  });
});
