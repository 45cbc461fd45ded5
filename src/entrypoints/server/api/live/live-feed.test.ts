/** Pages that listen: each hears everything once and in order, however it comes and goes, and none holds up the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type SqliteDatabase } from '../../../../adapters/sqlite/database.ts';
import { SqliteLedger } from '../../../../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../../../adapters/system/system-clock.ts';
import type { LedgerEntry } from '../../../../domain/ledger/ledger-entry.ts';
import { type Session, Sessions } from '../access/sessions.ts';
import { LiveFeed } from './live-feed.ts';

let database: SqliteDatabase;
let ledger: SqliteLedger;
let sessions: Sessions;
let session: Session;
let readPosition: () => Promise<number>;
let feed: LiveFeed;
let reads = 0;
const troubles: unknown[] = [];

beforeEach(() => {
  database = openDatabase(':memory:');
  ledger = new SqliteLedger(database, systemClock, 'key');
  sessions = new Sessions(8787);
  ({ session } = sessions.begin(new Date()));
  reads = 0;
  readPosition = () => ledger.readPosition();
  feed = new LiveFeed({
    ledger: {
      readNews: (...asked) => {
        reads += 1;
        return ledger.readNews(...asked);
      },
      readPosition: () => readPosition(),
    },
    ...{ repository: 'local/project', sessions, now: () => new Date() },
    onTrouble: (error) => troubles.push(error),
    ...{ pollMilliseconds: 5, heartbeatMilliseconds: 20 },
  });
});
afterEach(() => {
  feed.close();
  database.close();
  expect(troubles).toEqual([]);
});

async function append(count: number, subject = 'local/project#1', actor = 'alice'): Promise<LedgerEntry[]> {
  const data = { node: 'N2_draft', step: 1 };
  return ledger.append(
    Array.from({ length: count }, () => ({ subject, run: 'R', actor, kind: 'node-begun', data })),
  );
}

interface Page {
  /** The positions of the entries that it heard. */
  readonly heard: number[];
  text: string;
  isOver: boolean;
  leave(): Promise<void>;
}

async function listen(after: number | null, own = session): Promise<Page> {
  const reader = (await feed.open(own, after)).getReader();
  const page: Page = { heard: [], text: '', isOver: false, leave: () => reader.cancel() };
  const decoder = new TextDecoder();
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const text = decoder.decode(value);
      page.text += text;
      for (const [, id] of text.matchAll(/^id: (\d+)\nevent: entry$/gmu)) page.heard.push(Number(id));
    }
    page.isOver = true;
  })();
  return page;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !isSo(); tries += 1) await sleep(5);
  expect(isSo()).toBe(true);
}

const kept = new Map<number, Session>();
/** Fifteen pages to a session. */
function own(count: number): Session {
  const group = Math.floor(count / 15);
  const known = kept.get(group);
  if (known !== undefined && sessions.isOpen(known, new Date())) return known;
  const begun = sessions.begin(new Date()).session;
  kept.set(group, begun);
  return begun;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('a page that listens', () => {
  it('hears what happens from now on, once and in order, and nothing of another repository', async () => {
    await append(3);
    const page = await listen(null);
    await append(2);
    await append(2, 'local/project-two#1');
    await append(1, 'local/project:slug');
    await until(() => page.heard.length === 3);
    expect(page.heard).toEqual([4, 5, 8]);
    expect(page.text).toContain('"kind":"node-begun","actor":"alice"');
    await until(() => page.text.includes('event: beat\ndata: {}\n\n'));
  });

  it('catches up from where it was, then goes on', async () => {
    await append(700);
    const page = await listen(100);
    await append(5);
    await until(() => page.heard.length >= 605);
    expect(page.heard).toEqual(range(101, 705));
    await page.leave();
    await append(10);
    const back = await listen(705);
    await until(() => back.heard.length >= 10);
    expect(back.heard).toEqual(range(706, 715));
  });

  it('hears each entry once, also those that are written while it catches up', async () => {
    await append(600);
    const pages: Page[] = [];
    for (let round = 0; round < 20; round += 1) {
      const [page] = await Promise.all([listen(round * 10), append(7)]);
      pages.push(page);
    }
    const last = await ledger.readPosition();
    await until(() => pages.every(({ heard }) => heard.at(-1) === last));
    for (const [round, { heard }] of pages.entries()) expect(heard).toEqual(range(round * 10 + 1, last));
  });

  it('misses nothing of what is written while the ledger is slow to say where it is', async () => {
    await append(3);
    const slow = Promise.withResolvers<void>();
    // What was looked up for the first page is told late, as it can be where a look takes git.
    let looks = 0;
    readPosition = async () => {
      looks += 1;
      const position = await ledger.readPosition();
      if (looks === 1) await slow.promise;
      return position;
    };
    const late = listen(null);
    await append(2);
    const other = await listen(null);
    slow.resolve();
    const page = await late;
    await until(() => page.text.includes('id: '));
    const [, begun] = /^id: (\d+)$/mu.exec(page.text) ?? [];
    await append(1);
    await until(() => page.heard.length > 0 && other.heard.length > 0);
    expect(page.heard).toEqual(range(Number(begun) + 1, 6));
    expect(other.heard).toEqual([6]);
  });

  it.each([
    ['so much', 0],
    ['what is of another database', 99_999],
  ])('is told to read its pages anew when it missed %s', async (_, after) => {
    await append(2_001);
    const page = await listen(after);
    await until(() => page.text.includes('event: reset'));
    expect(page.heard).toEqual([]);
    await append(1);
    await until(() => page.heard.length === 1);
    expect(page.heard).toEqual([2_002]);
  });

  it('costs the ledger nothing beside the others, and nothing when it has gone', async () => {
    const pages: Page[] = [];
    for (let count = 0; count < 50; count += 1) pages.push(await listen(null, own(count)));
    await append(20);
    await until(() => pages.every(({ heard }) => heard.length === 20));
    // Each entry was read once for all fifty.
    expect(reads).toBeLessThan(10);
    for (const page of pages) await page.leave();
    expect(feed.listeners).toBe(0);
    const before = reads;
    await append(5);
    await sleep(50);
    expect(reads).toBe(before);
  });

  it('is dropped when it does not read, and the others hear on', async () => {
    const reader = (await feed.open(session, null)).getReader();
    const page = await listen(null);
    expect(feed.listeners).toBe(2);
    for (let round = 0; round < 40; round += 1) {
      await append(50, 'local/project#1', `alice-${'x'.repeat(200)}`);
      await until(() => page.heard.length === (round + 1) * 50);
    }
    expect(feed.listeners).toBe(1);
    let unread = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read())
      unread += part.value.byteLength;
    expect(unread).toBeLessThanOrEqual(256 * 1024);
    expect(page.heard).toEqual(range(1, 2_000));
  });

  it('goes when its session ends', async () => {
    const page = await listen(null);
    const another = await listen(null, sessions.begin(new Date()).session);
    sessions.end(session);
    await until(() => page.isOver);
    expect(another.isOver).toBe(false);
    feed.close();
    await until(() => another.isOver);
    await expect(listen(null)).rejects.toMatchObject({ code: 'request-limit' });
  });

  it('is one too many beyond twenty of a session', async () => {
    for (let count = 0; count < 20; count += 1) await listen(null);
    await expect(listen(null)).rejects.toMatchObject({ code: 'request-limit', facts: { retryAfter: 10 } });
    await listen(null, sessions.begin(new Date()).session);
  });
});
