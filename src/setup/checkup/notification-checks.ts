/** Checks of the ways to tell people something outside the forge. No person is told anything by them. */
import { countOf } from '../../domain/text/count-of.ts';
import { toGatewrightError } from '../../errors.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import { type Check, type Finding, ok, problem, warning } from './run-checkup.ts';

type Channel = Awaited<ReturnType<CheckupWorld['notifications']['listChannels']>>[number];

async function checkChannel(channel: Channel, signal: AbortSignal): Promise<Finding> {
  try {
    return ok(`"${channel.name}" (${channel.kind}): ${await channel.check(signal)}`);
  } catch (error) {
    const { message, hint } = toGatewrightError(error);
    return problem(message, hint);
  }
}

async function findUnsent({ notifications }: CheckupWorld): Promise<Finding[]> {
  const byChannel = Map.groupBy(await notifications.listUnsent(), ({ channel }) => channel);
  return [...byChannel].flatMap(([channel, [newest, ...more]]) => {
    if (newest === undefined) return [];
    const count = countOf(more.length + 1, 'message was', 'messages were');
    return [
      warning(
        `${count} not sent by "${channel}"; last at ${newest.at}: ${newest.why}`,
        `Try it with: gatewright notify test ${channel}`,
      ),
    ];
  });
}

async function checkNotifications(world: CheckupWorld, signal: AbortSignal): Promise<Finding[]> {
  const channels = await world.notifications.listChannels();
  const checks = channels.map((channel) => checkChannel(channel, signal));
  return [...(await Promise.all(checks)), ...(await findUnsent(world))];
}

export const notificationChecks: readonly Check[] = [{ name: 'notifications', look: checkNotifications }];
