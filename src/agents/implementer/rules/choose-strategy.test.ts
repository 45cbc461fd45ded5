import { describe, expect, it } from 'vitest';
import { labelNames } from '../../../domain/forge/labels.ts';
import { chooseStrategy, countFiles, mostFiles } from './choose-strategy.ts';

const design = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `- \`src/part-${index}.ts\` and \`src/part-${index}.ts\` again`,
  ).join('\n');

describe('the strategy of an order', () => {
  it('is chosen by label, then by setting, then by the size of the design', () => {
    const none = { labels: [], setting: undefined, design: null };
    expect(chooseStrategy(none)).toBeNull();
    expect(chooseStrategy({ ...none, setting: 'by-size' })).toBeNull();
    const labelled = { ...none, labels: ['bug', ' Strategy: Loop '], setting: 'direct' } as const;
    expect(chooseStrategy(labelled)).toEqual({
      strategy: 'loop',
      because: `the issue has the label "${labelNames.strategyLoop}"`,
    });
    expect(chooseStrategy({ ...none, setting: 'loop' })?.strategy).toBe('loop');
    expect(chooseStrategy({ ...none, setting: 'direct', design: design(50) })?.strategy).toBe('direct');
    expect(chooseStrategy({ ...none, design: design(mostFiles) })?.strategy).toBe('direct');
    expect(chooseStrategy({ ...none, design: design(mostFiles + 1) })).toEqual({
      strategy: 'loop',
      because: `the approved design names ${mostFiles + 1} files, more than ${mostFiles}`,
    });
  });

  it('counts files, and neither commands nor addresses nor words', () => {
    const text =
      '`npm test` `main` `sum()` `https://example.org/a.ts` `/etc/a.conf` `src/a.ts` `b.test.js` `.env.local`';
    expect(countFiles(text)).toBe(3);
    expect(countFiles('a/'.repeat(200_000))).toBe(0);
    expect(countFiles(`\`${'a/'.repeat(140)}\``.repeat(1000))).toBe(0);
  });
});
