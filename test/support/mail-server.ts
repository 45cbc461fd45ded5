/** A mail server of the tests, with and without TLS: it takes messages as RFC 5321 says, and remembers what it was told. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, TLSSocket } from 'node:tls';
import type { Certificate } from '../world/certificates.ts';

export interface MailSettings {
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly certificate?: Certificate;
  readonly login?: { readonly user: string; readonly password: string };
  /** The ways to log in that it offers. */
  readonly offers?: readonly string[];
  /** What it says instead of its own answer, by the first word of the command; null: nothing at all. */
  readonly answers?: Readonly<Record<string, string | null>>;
  /** Said right after the answer to STARTTLS, in the clear, as a machine in between could. */
  readonly injected?: string;
}

export interface Mail {
  readonly from: string;
  readonly to: string;
  /** Without the dots that were put before dots. */
  readonly data: string;
  readonly isEncrypted: boolean;
}

export class MailServer {
  readonly mails: Mail[] = [];
  /** Every line that was said in the clear. */
  readonly inTheClear: string[] = [];
  settings: MailSettings;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(settings: MailSettings) {
    this.settings = settings;
    const { tls, certificate } = settings;
    const meet = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      if (settings.answers?.CONNECT !== null)
        socket.write(settings.answers?.CONNECT ?? '220 mail.test ESMTP\r\n');
      this.#talk(socket);
    };
    this.#server = tls === 'implicit' ? createSecureServer({ ...certificate }, meet) : createServer(meet);
    this.#server.on('tlsClientError', () => undefined);
  }

  static async open(settings: MailSettings): Promise<MailServer> {
    const server = new MailServer(settings);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #talk(socket: Socket): void {
    new MailTalk(socket, this).listen();
  }

  /** Goes on over TLS. */
  upgrade(socket: Socket): void {
    socket.removeAllListeners('data');
    socket.write(`220 go on\r\n${this.settings.injected ?? ''}`);
    const secure = new TLSSocket(socket, { isServer: true, ...this.settings.certificate });
    secure.on('error', () => undefined);
    this.#talk(secure);
  }
}

/** What is said over one connection. */
class MailTalk {
  readonly #socket: Socket;
  readonly #server: MailServer;
  readonly #isEncrypted: boolean;
  #buffer = '';
  #mode: 'commands' | 'data' | 'user' | 'password' = 'commands';
  #user = '';
  #isLoggedIn = false;
  #envelope = { from: '', to: '' };

  constructor(socket: Socket, server: MailServer) {
    this.#socket = socket;
    this.#server = server;
    this.#isEncrypted = socket instanceof TLSSocket;
  }

  listen(): void {
    this.#socket.on('data', (bytes: Buffer) => {
      this.#buffer += bytes.toString('latin1');
      this.#take();
    });
  }

  #say(line: string): void {
    this.#socket.write(`${line}\r\n`);
  }

  #take(): void {
    if (this.#mode === 'data') {
      this.#takeMessage();
      return;
    }
    const end = this.#buffer.indexOf('\r\n');
    if (end < 0) return;
    const line = this.#buffer.slice(0, end);
    this.#buffer = this.#buffer.slice(end + 2);
    if (!this.#isEncrypted) this.#server.inTheClear.push(line);
    this.#takeLine(line);
    this.#take();
  }

  #takeMessage(): void {
    const end = this.#buffer.indexOf('\r\n.\r\n');
    if (end < 0) return;
    const data = `${this.#buffer.slice(0, end)}\r\n`.replaceAll(/^\.\./gmu, '.');
    this.#buffer = this.#buffer.slice(end + 5);
    this.#mode = 'commands';
    const other = this.#server.settings.answers?.END;
    if (other === null) return;
    if (other === undefined)
      this.#server.mails.push({ ...this.#envelope, data, isEncrypted: this.#isEncrypted });
    this.#say(other ?? '250 2.0.0 queued');
  }

  #takeLine(line: string): void {
    if (this.#mode === 'user') {
      this.#user = Buffer.from(line, 'base64').toString();
      this.#mode = 'password';
      this.#say('334 UGFzc3dvcmQ6');
    } else if (this.#mode === 'password') {
      this.#mode = 'commands';
      this.#judge(this.#user, Buffer.from(line, 'base64').toString());
    } else this.#takeCommand(line);
  }

  #takeCommand(line: string): void {
    const word = line.split(/[ :]/u)[0]?.toUpperCase() ?? '';
    const other = this.#server.settings.answers?.[word];
    if (other === null) return;
    if (other !== undefined) {
      this.#say(other);
      return;
    }
    const known = this.#commands[word];
    if (known === undefined) this.#say('502 5.5.2 what?');
    else known(line);
  }

  #judge(user: string, password: string): void {
    const { login } = this.#server.settings;
    this.#isLoggedIn = user === login?.user && password === login.password;
    this.#say(this.#isLoggedIn ? '235 2.7.0 welcome' : `535 5.7.8 not ${password}`);
  }

  readonly #commands: Readonly<Record<string, (line: string) => void>> = {
    EHLO: () => {
      const { tls, login, offers = ['PLAIN', 'LOGIN'] } = this.#server.settings;
      const lines = [
        ...['mail.test', '8BITMIME'],
        ...(tls === 'starttls' && !this.#isEncrypted ? ['STARTTLS'] : []),
        ...(login === undefined ? [] : [`AUTH ${offers.join(' ')}`]),
      ];
      for (const [index, one] of lines.entries())
        this.#say(`250${index === lines.length - 1 ? ' ' : '-'}${one}`);
    },
    STARTTLS: () => this.#server.upgrade(this.#socket),
    AUTH: (line) => {
      const [, way, given = ''] = line.split(' ');
      const [, user = '', password = ''] = Buffer.from(given, 'base64').toString().split('\0');
      if (way === 'PLAIN') {
        this.#judge(user, password);
        return;
      }
      this.#mode = 'user';
      this.#say('334 VXNlcm5hbWU6');
    },
    MAIL: (line) => {
      this.#envelope = { from: /<(.*)>/u.exec(line)?.[1] ?? '', to: '' };
      const isStranger = this.#server.settings.login !== undefined && !this.#isLoggedIn;
      this.#say(isStranger ? '530 5.7.0 log in first' : '250 ok');
    },
    RCPT: (line) => {
      this.#envelope = { ...this.#envelope, to: /<(.*)>/u.exec(line)?.[1] ?? '' };
      this.#say('250 ok');
    },
    DATA: () => {
      this.#mode = 'data';
      this.#say('354 go on');
    },
    QUIT: () => void this.#socket.end('221 bye\r\n'),
  };
}
