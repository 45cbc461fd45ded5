/** The contract between channels, against servers and programs of the tests. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { DesktopChannel } from '../../src/adapters/notifications/desktop-channel.ts';
import { EmailChannel } from '../../src/adapters/notifications/email-channel.ts';
import { SlackChannel } from '../../src/adapters/notifications/slack-channel.ts';
import { WebhookChannel } from '../../src/adapters/notifications/webhook-channel.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { MailServer, type MailSettings } from '../support/mail-server.ts';
import { NotificationReceiver } from '../support/notification-receiver.ts';
import { CertificateAuthority } from '../world/certificates.ts';
import {
  type Arrived,
  type ChannelWorld,
  describeNotificationChannel,
} from './notification-channel.contract.ts';

const address = 'd'.repeat(64);
const secretPath = '/services/T000/B000/very-secret-path';
const secretKey = 'a key that signs messages';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/notification.schema.json'), 'utf8'),
) as object;
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const isMessage = ajv.compile(schema);

type Kind = 'webhook' | 'slack';

async function openWeb(kind: Kind): Promise<ChannelWorld> {
  const receiver = await NotificationReceiver.open();
  const url = `${receiver.url}${secretPath}`;
  const own = { name: 'team', address, url, send: fetch };
  const channel =
    kind === 'webhook'
      ? new WebhookChannel({ ...own, secret: secretKey, clock: systemClock })
      : new SlackChannel(own);
  const isTaken = (): boolean => receiver.answering.status === 200;
  let taken = 0;
  return {
    channel,
    secrets: ['very-secret-path', secretKey],
    hostileRuns: 300,
    arrived: () => {
      if (isTaken()) taken = receiver.posts.length;
      return receiver.posts.slice(0, taken).map(({ headers, body }) => ({
        id: String(headers['idempotency-key']),
        text: readable(kind, body),
      }));
    },
    behave: (how) => {
      receiver.answering =
        how === 'busy'
          ? { status: 503 }
          : how === 'refusing'
            ? { status: 401, body: secretPath }
            : { status: 200 };
      if (how === 'gone') {
        receiver.answering = { status: 503 };
        receiver.close();
      }
    },
    expectHarmless: ({ text }) => (kind === 'slack' ? expectSlackHarmless(text) : undefined),
    close: () => receiver.close(),
  };
}

/** What a person or a program there sees. */
function readable(kind: Kind, body: string): string {
  const parsed = JSON.parse(body) as { text: string; matters: { title: string }[]; kind: string };
  if (kind === 'slack') return parsed.text;
  isMessage(parsed);
  expect(isMessage.errors).toBe(null);
  // A program reads data: what is in it is made visible in the body that travels, and comes out as it was.
  return `${body} ${parsed.matters.length > 0 ? 'A gate waits for your answer' : ''}`;
}

