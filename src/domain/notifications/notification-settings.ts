/** Who is told what, and through what. */
import type { Urgency } from './notification.ts';
import type { QuietHours } from './quiet-hours.ts';

export type ChannelSettings =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** What the messages are signed with; null when they are not. */
      readonly secret: string | null;
    }
  | { readonly kind: 'slack'; readonly url: string }
  | {
      readonly kind: 'email';
      readonly host: string;
      readonly port: number;
      /** `implicit` speaks TLS from the start, `starttls` before anything is said, `none` only to this machine. */
      readonly tls: 'implicit' | 'starttls' | 'none';
      readonly login: { readonly user: string; readonly password: string } | null;
      readonly from: string;
      /** By the name of the person. */
      readonly addresses: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'desktop' };

export type ChannelKind = ChannelSettings['kind'];

export interface Recipient {
  readonly name: string;
  /** Under which the person is known on the forge and on this machine. */
  readonly logins: readonly string[];
  readonly channels: readonly string[];
  /** `own`: what the person began or ordered, and what no listed person did. */
  readonly tell: 'own' | 'all';
  /** Nothing below it is told. */
  readonly urgency: Urgency;
  readonly quiet: QuietHours | null;
}

export interface NotificationSettings {
  readonly channels: ReadonlyMap<string, ChannelSettings>;
  readonly people: readonly Recipient[];
}
