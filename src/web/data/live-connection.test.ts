/** What a page calls live is live. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveConnection, type LiveSource } from './live-connection.ts';

class Source implements LiveSource {
  readyState = 0;
  readonly address: string;
  readonly #hear = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(address: string) {
    this.address = address;
  }

  addEventListener(name: string, hear: (event: MessageEvent<string>) => void): void {
    this.#hear.set(name, hear);
  }

  close(): void {
    this.readyState = 2;
  }

  say(name: string, data = '{}', lastEventId = ''): void {
    this.#hear.get(name)?.(new MessageEvent(name, { data, lastEventId }));
  }
}

let sources: Source[];
let states: string[];
let gaps = 0;
let released = 0;
let hasSlot = true;
let isThere = true;
let live: LiveConnection;

beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  states = [];
  gaps = 0;
  released = 0;
  hasSlot = true;
  isThere = true;
  live = new LiveConnection({
    onNews: () => undefined,
    onGap: () => {
      gaps += 1;
    },
    onConnection: (state) => states.push(state),
    listen: (address) => {
      const source = new Source(address);
      sources.push(source);
      return source;
    },
    takeSlot: async () => {
      if (!hasSlot) return null;
      return () => {
        released += 1;
      };
    },
    isThere: async () => isThere,
  });
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
});

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

describe('a page that listens', () => {
  it('is live as long as the server says that it is there, and looks anew each time', async () => {
    await live.open();
    sources[0]?.say('open');
    const before = gaps;
    for (let beat = 0; beat < 10; beat += 1) {
      await pass(15_000);
      sources[0]?.say('beat');
    }
    expect([states, gaps - before, sources.length]).toEqual([['live'], 10, 1]);
  });

  it('is lost when a server hangs, and goes on from where it was', async () => {
    await live.open();
    sources[0]?.say('open');
    sources[0]?.say('entry', '{"position":7}');
    await pass(39_000);
    expect(states).toEqual(['live']);
    await pass(2_000);
    expect([states, sources[0]?.readyState, released]).toEqual([['live', 'lost'], 2, 1]);
    await pass(3_000);
    expect(sources.map(({ address }) => address)).toEqual(['/api/events', '/api/events?after=7']);
    sources[1]?.say('open');
    expect(states).toEqual(['live', 'lost', 'live']);
  });

  it('is lost when a server takes the connection and never answers', async () => {
    await live.open();
    await pass(41_000);
    expect(states).toEqual(['lost']);
  });

  it('leaves it to the browser to connect again as long as that does', async () => {
    await live.open();
    sources[0]?.say('open');
    sources[0]?.say('error');
    expect([states, sources.length]).toEqual([['live', 'lost'], 1]);
    sources[0]?.say('open');
    expect(states.at(-1)).toBe('live');
  });

  it('hears and tells nothing once it is closed', async () => {
    await live.open();
    live.close();
    await pass(120_000);
    expect([states, sources.length, released]).toEqual([[], 1, 1]);
  });
});

describe('a page beside too many others', () => {
  it('is live only while the server answers, and listens when another page has gone', async () => {
    hasSlot = false;
    await live.open();
    isThere = false;
    await pass(3_000);
    isThere = true;
    await pass(3_000);
    expect([states, gaps, sources.length]).toEqual([['live', 'lost', 'live'], 3, 0]);
    hasSlot = true;
    await pass(3_000);
    expect(sources).toHaveLength(1);
  });

  it('says nothing when it is closed while it looks', async () => {
    hasSlot = false;
    const opened = live.open();
    live.close();
    await opened;
    await pass(10_000);
    expect([states, gaps]).toEqual([[], 0]);
  });
});
