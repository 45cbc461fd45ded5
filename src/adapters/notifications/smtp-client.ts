/**
 * Hands one message to a mail server (RFC 5321), and no more than that: the server queues it and tries again by itself.
 * Nothing is said before TLS but the greeting, unless the server is this machine.
 */
import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { failed, refused } from './channel-errors.ts';
import { type Reply, SmtpReplies } from './smtp-replies.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

interface Envelope {
  readonly from: string;
  readonly to: string;
  /** Lines that end with CR LF. */
  readonly data: string;
}

export interface SmtpOptions {
  /** Of the channel, for errors. */
  readonly channel: string;
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
}

/** A line that is only a dot would end the message. */
export function stuffDots(data: string): string {
  return data.replace(/^\./gmu, '..');
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

class SmtpSession {
  readonly #server: SmtpServer;
  readonly #options: SmtpOptions;
  #socket: Socket | TLSSocket | null = null;
  #replies: SmtpReplies | null = null;
  #extensions: readonly string[] = [];

  constructor(server: SmtpServer, options: SmtpOptions) {
    this.#server = server;
    this.#options = options;
  }

  async open(): Promise<void> {
    const { host, port, tls } = this.#server;
    const name = { servername: isIP(host) === 0 ? host : '' };
    this.#use(tls === 'implicit' ? connectSecurely({ host, port, ...name }) : connectPlainly({ host, port }));
    this.#expect(await this.#read(), 220, 'it does not greet as a mail server');
    await this.#greet();
    if (tls !== 'starttls') return;
    if (!this.#extensions.includes('STARTTLS'))
      throw refused(
        this.#options.channel,
        'the mail server offers no STARTTLS, and nothing is sent in the clear',
        'Use its port for TLS (465) with "tls": "implicit".',
      );
    this.#expect(await this.#say('STARTTLS'), 220, 'the mail server does not begin TLS');
    // What came with that answer was not encrypted: another machine may have put it there.
    if (this.#replies?.hasMore() === true)
      throw failed(this.#options.channel, 'the mail server said more before TLS than it may');
    const plain = this.#socket as Socket;
    this.#replies?.letGo();
    plain.on('error', () => undefined);
    // Without the host, a certificate would be compared with `localhost` where it is an address.
    this.#use(connectSecurely({ socket: plain, host, ...name }));
    await this.#greet();
  }

  async logIn(): Promise<void> {
    const { login } = this.#server;
    if (login === null) return;
    const offered = this.#extensions.find((line) => /^AUTH[ =]/u.test(line))?.split(/[ =]/u) ?? [];
    const { user, password } = login;
    if (offered.includes('PLAIN')) {
      this.#expect(
        await this.#say(`AUTH PLAIN ${base64(`\u0000${user}\u0000${password}`)}`),
        235,
        'the login',
      );
      return;
    }
    if (!offered.includes('LOGIN'))
      throw refused(this.#options.channel, 'the mail server offers neither AUTH PLAIN nor AUTH LOGIN');
    this.#expect(await this.#say('AUTH LOGIN'), 334, 'the login');
    this.#expect(await this.#say(base64(user)), 334, 'the login');
    this.#expect(await this.#say(base64(password)), 235, 'the login');
  }

  async send({ from, to, data }: Envelope): Promise<string> {
    this.#expect(await this.#say(`MAIL FROM:<${from}>`), 250, 'the sender');
    this.#expect(await this.#say(`RCPT TO:<${to}>`), [250, 251], 'the recipient');
    this.#expect(await this.#say('DATA'), 354, 'the message');
    const { code } = this.#expect(await this.#say(`${stuffDots(data)}.`), 250, 'the message');
    return `SMTP ${code}`;
  }

  /** It has taken the message, or never will: what it says to this changes nothing. */
  quit(): void {
    this.#socket?.on('error', () => undefined);
    this.#socket?.end('QUIT\r\n');
    this.#socket?.destroySoon();
  }

  async #greet(): Promise<void> {
    const { lines } = this.#expect(await this.#say('EHLO [127.0.0.1]'), 250, 'the greeting');
    this.#extensions = lines.slice(1).map((line) => line.toUpperCase());
  }

  #use(socket: Socket | TLSSocket): void {
    this.#socket = socket;
    this.#replies = new SmtpReplies(socket, this.#options.signal);
  }

  async #say(line: string): Promise<Reply> {
    this.#socket?.write(`${line}\r\n`);
    return this.#read();
  }

  #read(): Promise<Reply> {
    return this.#replies?.next() ?? Promise.reject(new Error('there is no connection'));
  }

  /** The words of the server are not repeated: it may have been told a password. */
  #expect(reply: Reply, wanted: number | readonly number[], what: string): Reply {
    const { code, enhanced } = reply;
    if ([wanted].flat().includes(code)) return reply;
    const why = `${what} was not taken (SMTP ${code}${enhanced === '' ? '' : ` ${enhanced}`})`;
    throw code >= 500 ? refused(this.#options.channel, why) : failed(this.#options.channel, why);
  }
}

/** Says hello, and logs in where there is a login; @param work what is done then */
export async function withSmtp<T>(
  server: SmtpServer,
  { channel, milliseconds, signal }: SmtpOptions,
  work: (session: Pick<SmtpSession, 'send'>) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(milliseconds);
  const both = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const session = new SmtpSession(server, { channel, milliseconds, signal: both });
  try {
    await session.open();
    await session.logIn();
    return await work(session);
  } finally {
    session.quit();
  }
}
