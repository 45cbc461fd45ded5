/** A message on the screen of this machine, through the program that the system has for it. */
import { execFile } from 'node:child_process';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import { withoutSecrets } from '../../domain/machine/secret-variables.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import type { NotificationChannel } from '../../ports/notifications/notification-channel.ts';
import { findProgram } from '../system/find-program.ts';
import { failed, refused } from './channel-errors.ts';
import { closingOf, headlineOf, subjectOf, testWords } from './message-words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface DesktopOptions {
  readonly name: string;
  readonly address: Sha256;
  readonly environment: Environment;
}

const longestMilliseconds = 5_000;
const shown = 3;

/** The texts are arguments of a fixed script, and never a part of it. */
const script = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
].flatMap((line) => ['-e', line]);

interface Shower {
  readonly program: string;
  readonly argumentsFor: (title: string, body: string, isUrgent: boolean) => readonly string[];
}

/** Some desktops read the body as markup. `notify-send` itself reads escapes in it, by which a title could write that markup. */
const asBodyOfNotifySend = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\\', '\\\\');

function findShower(environment: Environment): Shower | null {
  const notifySend = findProgram(environment, 'notify-send');
  if (notifySend !== null)
    return {
      program: notifySend,
      argumentsFor: (title, body, isUrgent) => [
        ...['--app-name=Gatewright', `--urgency=${isUrgent ? 'critical' : 'normal'}`],
        ...['--', title, asBodyOfNotifySend(body)],
      ],
    };
  const osascript = findProgram(environment, 'osascript');
  return osascript === null
    ? null
    : { program: osascript, argumentsFor: (title, body) => [...script, title, body] };
}

function bodyOf(message: NotificationMessage): string {
  if (message.kind === 'test') return testWords;
  const lines = message.matters
    .slice(0, shown)
    .map((matter) => `${headlineOf(matter)}: ${escapeForLine(matter.title, 120)}`);
  const more = message.more + message.matters.length - lines.length;
  const closing = closingOf({ ...message, more });
  return [...lines, ...(closing === '' ? [] : [closing])].join('\n');
}

export class DesktopChannel implements NotificationChannel {
  readonly kind = 'desktop';
  readonly name: string;
  readonly address: Sha256;
  readonly #environment: Environment;

  constructor({ name, address, environment }: DesktopOptions) {
    this.name = name;
    this.address = address;
    this.#environment = environment;
  }

  #find(): Shower {
    const shower = findShower(this.#environment);
    if (shower !== null) return shower;
    throw refused(
      this.name,
      'this machine has neither notify-send nor osascript',
      'Install libnotify (notify-send), or leave the channel out.',
    );
  }

  async send(message: NotificationMessage): Promise<string> {
    const { program, argumentsFor } = this.#find();
    const isUrgent = message.matters.some(({ urgency }) => urgency === 'high');
    const words = argumentsFor(`Gatewright: ${subjectOf(message)}`, bodyOf(message), isUrgent);
    const options = {
      env: withoutSecrets(this.#environment),
      timeout: longestMilliseconds,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 65_536,
    };
    const isShown = await new Promise<boolean>((resolve) => {
      execFile(program, [...words], options, (error) => resolve(error === null)).stdin?.end();
    });
    if (!isShown) throw failed(this.name, 'the program of this desktop could not show it');
    return 'shown';
  }

  async check(): Promise<string> {
    return `${this.#find().program} is there`;
  }
}
