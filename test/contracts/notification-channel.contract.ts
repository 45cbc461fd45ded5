/** What every way to tell people something does, on every kind of channel. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Matter, NotificationMessage } from '../../src/domain/notifications/notification.ts';
import { hasUnsafeCharacters } from '../../src/domain/text/untrusted-text.ts';
import { GatewrightError } from '../../src/errors.ts';
import type { NotificationChannel } from '../../src/ports/notifications/notification-channel.ts';
import { hostileText } from '../support/hostile-text.ts';
import { propertyRuns } from '../support/property-runs.ts';

export interface Arrived {
  /** What marks it as a copy of another one; null where the other side knows no such thing. */
  readonly id: string | null;
  /** All of it, as the other side reads it. */
  readonly text: string;
}

export interface ChannelWorld {
  readonly channel: NotificationChannel;
  /** What must be in no error. */
  readonly secrets: readonly string[];
  arrived(): readonly Arrived[];
  /** What it answers from now on. */
  behave(how: 'well' | 'busy' | 'refusing' | 'gone'): void | Promise<void>;
  /** Throws where words of a stranger are more than words there. */
  expectHarmless(arrived: Arrived): void;
  /** How many hostile texts are sent: a connection with TLS, or a process, takes long. */
  readonly hostileRuns: number;
  close(): void;
}

const aMatter: Matter = {
  id: 'a'.repeat(32),
  kind: 'gate',
  urgency: 'normal',
  subject: 'local/project#3',
  run: '01J0',
  title: 'Export reports as CSV',
  why: 'the draft gate G1 has to be answered (approve or revise)',
  owner: 'a person with write permission on local/project',
  command: 'gatewright gate answer G1 approve',
  costUsd: 1.25,
  since: '2026-11-19T08:00:00.000Z',
  url: null,
};

function aMessage(
  more: Partial<NotificationMessage> = {},
  matter: Partial<Matter> = {},
): NotificationMessage {
  return {
    ...{ version: 1, kind: 'notification', repository: 'local/project', to: 'anna', more: 0 },
    id: 'b'.repeat(32),
    at: '2026-11-19T08:00:01.000Z',
    matters: [{ ...aMatter, ...matter }],
    ...more,
  };
}

const fragments = [
  ...['\\074a href=\\042https://evil.test\\042\\076', '\\0', '\\377', '\\342\\200\\256', '\\', '\\n'],
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\nBcc: eve@example.com\r\n',
    '\r\n.\r\nMAIL FROM:<eve@example.com>\r\n',
    '.\r\n',
  ],
  ...[
    '@channel',
    '@here',
    '@everyone',
    '<!channel>',
    '<!here|here>',
    '<@U123>',
    '<https://evil.test|our site>',
  ],
  ...[
    '[here](https://evil.test)',
    '`',
    '``',
    '```',
    '*',
    '_',
    '~',
    '>',
    '&',
    '&lt;',
    '&amp;',
    '"',
    "'",
    '\\',
  ],
  ...[
    '\u001B[31m',
    '\u001B]8;;https://evil.test\u0007',
    '\u202E',
    '\u2066',
    '\u200B',
    '\u2028',
    '\0',
    '\u009B',
  ],
  ...['=?utf-8?B?ZXZpbA==?=', 'é', '💥', '--', '-e', '$(id)', '; id', '<b>', '</b>', '<img src=x>', '\uD800'],
];

async function errorOf(work: Promise<unknown>): Promise<GatewrightError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GatewrightError);
  return error as GatewrightError;
}

export function describeNotificationChannel(name: string, open: () => Promise<ChannelWorld>): void {
  describe(`the channel: ${name}`, () => {
    let world: ChannelWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const expectNoSecret = ({ message, hint, details }: GatewrightError): void => {
      for (const secret of world.secrets)
        expect([message, hint, ...details].join('\n')).not.toContain(secret);
    };

    it('hands over what it is given, and says what was answered', async () => {
      expect(await world.channel.send(aMessage())).toMatch(/^[\w ]{3,40}$/u);
      const [one, ...more] = world.arrived();
      expect(more).toEqual([]);
      expect(one?.text).toContain('Export reports as CSV');
      expect(one?.text).toContain('A gate waits for your answer');
    });

    it('gives a message the same id in every attempt, and another message another one', async () => {
      await world.channel.send(aMessage());
      await world.channel.send(aMessage());
      await world.channel.send(aMessage({ id: 'c'.repeat(32) }));
      const [first, second, third] = world.arrived().map(({ id }) => id);
      expect(second).toBe(first);
      if (first !== null) expect(third).not.toBe(first);
    });

    it('says that a test message is one', async () => {
      await world.channel.send(aMessage({ kind: 'test', matters: [] }));
      expect(world.arrived()[0]?.text).toMatch(/test/u);
    });

    it('tells all of a digest, and how many more there are', async () => {
      const matters = [1, 2, 3].map((number) => ({ ...aMatter, title: `Thing ${number}` }));
      await world.channel.send(aMessage({ kind: 'digest', matters, more: 7 }));
      const [{ text } = { text: '' }] = world.arrived();
      for (const { title } of matters) expect(text).toContain(title);
      expect(text).toContain('7');
    });

    it('fails for now when the other side is busy or gone, and for good when it refuses', async () => {
      await world.behave('busy');
      const busy = await errorOf(world.channel.send(aMessage()));
      await world.behave('refusing');
      const refusing = await errorOf(world.channel.send(aMessage()));
      await world.behave('gone');
      const gone = await errorOf(world.channel.send(aMessage()));
      expect([busy.code, refusing.code, gone.code]).toEqual([
        'notification-failed',
        'notification-refused',
        world.channel.kind === 'desktop' ? 'notification-refused' : 'notification-failed',
      ]);
      for (const error of [busy, refusing, gone]) expectNoSecret(error);
      expect(world.arrived()).toEqual([]);
    });

    it('is checked without telling any person anything', async () => {
      expect(await world.channel.check(AbortSignal.timeout(10_000))).not.toBe('');
      expect(world.arrived()).toEqual([]);
      await world.behave('gone');
      expectNoSecret(await errorOf(world.channel.check(AbortSignal.timeout(10_000))));
    });

    it('makes words of strangers harmless', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(hostileText(fragments), hostileText(fragments), async (title, why) => {
          const before = world.arrived().length;
          await world.channel.send(aMessage({}, { title, why }));
          const arrived = world.arrived();
          expect(arrived).toHaveLength(before + 1);
          const [one] = arrived.slice(before);
          if (one === undefined) throw new Error('nothing arrived');
          expect(hasUnsafeCharacters(one.text)).toBe(false);
          world.expectHarmless(one);
        }),
        { numRuns: propertyRuns(world.hostileRuns) },
      );
    });
  });
}
