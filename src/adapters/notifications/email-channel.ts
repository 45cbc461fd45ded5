/** A message by e-mail, handed to the mail server of the settings. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import type { NotificationChannel } from '../../ports/notifications/notification-channel.ts';
import { explainChannel, refused } from './channel-errors.ts';
import { writeEmail } from './email-message.ts';
import { type SmtpServer, withSmtp } from './smtp-client.ts';

interface EmailOptions extends SmtpServer {
  readonly name: string;
  readonly address: Sha256;
  readonly from: string;
  readonly addresses: Readonly<Record<string, string>>;
}

const longestMilliseconds = 30_000;

export class EmailChannel implements NotificationChannel {
  readonly kind = 'email';
  readonly name: string;
  readonly address: Sha256;
  readonly #options: EmailOptions;

  constructor(options: EmailOptions) {
    this.name = options.name;
    this.address = options.address;
    this.#options = options;
  }

  async send(message: NotificationMessage, signal?: AbortSignal): Promise<string> {
    const { from, addresses } = this.#options;
    const to = Object.hasOwn(addresses, message.to) ? addresses[message.to] : undefined;
    if (to === undefined) throw refused(this.name, 'the person has no e-mail address in the settings');
    const data = writeEmail(message, from, to);
    const limits = {
      ...{ channel: this.name, milliseconds: longestMilliseconds },
      ...(signal === undefined ? {} : { signal }),
    };
    return withSmtp(this.#options, limits, (session) => session.send({ from, to, data })).catch((error) => {
      throw explainChannel(this.name, error);
    });
  }

  async check(signal: AbortSignal): Promise<string> {
    const { login, tls } = this.#options;
    const limits = { channel: this.name, milliseconds: longestMilliseconds, signal };
    await withSmtp(this.#options, limits, async () => undefined).catch((error) => {
      throw explainChannel(this.name, error);
    });
    const how = tls === 'none' ? 'without TLS' : 'over TLS';
    return `the mail server answers ${how}${login === null ? '' : ' and takes the login'}; nothing was sent`;
  }
}
