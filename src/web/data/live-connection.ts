/**
 * Listens to what happens. A browser connects again by itself and says what it saw last; what it gives up, this takes up.
 * Where too many tabs listen already, this one asks now and then instead.
 */
import type { News } from './answers.ts';
import { takeListeningSlot } from './listening-slots.ts';

export type Connection = 'connecting' | 'live' | 'lost';

interface LiveOptions {
  readonly onNews: (news: News) => void;
  /** What is on the screen may be older than what was heard. */
  readonly onGap: () => void;
  readonly onConnection: (connection: Connection) => void;
}

const retryAfter = 3_000;
const askEvery = 3_000;

export class LiveConnection {
  readonly #options: LiveOptions;
  #source: EventSource | null = null;
  #release: (() => void) | null = null;
  #position: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const release = await takeListeningSlot();
    if (this.#isClosed) {
      release?.();
    } else if (release === null) {
      this.#options.onConnection('live');
      this.#options.onGap();
      this.#timer = setTimeout(() => void this.open(), askEvery);
    } else {
      this.#release = release;
      this.#listen();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #listen(): void {
    const { onNews, onGap, onConnection } = this.#options;
    const isFirst = this.#position === null;
    const source = new EventSource(isFirst ? '/api/events' : `/api/events?after=${this.#position}`);
    this.#source = source;
    let isBegun = false;
    source.addEventListener('open', () => {
      onConnection('live');
      // What was asked before could have changed before anything was heard.
      if (isFirst && !isBegun) onGap();
      isBegun = true;
    });
    source.addEventListener('entry', (event: MessageEvent<string>) => {
      const news = JSON.parse(event.data) as News;
      this.#position = news.position;
      onNews(news);
    });
    source.addEventListener('reset', (event) => {
      this.#position = Number(event.lastEventId);
      onGap();
    });
    source.addEventListener('error', () => {
      onConnection('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      this.#end();
      // The answers say why, if the session has ended.
      onGap();
      this.#timer = setTimeout(() => void this.open(), retryAfter);
    });
  }

  #end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#source?.close();
    this.#source = null;
    this.#release?.();
    this.#release = null;
  }
}
