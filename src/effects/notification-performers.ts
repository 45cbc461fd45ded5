/**
 * Telling a person something. No channel can be asked whether a message arrived, so after a crash between the sending and
 * its receipt the same message is sent again, with the same id: it arrives at least once, and twice only then.
 */
import type { NotificationMessage } from '../domain/notifications/notification.ts';
import { GatewrightError } from '../errors.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { NotificationChannel } from '../ports/notifications/notification-channel.ts';
import type { Performer } from './performer.ts';

export function makeNotificationPerformers(
  channels: ReadonlyMap<string, NotificationChannel> | undefined,
  texts: Pick<Ledger, 'getText'>,
): { readonly 'send-notification': Performer<'send-notification'> } {
  return {
    'send-notification': {
      perform: async ({ effect }) => {
        const channel = channels?.get(effect.channel);
        if (channel === undefined)
          throw new GatewrightError(
            'notification-refused',
            `There is no channel "${effect.channel}" any more.`,
          );
        const message = JSON.parse(await texts.getText(effect.message)) as NotificationMessage;
        return { answer: await channel.send(message) };
      },
      find: async () => null,
      pretend: () => ({ answer: 'not sent' }),
    },
  };
}
