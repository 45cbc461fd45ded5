/** The summary of a job: whatever agents and models said, its table has the cells that it is meant to have. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { collectNodes, parseMarkdown, plainText } from '../../../../domain/text/markdown.ts';
import type { ToldRun } from '../../../../fleet/proposals/describe-job.ts';
import { writeStepSummary } from './step-summary.ts';

const end = {
  next: 'done',
  applied: null,
  refused: null,
  proposal: null,
  started: [],
  notStarted: [],
} as const;
const links = { workflowRun: 'https://github.com/o/r/actions/runs/1', repository: 'o/r' };
const plain: ToldRun = {
  ...{ id: 'run-1', who: 'reviewer', subject: 'o/r#1', status: 'done', why: 'It is done.' },
  ...{ costUsd: 0, hasUnpriced: false, made: null, path: ['create-review'] },
};

function cellsOf(given: Partial<ToldRun>): string[][] {
  const text = writeStepSummary(end, { runs: [{ ...plain, ...given }], remarks: [], refusals: [] }, links);
  const tables = collectNodes([parseMarkdown(text)], 'table');
  return tables.flatMap(({ children }) =>
    children.map((row) => row.children.map((cell) => plainText(cell).replaceAll('\u200B', ''))),
  );
}

const head = ['agent', 'subject', 'status', 'why', 'cost'];

it.each(['a | b', 'a \\| b', 'a \\\\| b', '|', '||', '\\', '`a|b`', 'a\n| x | y |', '<td>|</td>'])(
  'keeps %j in its cell',
  (words) => {
    const shown = words.replace(/\s+/gu, ' ').trim();
    expect(cellsOf({ why: words })).toEqual([head, ['reviewer', 'o/r#1', 'done', shown, '$0.00']]);
    expect(cellsOf({ who: words })).toEqual([head, [shown, 'o/r#1', 'done', 'It is done.', '$0.00']]);
    const [, row = []] = cellsOf({ subject: words });
    expect([row[0], ...row.slice(2)]).toEqual(['reviewer', 'done', 'It is done.', '$0.00']);
  },
);

it('has one row of five cells for a run, and no link, image or code of others', () => {
  const words = hostileText([
    '|',
    '\\|',
    '\\',
    '`',
    '\n',
    '[a](b)',
    '<b>',
    '<!--',
    '</summary>',
    '@claude',
    '```',
  ]);
  fc.assert(
    fc.property(fc.record({ who: words, why: words, subject: words }), (given) => {
      const runs = [{ ...plain, ...given }];
      const refusals = [{ who: given.who, why: given.why }];
      const root = parseMarkdown(writeStepSummary(end, { runs, remarks: [], refusals }, links));
      const rows = collectNodes([root], 'table').flatMap(({ children }) => children);
      expect(rows.map(({ children }) => children.length)).toEqual([5, 5]);
      expect(collectNodes([root], 'link')).toHaveLength(1);
      expect(collectNodes([root], 'image')).toEqual([]);
      for (const { value } of collectNodes([root], 'html'))
        expect(value).toMatch(/^<details><summary>[^<>&]* <code>run-1<\/code><\/summary>$|^<\/details>$/u);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('links to the issue or pull request that a run is about, and to the one that it made', () => {
  const runs = [
    { ...plain, made: 2 },
    { ...plain, subject: 'o/r2#1' },
    { ...plain, subject: 'x/y#1' },
    { ...plain, subject: 'o/r#1) [x](https://example.com' },
    { ...plain, subject: 'o/r~learnings' },
  ];
  const root = parseMarkdown(writeStepSummary(end, { runs, remarks: [], refusals: [] }, links));
  expect(collectNodes([root], 'link').map(({ url }) => url)).toEqual([
    'https://github.com/o/r/issues/1',
    'https://github.com/o/r/issues/2',
    links.workflowRun,
  ]);
});
