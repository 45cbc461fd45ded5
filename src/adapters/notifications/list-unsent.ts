/** Messages to people that no channel took, for `status` and `doctor`. By an index: the ledger may be long. */

import type { EffectOf } from '../../domain/ledger/effect.ts';
import { mostAttempts, notificationRunPrefix } from '../../domain/notifications/notification.ts';
import type { UnsentMessage } from '../../ports/notifications/notification-channel.ts';
import { prepareOnce, type SqliteDatabase } from '../sqlite/database.ts';

/** What failed longer ago is of no use to know. */
const shownFor = 7 * 86_400_000;

// Of each message the last attempt, if it failed: a later one is under way or has arrived.
const query = `
SELECT f.subject AS subject, f.at AS at, f.data AS data, i.data AS intent,
       (SELECT count(*) FROM ledger a WHERE a.run = f.run AND a.kind = 'effect-failed') AS attempts
FROM ledger f JOIN ledger i ON i.kind = 'effect-intended' AND i.key = f.key
WHERE f.kind = 'effect-failed' AND f.key >= @from AND f.key < @to AND f.at >= @since
  AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.run = f.run AND l.id > f.id)
ORDER BY f.id DESC LIMIT 100`;

interface Row {
  readonly subject: string;
  readonly at: string;
  readonly data: string;
  readonly intent: string;
  readonly attempts: number;
}

export function listUnsent(database: SqliteDatabase, now: Date): UnsentMessage[] {
  const rows = prepareOnce(database, query).all({
    from: notificationRunPrefix,
    to: `${notificationRunPrefix}~`,
    since: new Date(now.getTime() - shownFor).toISOString(),
  }) as Row[];
  return rows.map(({ subject, at, data, intent, attempts }) => {
    const { effect } = JSON.parse(intent) as { effect: EffectOf<'send-notification'> };
    const { code, message } = JSON.parse(data) as { code: string; message: string };
    return {
      repository: subject.split('~')[0] ?? subject,
      channel: effect.channel,
      to: effect.to,
      attempts,
      isGivenUp: code === 'notification-refused' || attempts >= mostAttempts,
      why: message,
      at,
    };
  });
}
