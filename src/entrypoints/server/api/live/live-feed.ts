/**
 * Tells pages that listen what is new on the ledger. The ledger is looked at once for all of them, each message is
 * written once, and a page that does not read is dropped: it comes back and says what it saw last.
 */
import { describeEntry } from '../../../../domain/ledger/describe-entry.ts';
import { escapeForJson, escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { Ledger, News } from '../../../../ports/ledger.ts';
import type { Session, Sessions } from '../access/sessions.ts';
import type { NewsAnswer } from '../schemas/ledger.ts';

export interface LiveFeedOptions {
  readonly ledger: Pick<Ledger, 'readNews' | 'readPosition'>;
  readonly repository: string;
  readonly sessions: Pick<Sessions, 'isOpen'>;
  readonly now: () => Date;
  readonly onTrouble: (error: unknown) => void;
  readonly pollMilliseconds?: number;
  readonly heartbeatMilliseconds?: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Message {
  readonly position: number;
  readonly bytes: Bytes;
}

interface Listener {
  readonly session: Session;
  readonly controller: ReadableStreamDefaultController<Bytes>;
  /** What came while it was still told what it had missed; null from then on. */
  early: Message[] | null;
  /** Everything up to this position was told to it. */
  told: number;
}

const mostListeners = 200;
const mostOfSession = 20;
/** Bytes that a page may leave unread. */
const mostUnread = 256 * 1024;
/** Beyond this, reading the pages anew is cheaper. */
const mostMissed = 2_000;
const readAtOnce = 500;
/** How long a browser waits before it connects again. */
const retryMilliseconds = 2_000;

const encoder = new TextEncoder();
const write = (text: string): Bytes => encoder.encode(text);

function writeNews({ position, entry }: News): Message {
  const { subject, run, kind, actor, at } = entry;
  const what = escapeForLine(describeEntry(entry), 300);
  const news: NewsAnswer = { position, subject, run, kind, actor, at, what };
  const data = escapeForJson(JSON.stringify(news));
  return { position, bytes: write(`id: ${position}\nevent: entry\ndata: ${data}\n\n`) };
}

export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #listeners = new Set<Listener>();
  /** Everything up to here was told to those who listened then. */
  #position = 0;
  #timers: NodeJS.Timeout[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** @param after the position that the page saw last; null when it begins */
  async open(session: Session, after: number | null): Promise<ReadableStream<Bytes>> {
    const own = [...this.#listeners].filter((one) => one.session.id === session.id);
    if (this.#isClosed || this.#listeners.size >= mostListeners || own.length >= mostOfSession)
      throw new GatewrightError('request-limit', 'Too many pages listen at once.', {
        facts: { retryAfter: 10 },
      });
    const { listener, stream } = this.#join(session);
    try {
      const found = await this.#options.ledger.readPosition();
      this.#begin(found);
      // Another page may have begun meanwhile: what was told since then was not kept for this one.
      const position = Math.max(found, this.#position);
      listener.told = await this.#tellMissed(listener, after, position);
      const { early } = listener;
      listener.early = null;
      for (const message of early ?? []) this.#tell(listener, message);
    } catch (error) {
      this.#drop(listener);
      throw error;
    }
    return stream;
  }

  close(): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) this.#drop(listener);
  }

  #join(session: Session): { readonly listener: Listener; readonly stream: ReadableStream<Bytes> } {
    const begun: { listener: Listener | null } = { listener: null };
    const stream = new ReadableStream<Bytes>(
      {
        start: (controller) => {
          begun.listener = { session, controller, early: [], told: 0 };
        },
        cancel: () => {
          if (begun.listener !== null) this.#forget(begun.listener);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
    );
    const { listener } = begun;
    if (listener === null) throw new GatewrightError('internal', 'A stream did not begin.');
    this.#listeners.add(listener);
    return { listener, stream };
  }

  /** Resolves with the position up to which everything was told. */
  async #tellMissed(listener: Listener, after: number | null, position: number): Promise<number> {
    this.#send(listener, write(`retry: ${retryMilliseconds}\n\n`));
    if (after === null) {
      this.#send(listener, write(`id: ${position}\n\n`));
      return position;
    }
    // A position that is still to come is one of another database, or of one that was restored.
    if (after > position || position - after > mostMissed) {
      this.#send(listener, write(`id: ${position}\nevent: reset\ndata: {}\n\n`));
      return position;
    }
    const { ledger, repository } = this.#options;
    for (let told = after; ; ) {
      const news = await ledger.readNews(repository, told, readAtOnce);
      for (const one of news) this.#send(listener, writeNews(one).bytes);
      told = news.at(-1)?.position ?? told;
      if (news.length < readAtOnce) return Math.max(told, position);
    }
  }

  /** Looks only while there is a page that listens. */
  #begin(position: number): void {
    if (this.#timers.length > 0) return;
    const { pollMilliseconds = 200, heartbeatMilliseconds = 15_000, onTrouble } = this.#options;
    this.#position = position;
    this.#timers = [
      setInterval(() => void this.#look().catch(onTrouble), pollMilliseconds),
      // A page hears no comments: an event tells it that the server is there. It is no place to come back to.
      setInterval(() => this.#sendAll(write('event: beat\ndata: {}\n\n')), heartbeatMilliseconds),
    ];
  }

  async #look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { ledger, repository } = this.#options;
      const position = await ledger.readPosition();
      if (position < this.#position) {
        this.#position = position;
        for (const listener of this.#listeners) listener.told = Math.min(listener.told, position);
        this.#sendAll(write(`id: ${position}\nevent: reset\ndata: {}\n\n`));
      }
      while (this.#position < position) {
        const news = await ledger.readNews(repository, this.#position, readAtOnce);
        for (const one of news) this.#publish(writeNews(one));
        const last = news.at(-1)?.position ?? position;
        this.#position = news.length < readAtOnce ? Math.max(last, position) : last;
      }
    } finally {
      this.#isReading = false;
    }
  }

  #publish(message: Message): void {
    for (const listener of this.#listeners) {
      if (listener.early === null) this.#tell(listener, message);
      else listener.early.push(message);
    }
  }

  /** What it was told while it caught up is not told again. */
  #tell(listener: Listener, { position, bytes }: Message): void {
    if (position <= listener.told) return;
    listener.told = position;
    this.#send(listener, bytes);
  }

  #sendAll(bytes: Bytes): void {
    for (const listener of this.#listeners) this.#send(listener, bytes);
  }

  #send(listener: Listener, bytes: Bytes): void {
    const { controller, session } = listener;
    if (!this.#listeners.has(listener)) return;
    const isFull = (controller.desiredSize ?? 0) < bytes.byteLength;
    if (isFull || !this.#options.sessions.isOpen(session, this.#options.now())) this.#drop(listener);
    else controller.enqueue(bytes);
  }

  #drop(listener: Listener): void {
    if (this.#listeners.has(listener)) listener.controller.close();
    this.#forget(listener);
  }

  #forget(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }
}
