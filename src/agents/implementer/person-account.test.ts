/** Where agents act under a person's account, what that person says is still read; what the agents said is not. */
import { afterEach, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import { type EventOutcome, handleOpenEvents } from '../../fleet/handle-event.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';

let world: ImplementerWorld;
afterEach(() => world.fleet.remove());

it('reads what the person said whose account it uses', async () => {
  world = await ImplementerWorld.open([{ steps: goodSteps, includes: ['Leave the name as it is.'] }]);
  const number = await world.fileIssue('It should add.');
  const { house } = world.fleet;
  const ours = `A word of an agent.\n\n<!-- gatewright:effect ${'0'.repeat(24)}.${'0'.repeat(40)} -->\n`;
  await world.comment(number, ours);
  await world.comment(number, 'Leave the name as it is.');
  await receiveEvent(house, await world.comment(number, '@claude please'));
  const outcomes: EventOutcome[] = [];
  await handleOpenEvents(house, { own: 'alice' }, (outcome) => outcomes.push(outcome));
  expect(outcomes[0]?.outcomes[0]?.reason).toMatchObject({ code: 'finished' });
  const [prompt] = await world.entries(number, 'prompt-sent');
  const text = await house.ledger.getText(prompt?.data.prompt ?? ('' as never));
  expect(text).toContain('Leave the name as it is.');
  expect(text).not.toContain('A word of an agent.');
}, 240_000);
