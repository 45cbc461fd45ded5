/** Who is told what comes from this machine alone, and what is wrong with it is said without a secret. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewrightError } from '../errors.ts';
import { readNotifications, secretsOfNotifications } from './read-notifications.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-notifications-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

function read(content: object | string | null, environment: Environment = {}, mode = 0o600) {
  const file = join(folder, 'notifications.json');
  if (content !== null) {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
  }
  return readNotifications({ environment, notificationsFile: file, actor: 'alice' });
}

function refusal(content: object | string, environment: Environment = {}, mode = 0o600): string {
  try {
    read(content, environment, mode);
  } catch (error) {
    if (error instanceof GatewrightError)
      return `${error.code} ${error.message} ${error.details.join(' | ')}`;
    throw error;
  }
  return 'nothing was refused';
}

const mail = { kind: 'email', host: 'mail.example.com', port: 587, from: 'gatewright@example.com' };
const anna = { name: 'anna', channels: ['mail'], email: 'anna@example.com' };

describe('readNotifications', () => {
  it('finds nothing where nothing is set', () => {
    expect(read(null)).toBe(null);
    expect(read({})).toBe(null);
  });

  it('takes two channels from the environment, and tells the person who runs it everything', () => {
    const environment = {
      GATEWRIGHT_NOTIFY_WEBHOOK_URL: 'https://hooks.example.com/x',
      GATEWRIGHT_NOTIFY_WEBHOOK_SECRET: 'sixteen letters!',
      GATEWRIGHT_NOTIFY_SLACK_URL: 'https://slack.example.com/y',
    };
    const settings = read(null, environment);
    expect([...(settings?.channels ?? [])]).toEqual([
      ['webhook', { kind: 'webhook', url: 'https://hooks.example.com/x', secret: 'sixteen letters!' }],
      ['slack', { kind: 'slack', url: 'https://slack.example.com/y' }],
    ]);
    expect(settings?.people).toEqual([
      {
        name: 'you',
        logins: ['alice'],
        channels: ['webhook', 'slack'],
        tell: 'all',
        urgency: 'normal',
        quiet: null,
      },
    ]);
    expect(settings?.variables.toSorted()).toEqual(Object.keys(environment).toSorted());
  });

  it('reads people, with what they do not say as most want it', () => {
    const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' };
    const settings = read(
      {
        channels: {
          mail: { ...mail, user: 'u', password: { variable: 'GATEWRIGHT_NOTIFY_MAIL' } },
          desk: { kind: 'desktop' },
        },
        people: [
          { ...anna, quiet },
          { name: 'ben', logins: ['ben', 'ben-x'], channels: ['desk', 'desk'], tell: 'all', urgency: 'high' },
        ],
      },
      { GATEWRIGHT_NOTIFY_MAIL: 'secret of mail' },
    );
    expect(settings?.channels.get('mail')).toEqual({
      ...mail,
      tls: 'starttls',
      login: { user: 'u', password: 'secret of mail' },
      addresses: { anna: 'anna@example.com' },
    });
    expect(settings?.people).toEqual([
      { name: 'anna', logins: ['anna'], channels: ['mail'], tell: 'own', urgency: 'normal', quiet },
      {
        name: 'ben',
        logins: ['ben', 'ben-x'],
        channels: ['desk'],
        tell: 'all',
        urgency: 'high',
        quiet: null,
      },
    ]);
    expect(settings === null ? [] : secretsOfNotifications(settings)).toEqual(['secret of mail']);
  });

  it('speaks TLS from the start at the port for that', () => {
    const settings = read({ channels: { mail: { ...mail, port: 465 } }, people: [anna] });
    expect(settings?.channels.get('mail')).toMatchObject({ tls: 'implicit', login: null });
  });

  it('refuses a file that other users can read', () => {
    expect(refusal({}, {}, 0o644)).toContain('is open to other users');
  });

  const canary = 'canary-secret';
  it.each<[string, object | string, string]>([
    ['no JSON', `{ "channels": "${canary}" `, 'line 1'],
    ['a key twice', `{ "people": [], "people": "${canary}" }`, 'line 1'],
    ['an unknown kind', { channels: { a: { kind: 'pager', url: canary } } }, 'channels.a'],
    [
      'http to another machine',
      { channels: { a: { kind: 'slack', url: `http://example.com/${canary}` } } },
      'https address',
    ],
    [
      'a login in an address',
      { channels: { a: { kind: 'slack', url: `https://u:${canary}@example.com/` } } },
      'https address',
    ],
    ['no address', { channels: { a: { kind: 'webhook', url: canary } } }, 'https address'],
    [
      'a short secret',
      { channels: { a: { kind: 'webhook', url: 'https://e.com/', secret: 'canary-secr' } } },
      'shorter than 16',
    ],
    [
      'another variable',
      { channels: { a: { kind: 'slack', url: { variable: 'GITHUB_TOKEN' } } } },
      'channels.a.url',
    ],
    [
      'a variable that is not set',
      { channels: { a: { kind: 'slack', url: { variable: 'GATEWRIGHT_NOTIFY_X' } } } },
      'GATEWRIGHT_NOTIFY_X is not set',
    ],
    [
      'mail in the clear',
      { channels: { mail: { ...mail, tls: 'none' } }, people: [anna] },
      'on this machine only',
    ],
    [
      'a password without a user',
      { channels: { mail: { ...mail, password: canary } }, people: [anna] },
      'both a user and a password',
    ],
    ['mail for no person', { channels: { mail } }, 'has to name who gets'],
    [
      'a person without an address',
      { channels: { mail }, people: [{ name: 'anna', channels: ['mail'] }] },
      'people.0.email',
    ],
    [
      'a channel that is not there',
      { channels: { mail }, people: [{ ...anna, channels: ['team'] }] },
      'no channel "team"',
    ],
    [
      'a name of objects',
      { channels: { mail }, people: [{ ...anna, channels: ['constructor'] }] },
      'no channel "constructor"',
    ],
    ['a person twice', { channels: { mail }, people: [anna, anna] }, 'is there twice'],
    [
      'a zone that is none',
      { channels: { mail }, people: [{ ...anna, quiet: { from: '22:00', to: '07:00', zone: 'Moon/Base' } }] },
      'time zone',
    ],
    [
      'a time that is none',
      { channels: { mail }, people: [{ ...anna, quiet: { from: '25:00', to: '07:00', zone: 'UTC' } }] },
      'a time such as',
    ],
    [
      'hours that are no hours',
      { channels: { mail }, people: [{ ...anna, quiet: { from: '07:00', to: '07:00', zone: 'UTC' } }] },
      'the same time',
    ],
    [
      'an address with a header',
      { channels: { mail: { ...mail, from: 'a@example.com\r\nBcc: b@example.com' } }, people: [anna] },
      'channels.mail.from',
    ],
    [
      'an address with a command',
      { channels: { mail }, people: [{ ...anna, email: 'a@b.com> SIZE=1' }] },
      'people.0.email',
    ],
    [
      'a host with an option',
      { channels: { mail: { ...mail, host: '-o evil' } }, people: [anna] },
      'channels.mail.host',
    ],
  ])('refuses %s, and shows no secret', (_, content, said) => {
    const refused = refusal(content);
    expect(refused).toMatch(/^config-invalid /u);
    expect(refused).toContain(said);
    expect(refused).not.toContain(canary);
  });

  it('takes long addresses in no time', () => {
    const started = process.cpuUsage().user;
    expect(
      refusal({ channels: { mail: { ...mail, from: `a@${'b'.repeat(240)}!` } }, people: [anna] }),
    ).toContain('from');
    expect(process.cpuUsage().user - started).toBeLessThan(500_000);
  });
});
