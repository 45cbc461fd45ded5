/** The published form of what a webhook gets. The program writes it and never reads it, so only the documentation needs it. */
import { z } from 'zod';
import { type NotificationMessage, urgencies } from '../src/domain/notifications/notification.ts';

const moment = z.iso.datetime();
const id = z.string().regex(/^[0-9a-f]{32}$/u);

const matter = z.strictObject({
  id: id.meta({ description: 'The same as long as the words are the same.' }),
  kind: z.enum(['gate', 'asked', 'stop']).meta({
    description: 'A gate, something that is answered on the forge, or a run that has stopped.',
  }),
  urgency: z.enum(urgencies),
  subject: z.string().meta({ description: 'What it is about, such as owner/repo#42.' }),
  run: z.string().nullable(),
  title: z.string().meta({ description: 'Words of others: escape them where you show them.' }),
  why: z.string().meta({ description: 'May hold words of others: escape them where you show them.' }),
  owner: z.string().meta({ description: 'Who can move it on.' }),
  command: z.string().meta({ description: 'What continues it or says more; empty when no command does.' }),
  costUsd: z.number().min(0).nullable(),
  since: moment,
  url: z.url().nullable(),
});

const message = z
  .strictObject({
    version: z.literal(1),
    id: id.meta({ description: 'The same in every attempt to send this message.' }),
    kind: z.enum(['notification', 'digest', 'test']),
    repository: z.string(),
    to: z.string().meta({ description: 'The name of the person in the settings.' }),
    at: moment,
    matters: z.array(matter).max(50),
    more: z.int().min(0).meta({ description: 'How many more there are than stand in it.' }),
  })
  .meta({ title: 'A notification of Gatewright' });

/** Does not compile when the two differ. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;
const isSame: Same<z.infer<typeof message>, Writable<NotificationMessage>> = true;
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

export function makeNotificationJsonSchema(): Record<string, unknown> {
  return isSame && z.toJSONSchema(message);
}
