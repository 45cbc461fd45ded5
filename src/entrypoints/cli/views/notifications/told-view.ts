/** What came of telling people something, in a line each. */
import { countOf } from '../../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import type { ToldOutcome } from '../../../../fleet/notifications/tell-people.ts';
import type { UnsentMessage } from '../../../../ports/notifications/notification-channel.ts';

export function describeTold({ channel, to, answer, why }: ToldOutcome): string {
  return answer === null
    ? `Not told to ${to}: ${escapeForLine(why, 300)}`
    : `Told to ${to} by ${channel} (${escapeForLine(answer, 100)}).`;
}

/** Of each channel one line, with its newest failure. */
export function describeUnsent(unsent: readonly UnsentMessage[]): string[] {
  const byChannel = [...Map.groupBy(unsent, ({ channel }) => channel).values()];
  return byChannel.flatMap(([newest, ...more]) => {
    if (newest === undefined) return [];
    const all = [newest, ...more];
    const count = countOf(all.length, 'message was', 'messages were');
    const givenUp = all.filter(({ isGivenUp }) => isGivenUp).length;
    const next =
      givenUp === all.length
        ? 'given up until its settings change'
        : `${givenUp === 0 ? '' : `${givenUp} given up, `}tried again as long as it matters`;
    return [`${escapeForLine(newest.why, 300)} ${count} not sent (${next}). See: gatewright notify test`];
  });
}
