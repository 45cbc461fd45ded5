/** A message as signed JSON. Its form is published in docs/notification.schema.json. */
import { createHmac } from 'node:crypto';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { escapeForJson } from '../../domain/text/untrusted-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NotificationChannel } from '../../ports/notifications/notification-channel.ts';
import type { Fetch } from '../network/network-fetch.ts';
import { postJson } from './post-json.ts';
import { tryAddress } from './try-address.ts';

interface WebhookOptions {
  readonly name: string;
  readonly address: Sha256;
  readonly url: string;
  readonly secret: string | null;
  readonly send: Fetch;
  readonly clock: Pick<Clock, 'now'>;
}

/** The moment is signed too, so that a receiver can turn away a copy that is sent again later. */
function signBody(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

export class WebhookChannel implements NotificationChannel {
  readonly kind = 'webhook';
  readonly name: string;
  readonly address: Sha256;
  readonly #options: WebhookOptions;

  constructor(options: WebhookOptions) {
    this.name = options.name;
    this.address = options.address;
    this.#options = options;
  }

  async send(message: NotificationMessage, signal?: AbortSignal): Promise<string> {
    const { url, secret, send, clock } = this.#options;
    const body = escapeForJson(JSON.stringify(message));
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const headers = {
      'x-gatewright-event': message.kind,
      'x-gatewright-delivery': message.id,
      'idempotency-key': message.id,
      'x-gatewright-timestamp': String(seconds),
      ...(secret === null ? {} : { 'x-gatewright-signature-256': signBody(secret, seconds, body) }),
    };
    const { status } = await postJson(send, this.name, { url, body, headers, signal });
    return `HTTP ${status}`;
  }

  async check(signal: AbortSignal): Promise<string> {
    const { url, send } = this.#options;
    await tryAddress(send, this.name, url, signal);
    return 'its server answers; nothing was posted';
  }
}
