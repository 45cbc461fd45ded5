/**
 * Who is told what, and through what: a file of the user's own that no other user can read, and the environment. Nothing
 * of it can come from a repository: a message holds what issues say, and an address is where that goes.
 */
import { z } from 'zod';
import { urgencies } from '../domain/notifications/notification.ts';
import type {
  ChannelSettings,
  NotificationSettings,
  Recipient,
} from '../domain/notifications/notification-settings.ts';
import { isTimeZone, isWallTime } from '../domain/notifications/quiet-hours.ts';
import { GatewrightError } from '../errors.ts';
import { parseJson } from './parse-json.ts';
import type { BaseConfig } from './read-config.ts';
import { readPrivateFile } from './read-private-file.ts';

const hint = 'The form is described in docs/notifications.md.';

/** Only these are kept from the programs that Gatewright starts. */
const secretVariable = /^GATEWRIGHT_NOTIFY_[A-Z0-9_]{1,60}$/u;

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/u, 'has to begin with a letter, and holds small letters, digits and - only');

/** A text, or the variable that holds it. */
const secret = z.union(
  [
    z.string().min(1).max(2_000),
    z.strictObject({ variable: z.string().regex(secretVariable, 'has to begin with GATEWRIGHT_NOTIFY_') }),
  ],
  'has to be a text, or { "variable": "GATEWRIGHT_NOTIFY_…" }',
);

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** Only what needs no quoting in a header or an envelope, so that no address can hold another header or command. */
const mailAddress = z
  .string()
  .max(254)
  .regex(
    new RegExp(`^[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9])?@${label}(?:\\.${label})*$`, 'u'),
    'has to be a plain e-mail address',
  );

const hostName = z
  .string()
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|[0-9a-fA-F:]{2,45})$/u, 'has to be a host');

const channelForm = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('webhook'), url: secret, secret: secret.optional() }),
  z.strictObject({ kind: z.literal('slack'), url: secret }),
  z.strictObject({
    kind: z.literal('email'),
    host: hostName,
    port: z.int().min(1).max(65_535),
    tls: z.enum(['implicit', 'starttls', 'none']).optional(),
    user: z.string().min(1).max(200).optional(),
    password: secret.optional(),
    from: mailAddress,
  }),
  z.strictObject({ kind: z.literal('desktop') }),
]);

const personForm = z.strictObject({
  name,
  logins: z.array(z.string().min(1).max(100)).max(20).optional(),
  channels: z.array(name).min(1).max(20),
  email: mailAddress.optional(),
  tell: z.enum(['own', 'all']).optional(),
  urgency: z.enum(urgencies).optional(),
  quiet: z
    .strictObject({
      from: z.string().refine(isWallTime, 'has to be a time such as 22:00'),
      to: z.string().refine(isWallTime, 'has to be a time such as 07:30'),
      zone: z.string().refine(isTimeZone, 'has to be a time zone such as Europe/Berlin'),
    })
    .refine(({ from, to }) => from !== to, 'from and to are the same time')
    .optional(),
});

const fileForm = z.strictObject({
  channels: z.record(name, channelForm).optional(),
  people: z.array(personForm).max(50).optional(),
});

type ChannelForm = z.infer<typeof channelForm>;
type PersonForm = z.infer<typeof personForm>;

function refuse(where: string, details: readonly string[]): never {
  throw new GatewrightError('config-invalid', `${where} cannot be used.`, { hint, details });
}

const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);

/** Over http every machine on the way could read the messages, so http is for servers on this machine only. */
function isSafeUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
}

/** Puts texts of variables in their places, and says what does not fit. Values are never shown. */
class ChannelReader {
  readonly problems: string[] = [];
  readonly variables: string[] = [];
  readonly #environment: BaseConfig['environment'];

  constructor(environment: BaseConfig['environment']) {
    this.#environment = environment;
  }

  #resolve(where: string, given: z.infer<typeof secret>): string {
    if (typeof given === 'string') return given;
    this.variables.push(given.variable);
    const value = (this.#environment[given.variable] ?? '').trim();
    if (value === '') this.problems.push(`${where}: the variable ${given.variable} is not set`);
    return value;
  }

