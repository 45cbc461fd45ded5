/** `notify`: tells people outside the forge what waits and what has stopped, once; and tests the channels. */
import { randomBytes } from 'node:crypto';
import type { NotificationMessage } from '../../../../domain/notifications/notification.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError, toGatewrightError } from '../../../../errors.ts';
import { Teller } from '../../../../fleet/notifications/tell-people.ts';
import type { House } from '../../../../runs/house.ts';
import type { App, OpenedNotifications } from '../../app.ts';
import { exitCodes } from '../../exit-codes.ts';
import { openDesk } from '../../open-desk.ts';
import type { Given, Handler } from '../../table/command.ts';
import { describeTold } from '../../views/notifications/told-view.ts';

const nothingSet = (): GatewrightError =>
  new GatewrightError('config-invalid', 'No channel of notifications is set.', {
    hint: 'docs/notifications.md shows how to set one.',
  });

const openHouse = (app: App, given: Given): Promise<House> =>
  app.openHouse(given.text('repo'), { forge: null, name: null, asAgent: true });

export const tellNow: Handler = async (app, given) => {
  const house = await openHouse(app, given);
  const desk = await openDesk(app, house);
  if (desk === null) throw nothingSet();
  const { outcomes, held, isElsewhere } = await new Teller(house, desk).tell();
  const { terminal } = app;
  if (given.flag('json')) terminal.printJson({ outcomes, held, isElsewhere });
  else {
    for (const outcome of outcomes) terminal.print(describeTold(outcome));
    if (isElsewhere) terminal.print('Another process tells people about this repository right now.');
    else if (outcomes.length === 0) terminal.print('There is nothing to tell that was not told.');
    if (held > 0) terminal.print(`Held until quiet hours end: ${held}.`);
  }
  return outcomes.every(({ answer }) => answer !== null) ? exitCodes.done.code : exitCodes.failed.code;
};

function testMessage(repository: string, to: string): NotificationMessage {
  return {
    ...{ version: 1, kind: 'test', repository, to, matters: [], more: 0 },
    id: randomBytes(16).toString('hex'),
    at: new Date().toISOString(),
  };
}

interface Tested {
  readonly channel: string;
  readonly to: string;
  readonly answer: string | null;
  readonly why: string;
  readonly fix: string;
}

async function testChannel(
  { channels }: OpenedNotifications,
  repository: string,
  name: string,
  to: string,
): Promise<Tested> {
  try {
    const answer = (await channels.get(name)?.send(testMessage(repository, to))) ?? null;
    return { channel: name, to, answer, why: '', fix: '' };
  } catch (error) {
    const { message, hint } = toGatewrightError(error);
    return { channel: name, to, answer: null, why: message, fix: hint };
  }
}

export const testChannels: Handler = async (app, given) => {
  const house = await openHouse(app, given);
  const opened = await app.openNotifications(house.signingKey);
  if (opened === null) throw nothingSet();
  const [only] = given.args;
  if (only !== undefined && !opened.channels.has(only))
    throw new GatewrightError('usage', `There is no channel "${escapeForLine(only, 60)}".`, {
      hint: `The channels are: ${[...opened.channels.keys()].join(', ')}.`,
    });
  const pairs = opened.people.flatMap(({ name, channels }) =>
    channels.filter((one) => only === undefined || one === only).map((channel) => ({ channel, name })),
  );
  if (pairs.length === 0)
    throw new GatewrightError('config-invalid', `No person is told anything by ${only ?? 'any channel'}.`, {
      hint: 'Name the channel under "channels" of a person.',
    });
  const tested = await Promise.all(
    pairs.map(({ channel, name }) => testChannel(opened, house.repositoryName, channel, name)),
  );
  const { terminal } = app;
  if (given.flag('json')) terminal.printJson(tested);
  else
    for (const one of tested) {
      terminal.print(
        one.answer === null ? describeTold(one) : `Sent to ${one.to} by ${one.channel}: ${one.answer}.`,
      );
      if (one.fix !== '') terminal.print(`  fix: ${escapeForLine(one.fix, 300)}`);
    }
  return tested.every(({ answer }) => answer !== null) ? exitCodes.done.code : exitCodes.failed.code;
};
