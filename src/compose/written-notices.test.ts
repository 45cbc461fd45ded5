/** Many writes in a short time are told together, and none is forgotten. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WrittenNotices } from './written-notices.ts';

it('tells the first at once, later ones together, and the end of each file', async () => {
  const told: string[] = [];
  const notices = new WrittenNotices(({ file, end }, count) => told.push(`${file} ${end} ${count}`));
  notices.add({ file: 'a', end: 10 }, 1);
  expect(told).toEqual(['a 10 1']);
  notices.add({ file: 'a', end: 20 }, 2);
  notices.add({ file: 'a', end: 30 }, 3);
  expect(told).toEqual(['a 10 1']);
  notices.add({ file: 'b', end: 5 }, 1);
  expect(told).toEqual(['a 10 1', 'a 30 5']);
  await sleep(100);
  expect(told).toEqual(['a 10 1', 'a 30 5', 'b 5 1']);
  await sleep(100);
  notices.add({ file: 'b', end: 6 }, 1);
  expect(told.at(-1)).toBe('b 6 1');
  notices.add({ file: 'b', end: 7 }, 1);
  notices.close();
  expect(told.slice(-2)).toEqual(['b 6 1', 'b 7 1']);
  await sleep(50);
  expect(told).toHaveLength(5);
});
