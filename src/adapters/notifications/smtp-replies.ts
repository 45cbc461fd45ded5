/** The replies of a mail server, of one line or several, within limits. */
import type { Socket } from 'node:net';

export interface Reply {
  readonly code: number;
  /** Such as `5.7.8`; empty when the server gives none. */
  readonly enhanced: string;
  /** Without codes. */
  readonly lines: readonly string[];
}

const mostBytes = 16_384;
const mostLines = 100;

export class SmtpReplies {
  #buffer = '';
  #lines: string[] = [];
  readonly #ready: Reply[] = [];
  #failure: Error | null = null;
  #wake: (() => void) | null = null;

  /** Ends the listening. */
  readonly letGo: () => void;

  constructor(socket: Socket, signal?: AbortSignal) {
    const fail = (error: Error): void => {
      this.#failure ??= error;
      this.#wake?.();
    };
    const giveUp = (): void => {
      fail(signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      socket.destroy();
    };
    const take = (bytes: Buffer): void => this.#take(bytes.toString('latin1'), fail);
    const close = (): void => {
      signal?.removeEventListener('abort', giveUp);
      fail(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }));
    };
    socket.on('data', take).on('error', fail).on('close', close);
    this.letGo = () => {
      socket.off('data', take).off('error', fail).off('close', close);
      signal?.removeEventListener('abort', giveUp);
    };
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  }

  /** Whether more has come than was asked for. */
  hasMore(): boolean {
    return this.#buffer !== '' || this.#lines.length > 0 || this.#ready.length > 0;
  }

  async next(): Promise<Reply> {
    while (this.#ready.length === 0) {
      if (this.#failure !== null) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#ready.shift() as Reply;
  }

  #take(text: string, fail: (error: Error) => void): void {
    this.#buffer += text;
    const noServer = (): void => fail(Object.assign(new Error('no mail server'), { code: 'ENOTSMTP' }));
    for (let end = this.#buffer.indexOf('\n'); end >= 0; end = this.#buffer.indexOf('\n')) {
      const line = this.#buffer.slice(0, end).replace(/\r$/u, '');
      this.#buffer = this.#buffer.slice(end + 1);
      const [, code = '', mark = '', rest = ''] = /^([2-5]\d\d)([ -]?)(.*)$/u.exec(line) ?? [];
      if (code === '' || this.#lines.length >= mostLines) {
        noServer();
        return;
      }
      this.#lines.push(rest);
      if (mark === '-') continue;
      const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?= |$)/u.exec(rest)?.[0] ?? '';
      this.#ready.push({ code: Number(code), enhanced, lines: this.#lines });
      this.#lines = [];
    }
    if (this.#buffer.length > mostBytes) noServer();
    else this.#wake?.();
  }
}
