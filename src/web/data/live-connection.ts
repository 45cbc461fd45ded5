/**
 * Listens to what happens. A browser connects again by itself and says what it saw last; what it gives up, this takes up.
 * Where too many tabs listen already, this one asks now and then instead.
 */
import type { News } from './answers.ts';

export type Connection = 'connecting' | 'live' | 'lost';

/** What it hears by: the browser's own, and in tests another. */
export interface LiveSource {
  readonly readyState: number;
  addEventListener(name: string, hear: (event: MessageEvent<string>) => void): void;
  close(): void;
}

interface LiveOptions {
  readonly onNews: (news: News) => void;
  /** What is on the screen may be older than what was heard. */
  readonly onGap: () => void;
  readonly onConnection: (connection: Connection) => void;
  readonly listen: (address: string) => LiveSource;
  /** How to let another tab listen; null when too many do. */
  readonly takeSlot: () => Promise<(() => void) | null>;
  /** Whether the server answers at all. */
  readonly isThere: () => Promise<boolean>;
}

const closed = 2;
const retryAfter = 3_000;
const askEvery = 3_000;
/** The server says every 15 seconds that it is there. Without a word for this long, it or the way to it hangs. */
const longestSilence = 40_000;

export class LiveConnection {
  readonly #options: LiveOptions;
  #source: LiveSource | null = null;
  #release: (() => void) | null = null;
  #position: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #silence: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const release = await this.#options.takeSlot();
    if (this.#isClosed) {
      release?.();
    } else if (release === null) {
      await this.#look();
    } else {
      this.#release = release;
      this.#listen();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  /** Without hearing anything. */
  async #look(): Promise<void> {
    const { isThere, onConnection, onGap } = this.#options;
    const connection = (await isThere()) ? 'live' : 'lost';
    if (this.#isClosed) return;
    onConnection(connection);
    onGap();
    this.#timer = setTimeout(() => void this.open(), askEvery);
  }

  #listen(): void {
    const { onNews, onGap, onConnection, listen } = this.#options;
    const isFirst = this.#position === null;
    const source = listen(isFirst ? '/api/events' : `/api/events?after=${this.#position}`);
    this.#source = source;
    this.#hearWithin();
    let isBegun = false;
    source.addEventListener('open', () => {
      this.#hearWithin();
      onConnection('live');
      // What was asked before could have changed before anything was heard.
      if (isFirst && !isBegun) onGap();
      isBegun = true;
    });
    source.addEventListener('entry', (event) => {
      this.#hearWithin();
      const news = JSON.parse(event.data) as News;
      this.#position = news.position;
      onNews(news);
    });
    source.addEventListener('reset', (event) => {
      this.#hearWithin();
      this.#position = Number(event.lastEventId);
      onGap();
    });
    // Not everything that changes is on the ledger: a process that is killed writes nothing.
    source.addEventListener('beat', () => {
      this.#hearWithin();
      onGap();
    });
    source.addEventListener('error', () => {
      onConnection('lost');
      if (source.readyState === closed) this.#beginAnew();
    });
  }

  #hearWithin(): void {
    if (this.#silence !== null) clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#options.onConnection('lost');
      this.#beginAnew();
    }, longestSilence);
  }

  #beginAnew(): void {
    this.#end();
    // The answers say why, if the session has ended.
    this.#options.onGap();
    this.#timer = setTimeout(() => void this.open(), retryAfter);
  }

  #end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#silence !== null) clearTimeout(this.#silence);
    this.#silence = null;
    this.#source?.close();
    this.#source = null;
    this.#release?.();
    this.#release = null;
  }
}
