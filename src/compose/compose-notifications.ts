/** Composition of the ways to tell people something outside the forge, from the settings of this machine. */
import { webBaseOf } from '../adapters/github/client/web-base.ts';
import { makeFetch } from '../adapters/network/network-fetch.ts';
import { DesktopChannel } from '../adapters/notifications/desktop-channel.ts';
import { EmailChannel } from '../adapters/notifications/email-channel.ts';
import { SlackChannel } from '../adapters/notifications/slack-channel.ts';
import { WebhookChannel } from '../adapters/notifications/webhook-channel.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { loadConfigLeniently } from '../config/load-config.ts';
import type { BaseConfig } from '../config/read-config.ts';
import { readNotifications } from '../config/read-notifications.ts';
import { signText } from '../domain/ledger/hash.ts';
import type { ChannelSettings } from '../domain/notifications/notification-settings.ts';
import type { OpenedNotifications } from '../entrypoints/cli/app.ts';
import type { NotificationChannel } from '../ports/notifications/notification-channel.ts';

export function composeNotifications(config: BaseConfig, signingKey: string): OpenedNotifications | null {
  const settings = readNotifications(config);
  if (settings === null) return null;
  const { environment } = config;
  const send = makeFetch(environment);
  const compose = (name: string, channel: ChannelSettings): NotificationChannel => {
    // Keyed: from a plain hash of an address, the address could be guessed.
    const address = signText(signingKey, `notification channel ${JSON.stringify(channel)}`);
    const own = { name, address };
    switch (channel.kind) {
      case 'webhook':
        return new WebhookChannel({ ...own, ...channel, send, clock: systemClock });
      case 'slack':
        return new SlackChannel({ ...own, ...channel, send });
      case 'email':
        return new EmailChannel({ ...own, ...channel });
      default:
        return new DesktopChannel({ ...own, environment });
    }
  };
  return {
    people: settings.people,
    channels: new Map([...settings.channels].map(([name, channel]) => [name, compose(name, channel)])),
    webBase: webBaseOf(loadConfigLeniently(config, null).github.apiUrl),
  };
}
