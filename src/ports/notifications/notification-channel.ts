/** A way to tell a person something outside the forge. */
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import type { ChannelKind } from '../../domain/notifications/notification-settings.ts';

export interface NotificationChannel {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Changes when the channel leads elsewhere or gets another secret; neither can be found out from it. */
  readonly address: Sha256;
  /**
   * Hands the message over and says what was answered. Fails with `notification-refused` when it would be refused again,
   * and with `notification-failed` when it may be taken later. No error holds an address, a secret or words of the other
   * side. The signal gives up: then it is not known whether the message arrives.
   */
  send(message: NotificationMessage, signal?: AbortSignal): Promise<string>;
  /** Completes "is ready: …", having told no person anything; fails as `send` does. */
  check(signal: AbortSignal): Promise<string>;
}

/** A message that was not taken, as the ledger has it. */
export interface UnsentMessage {
  readonly repository: string;
  readonly channel: string;
  readonly to: string;
  readonly attempts: number;
  /** No further attempt is made until the settings of the channel change. */
  readonly isGivenUp: boolean;
  readonly why: string;
  /** Of the last attempt. */
  readonly at: string;
}