/** All that is outside code spans is ours, so that nothing else can be a mention, a link or emphasis. */
function expectSlackHarmless(text: string): void {
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines) {
    const [, label, quoted] = /^(About|Why|Who|Command): (.*)$/u.exec(line) ?? [];
    if (label === undefined) {
      expect(line).toMatch(
        /^(?:\*local\/project: [\w ]+\*|• A gate waits for your answer|Cost so far: `\$1\.25`)$/u,
      );
      continue;
    }
    expect(quoted).toMatch(/^`[^`]+`$/u);
    expect(quoted).not.toMatch(/[<>]/u);
    expect(quoted?.replaceAll(/&(?:amp|lt|gt);/gu, '')).not.toContain('&');
  }
}

describeNotificationChannel('webhook', () => openWeb('webhook'));
describeNotificationChannel('slack', () => openWeb('slack'));

const authority = new CertificateAuthority();
setDefaultCACertificates([...getCACertificates('default'), authority.pem]);
const certificate = authority.issue('localhost');
const login = { user: 'gatewright', password: 'a password for mail' };

function readMail(data: string): Arrived {
  const [head = '', body = ''] = data.split('\r\n\r\n');
  const unfolded = head.replaceAll('\r\n ', '');
  const words = unfolded.replaceAll(/=\?utf-8\?B\?([^?]*)\?=/gu, (_, word: string) =>
    Buffer.from(word, 'base64').toString(),
  );
  const id = /^Message-ID: (<.+>)$/mu.exec(words)?.[1] ?? null;
  return { id, text: `${words}\n${Buffer.from(body, 'base64').toString()}`.replaceAll('\r\n', '\n') };
}

const headerNames =
  /^(?:Date|From|To|Subject|Message-ID|MIME-Version|Content-Type|Content-Transfer-Encoding|Auto-Submitted|X-Auto-Response-Suppress): /u;

function expectMailHarmless(data: string): void {
  const [head = '', ...bodies] = data.split('\r\n\r\n');
  expect(bodies).toHaveLength(1);
  expect(data.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/u);
  expect(data).toMatch(/^[\x20-\x7E\r\n]*$/u);
  for (const line of data.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  const headers = head.replaceAll('\r\n ', '').split('\r\n');
  expect(headers).toHaveLength(10);
  for (const header of headers) expect(header).toMatch(headerNames);
}

async function openMail(tls: MailSettings['tls'], offers: readonly string[]): Promise<ChannelWorld> {
  const server = await MailServer.open({ tls, certificate, login, offers });
  const channel = new EmailChannel({
    ...{ name: 'mail', address, host: 'localhost', port: server.port, tls, login },
    from: 'gatewright@example.com',
    addresses: { anna: 'anna@example.com' },
  });
  return {
    channel,
    hostileRuns: tls === 'none' ? 300 : 20,
    secrets: [login.password, Buffer.from(login.password).toString('base64')],
    arrived: () => {
      for (const { from, to, isEncrypted } of server.mails)
        expect([from, to, isEncrypted]).toEqual([
          'gatewright@example.com',
          'anna@example.com',
          tls !== 'none',
        ]);
      if (tls !== 'none')
        expect(server.inTheClear.filter((line) => /AUTH|MAIL|DATA/u.test(line))).toEqual([]);
      return server.mails.map(({ data }) => readMail(data));
    },
    behave: async (how) => {
      if (how === 'busy') server.settings = { ...server.settings, answers: { RCPT: '451 4.7.1 later' } };
      if (how === 'refusing')
        server.settings = { ...server.settings, answers: { AUTH: `535 5.7.8 ${login.password}` } };
      if (how === 'gone') server.close();
    },
    expectHarmless: () => expectMailHarmless(server.mails.at(-1)?.data ?? ''),
    close: () => server.close(),
  };
}

describeNotificationChannel('e-mail over TLS', () => openMail('implicit', ['PLAIN', 'LOGIN']));
describeNotificationChannel('e-mail with STARTTLS', () => openMail('starttls', ['LOGIN']));
describeNotificationChannel('e-mail to this machine', () => openMail('none', ['PLAIN']));

const plainEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** As `notify-send` reads a body before it shows it: bytes by octal numbers, and no more after a zero. */
function readEscapes(text: string): string {
  const bytes = text.replace(/\\([0-7]{1,3}|[\s\S])/gu, (_, sign: string) =>
    /^[0-7]/u.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8) & 255) : (plainEscapes[sign] ?? sign),
  );
  return bytes.split('\0')[0] ?? '';
}

/** A program that writes down how it was called, in the place of the one of the desktop. */
async function openDesktop(program: 'notify-send' | 'osascript'): Promise<ChannelWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-desktop-'));
  const [file, log, end] = [program, 'calls', 'end'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(end, '0');
  writeFileSync(
    file,
    `#!/bin/sh\nread code < ${end}\n[ "$code" = 0 ] || exit "$code"\nfor one in "$@"; do printf '%s\\0' "$one"; done >> ${log}\nprintf '\\n\\0' >> ${log}\n`,
  );
  chmodSync(file, 0o755);
  const environment = { PATH: folder, GATEWRIGHT_NOTIFY_SLACK_URL: 'https://slack.test/secret' };
  const calls = (): string[][] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\0\n\0')
          .filter((call) => call !== '')
          .map((call) => call.split('\0'))
      : [];
  return {
    channel: new DesktopChannel({ name: 'desk', address, environment }),
    secrets: ['slack.test'],
    hostileRuns: 60,
    arrived: () =>
      calls().map((words) => {
        const [title = '', body = ''] = words.slice(-2);
        return { id: null, text: `${title}\n${program === 'notify-send' ? readEscapes(body) : body}` };
      }),
    behave: (how) => {
      if (how === 'busy') writeFileSync(end, '1');
      // A desktop refuses nothing; without the program there is none.
      if (how === 'refusing' || how === 'gone') rmSync(file, { force: true });
    },
    expectHarmless: () => {
      const words = calls().at(-1) ?? [];
      const fixed = program === 'notify-send' ? ['--app-name=Gatewright', '--urgency=normal', '--'] : ['-e'];
      expect(words.slice(0, fixed.length)).toEqual(fixed);
      expect(words).toHaveLength(program === 'notify-send' ? 5 : 8);
      expect(words.at(-2)).toMatch(/^Gatewright: local\/project: /u);
      expect(words.at(-1)).toMatch(/^A gate waits for your answer: /u);
      if (program !== 'notify-send') return;
      const shown = readEscapes(words.at(-1) ?? '');
      expect(shown).not.toMatch(/[<>\u0080-\u009f]/u);
      // Nothing of it was taken for an escape.
      expect(shown.replaceAll('\\', '\\\\')).toBe(words.at(-1));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

describeNotificationChannel('desktop of Linux', () => openDesktop('notify-send'));
describeNotificationChannel('desktop of macOS', () => openDesktop('osascript'));