  #url(where: string, given: z.infer<typeof secret>): string {
    const url = this.#resolve(where, given);
    if (url !== '' && !isSafeUrl(url))
      this.problems.push(
        `${where}: has to be an https address without a login (http only for a server on this machine)`,
      );
    return url;
  }

  read(where: string, given: ChannelForm, people: readonly PersonForm[]): ChannelSettings {
    switch (given.kind) {
      case 'desktop':
        return given;
      case 'slack':
        return { kind: 'slack', url: this.#url(`${where}.url`, given.url) };
      case 'webhook': {
        const { url, secret: key } = given;
        const text = key === undefined ? null : this.#resolve(`${where}.secret`, key);
        if (text !== null && text !== '' && text.length < 16)
          this.problems.push(`${where}.secret: is shorter than 16 characters`);
        return { kind: 'webhook', url: this.#url(`${where}.url`, url), secret: text };
      }
      default:
        return this.#email(where, given, people);
    }
  }

  #email(
    where: string,
    given: Extract<ChannelForm, { kind: 'email' }>,
    people: readonly PersonForm[],
  ): ChannelSettings {
    const { host, port, user, password, from } = given;
    const tls = given.tls ?? (port === 465 ? 'implicit' : 'starttls');
    if (tls === 'none' && !isLoopback(host))
      this.problems.push(`${where}.tls: "none" is for a server on this machine only`);
    if ((user === undefined) !== (password === undefined))
      this.problems.push(`${where}: has to have both a user and a password, or neither`);
    const login =
      user === undefined || password === undefined
        ? null
        : { user, password: this.#resolve(`${where}.password`, password) };
    const addresses = Object.fromEntries(
      people.flatMap(({ name: person, email }) => (email === undefined ? [] : [[person, email]])),
    );
    return { kind: 'email', host, port, tls, login, from, addresses };
  }
}

type FileForm = z.infer<typeof fileForm>;

function readFile(file: string): FileForm {
  const text = readPrivateFile(file, 'The file of notifications');
  if (text === null) return {};
  const { value, problems } = parseJson(text);
  if (problems.length > 0)
    return refuse(
      file,
      // The words of the parser could quote a secret.
      problems.map(({ line }) => `line ${line}: is not JSON, or a key is there twice`),
    );
  const parsed = fileForm.safeParse(value);
  if (parsed.success) return parsed.data;
  return refuse(
    file,
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
  );
}

/** Channels that need no file. */
function channelsOfEnvironment(environment: BaseConfig['environment']): Record<string, ChannelForm> {
  const isSet = (variable: string): boolean => (environment[variable] ?? '').trim() !== '';
  const [url, key, slack] = [
    'GATEWRIGHT_NOTIFY_WEBHOOK_URL',
    'GATEWRIGHT_NOTIFY_WEBHOOK_SECRET',
    'GATEWRIGHT_NOTIFY_SLACK_URL',
  ];
  const signed = isSet(key) ? { secret: { variable: key } } : {};
  return {
    ...(isSet(url) ? { webhook: { kind: 'webhook', url: { variable: url }, ...signed } } : {}),
    ...(isSet(slack) ? { slack: { kind: 'slack', url: { variable: slack } } } : {}),
  };
}

function toRecipient({ name: person, logins, channels, tell, urgency, quiet }: PersonForm): Recipient {
  return {
    name: person,
    logins: logins ?? [person],
    channels: [...new Set(channels)],
    tell: tell ?? 'own',
    urgency: urgency ?? 'normal',
    quiet: quiet ?? null,
  };
}

function problemsOfPeople(people: readonly PersonForm[], channels: Record<string, ChannelForm>): string[] {
  return people.flatMap((person, index) => {
    const where = `people.${index}`;
    const isTwice = people.findIndex(({ name: other }) => other === person.name) !== index;
    return [
      ...(isTwice ? [`${where}.name: "${person.name}" is there twice`] : []),
      ...person.channels.flatMap((channel) => {
        const known = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
        if (known === undefined) return [`${where}.channels: there is no channel "${channel}"`];
        return known.kind === 'email' && person.email === undefined
          ? [`${where}.email: is missing, and "${channel}" sends e-mail`]
          : [];
      }),
    ];
  });
}

interface ReadNotifications extends NotificationSettings {
  /** Those that are read. */
  readonly variables: readonly string[];
}

/** Null where nothing is set. Fails with all that cannot be used. */
export function readNotifications(
  config: Pick<BaseConfig, 'environment' | 'notificationsFile' | 'actor'>,
): ReadNotifications | null {
  const { environment, notificationsFile: file, actor } = config;
  const given = readFile(file);
  const forms = { ...channelsOfEnvironment(environment), ...given.channels };
  const names = Object.keys(forms);
  if (names.length === 0 && given.people === undefined) return null;
  const people = given.people ?? [];
  const reader = new ChannelReader(environment);
  const channels = new Map(
    Object.entries(forms).map(([key, form]) => [key, reader.read(`channels.${key}`, form, people)]),
  );
  const problems = [...reader.problems, ...problemsOfPeople(people, forms)];
  if (given.people === undefined)
    for (const [key, { kind }] of Object.entries(forms))
      if (kind === 'email') problems.push(`people: has to name who gets the e-mail of "${key}"`);
  if (problems.length > 0) return refuse(file, problems);
  // Without a list, the person who runs it is told everything.
  const all: Recipient = {
    ...{ name: 'you', logins: [actor], channels: names, tell: 'all', urgency: 'normal', quiet: null },
  };
  const { variables } = reader;
  return { channels, variables, people: given.people === undefined ? [all] : people.map(toRecipient) };
}

/** What of it may be in no text that leaves this machine. */
export function secretsOfNotifications({ channels }: NotificationSettings): string[] {
  return [...channels.values()].flatMap((channel) => {
    switch (channel.kind) {
      case 'webhook':
        return [channel.url, ...(channel.secret === null ? [] : [channel.secret])];
      case 'slack':
        return [channel.url];
      case 'email':
        return channel.login === null ? [] : [channel.login.password];
      default:
        return [];
    }
  });
}
