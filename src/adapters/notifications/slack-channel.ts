/** A message for an incoming webhook of Slack, or of a server that takes the same, such as Mattermost. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import type { NotificationChannel } from '../../ports/notifications/notification-channel.ts';
import type { Fetch } from '../network/network-fetch.ts';
import { postJson } from './post-json.ts';
import { writeSlackText } from './slack-text.ts';
import { tryAddress } from './try-address.ts';

interface SlackOptions {
  readonly name: string;
  readonly address: Sha256;
  readonly url: string;
  readonly send: Fetch;
}

/** Such as `channel_not_found`; anything else that a server says is not repeated. */
const faultIn = (answer: string): string =>
  /^[a-z]{2,20}(?:_[a-z]{1,20}){1,6}$/u.exec(answer.trim())?.[0] ?? '';

export class SlackChannel implements NotificationChannel {
  readonly kind = 'slack';
  readonly name: string;
  readonly address: Sha256;
  readonly #options: SlackOptions;

  constructor(options: SlackOptions) {
    this.name = options.name;
    this.address = options.address;
    this.#options = options;
  }

  async send(message: NotificationMessage, signal?: AbortSignal): Promise<string> {
    const { url, send } = this.#options;
    const body = JSON.stringify({
      text: writeSlackText(message),
      mrkdwn: true,
      // Nothing is looked up that a stranger wrote, and no name becomes a mention.
      ...{ unfurl_links: false, unfurl_media: false, link_names: 0 },
    });
    const headers = { 'idempotency-key': message.id };
    const { status } = await postJson(send, this.name, { url, body, headers, signal }, faultIn);
    return `HTTP ${status}`;
  }

  async check(signal: AbortSignal): Promise<string> {
    const { url, send } = this.#options;
    await tryAddress(send, this.name, url, signal);
    return 'its server answers; nothing was posted';
  }
}
