/** Unfinished work is saved every five minutes, one attempt at a time, and none is left behind at the end. */
import { expect, it } from 'vitest';
import { makeSaver } from './make-saver.ts';

const minute = 60_000;

/** A saver, and what its saves are at; each ends when it is told to. */
function makeScene() {
  let now = 0;
  const saves: PromiseWithResolvers<void>[] = [];
  const saver = makeSaver({ now: () => new Date(now) }, () => {
    const save = Promise.withResolvers<void>();
    saves.push(save);
    return save.promise;
  });
  /** The agent says something so many minutes later. */
  const lookAfter = async (minutes: number): Promise<number> => {
    now += minutes * minute;
    saver.look();
    await settled();
    return saves.length;
  };
  return { saver, saves, lookAfter };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('saves when five minutes have passed since the beginning or the last one', async () => {
  const { saves, lookAfter } = makeScene();
  expect(await lookAfter(4)).toBe(0);
  expect(await lookAfter(1)).toBe(1);
  saves[0]?.resolve();
  await settled();
  expect(await lookAfter(4)).toBe(1);
  expect(await lookAfter(1)).toBe(2);
});

it('begins none beside another, and goes on after one that failed', async () => {
  const { saves, lookAfter } = makeScene();
  await lookAfter(5);
  expect(await lookAfter(30)).toBe(1);
  saves[0]?.reject(new Error('no network'));
  await settled();
  expect(await lookAfter(0)).toBe(2);
});

it('waits for what was begun and begins nothing after the end', async () => {
  const { saver, saves, lookAfter } = makeScene();
  await lookAfter(5);
  let isOver = false;
  const end = saver.end().then(() => {
    isOver = true;
  });
  await settled();
  expect(isOver).toBe(false);
  saves[0]?.resolve();
  await end;
  expect(await lookAfter(60)).toBe(1);
  await saver.end();
});

it('does nothing where nothing is to be saved', async () => {
  const saver = makeSaver({ now: () => new Date() }, undefined);
  saver.look();
  await saver.end();
});
