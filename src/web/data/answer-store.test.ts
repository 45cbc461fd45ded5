/** When a page asks, and when it does not. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerStore } from './answer-store.ts';
import type { News } from './answers.ts';
import { ApiError } from './ask-api.ts';

const news = (run: string): News => ({
  ...{ position: 1, subject: 'a/b#1', run, kind: 'run-ended', actor: 'alice', what: '' },
  at: '2026-11-19T04:00:00.000Z',
});
const problem = (status: number) =>
  new ApiError({ type: '', title: '', status, detail: 'no', code: 'internal', hint: '' });

let asked: string[];
let answers: (() => Promise<unknown>)[];
let signedOut = 0;
let drawn = 0;
let store: AnswerStore;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answers = [];
  signedOut = 0;
  drawn = 0;
  store = new AnswerStore({
    get: (path) => {
      asked.push(path);
      return (answers.shift() ?? (async () => ({ count: asked.length })))();
    },
    now: () => Date.now(),
    onSignedOut: () => {
      signedOut += 1;
    },
  });
});
afterEach(() => vi.useRealTimers());

const watch = (path: string, concern = (_: News) => true): (() => void) =>
  store.watch(path, concern, () => {
    drawn += 1;
  });
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

describe('a question', () => {
  it('is asked once for two parts that show its answer', async () => {
    watch('/a');
    watch('/a');
    await pass(0);
    await pass(10_000);
    expect(store.read('/a')).toEqual({ data: { count: 1 }, problem: null });
    expect(asked).toEqual(['/a']);
  });

  it('is asked again for news that it is about, and for no other', async () => {
    watch('/a', ({ run }) => run === 'A');
    await pass(1_000);
    store.hear(news('B'));
    await pass(1_000);
    expect(asked).toHaveLength(1);
    store.hear(news('A'));
    await pass(0);
    expect(asked).toHaveLength(2);
  });

  it('is asked twice a second at most, and once more after the last news', async () => {
    watch('/a');
    await pass(1_000);
    for (let round = 0; round < 97; round += 1) {
      store.hear(news('A'));
      await pass(10);
    }
    const during = asked.length;
    expect(during).toBeLessThanOrEqual(3);
    await pass(1_000);
    expect(asked.length).toBe(during + 1);
    await pass(10_000);
    expect(asked.length).toBe(during + 1);
  });

  it('whose answer takes long is asked less often', async () => {
    const slow = async (): Promise<unknown> => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return {};
    };
    answers = Array.from({ length: 99 }, () => slow);
    watch('/a');
    await pass(1_000);
    for (let round = 0; round < 290; round += 1) {
      store.hear(news('A'));
      await pass(100);
    }
    expect(asked.length).toBeLessThanOrEqual(11);
    expect(asked.length).toBeGreaterThan(8);
  });

  it('that is under way when news comes is asked again when its answer is there', async () => {
    const first = Promise.withResolvers<unknown>();
    answers = [() => first.promise];
    watch('/a');
    store.hear(news('A'));
    await pass(5_000);
    expect(asked).toHaveLength(1);
    first.resolve({ count: 0 });
    await pass(1_000);
    expect(store.read('/a').data).toEqual({ count: 2 });
  });

  it('is not asked for a part that has gone', async () => {
    const stop = watch('/a');
    await pass(1_000);
    stop();
    store.hear(news('A'));
    store.refresh();
    await pass(10_000);
    expect(asked).toHaveLength(1);
  });
});

describe('an answer', () => {
  it('that is the same as before draws nothing', async () => {
    answers = [async () => ({ same: 1 }), async () => ({ same: 1 }), async () => ({ same: 2 })];
    watch('/a');
    await pass(1_000);
    const before = store.read('/a');
    store.refresh();
    await pass(1_000);
    expect(store.read('/a')).toBe(before);
    expect(drawn).toBe(1);
    store.refresh();
    await pass(1_000);
    expect(drawn).toBe(2);
  });

  it('stays while the server is away, and is asked for until it is back', async () => {
    answers = [async () => 'old', () => Promise.reject(problem(0)), () => Promise.reject(problem(503))];
    watch('/a');
    await pass(1_000);
    store.refresh();
    await pass(100);
    expect(store.read('/a')).toMatchObject({ data: 'old', problem: { status: 0 } });
    await pass(10_000);
    expect(store.read('/a')).toEqual({ data: { count: 4 }, problem: null });
    expect(asked).toHaveLength(4);
  });

  it('that says no is not asked for again', async () => {
    answers = [() => Promise.reject(problem(404))];
    watch('/a');
    await pass(60_000);
    expect(asked).toHaveLength(1);
    expect(store.read('/a').problem?.status).toBe(404);
  });

  it('without a session ends the page', async () => {
    answers = [() => Promise.reject(problem(401))];
    watch('/a');
    await pass(60_000);
    expect([asked.length, signedOut]).toEqual([1, 1]);
  });
});
