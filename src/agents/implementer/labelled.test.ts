/** A label for a kind of work is an order on an issue that mentions the agent, from a person who may give one; once. */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import { seeText } from '../../domain/forge/seen-text.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

/** A stranger files it, so that its text alone orders nothing. */
async function fileByStranger(body = '@claude please'): Promise<number> {
  world = await ImplementerWorld.open([{ steps: goodSteps }]);
  await world.as('stranger', 'read');
  const number = await world.fileIssue(body, { as: 'stranger' });
  await world.deliver('issue-opened', { number, text: body, actor: 'stranger' });
  return number;
}

async function label(number: number, name: string, more: { actor?: string; actorKind?: 'bot' } = {}) {
  const { title, body } = await (await world.as('alice')).getIssue(world.repository, number);
  const seen = seeText({ title, body });
  const outcomes = await world.deliver('labeled', {
    number,
    isPullRequest: false,
    label: name,
    seen,
    ...more,
  });
  return outcomes.flatMap((one) => one.outcomes.map(({ run }) => run.request.agent));
}

describe('a label on an issue that mentions the agent', () => {
  it('starts the work when a person who may order sets it, and the text is an order only once', async () => {
    const number = await fileByStranger();
    expect(await world.pulls()).toEqual([]);
    expect(await label(number, 'bug', { actor: 'stranger' })).not.toContain('implementer');
    for (const other of ['question', 'blocked', 'hold-on', 'priority: high'])
      expect(await label(number, other)).not.toContain('implementer');
    expect(await label(number, 'Bug')).toContain('implementer');
    expect(await world.pulls()).toHaveLength(1);
    expect(await label(number, 'feature')).not.toContain('implementer');
  });

  it('orders nothing where the text does not mention it, or only quotes it', async () => {
    const number = await fileByStranger('Somebody wrote:\n\n> @claude please\n\nand `@claude do it`.');
    expect(await label(number, 'bug')).not.toContain('implementer');
  });

  it('orders nothing under our own name, whether that is a program or a person', async () => {
    const number = await fileByStranger();
    const { own } = world.fleet;
    expect(await label(number, 'bug', { actor: own, actorKind: 'bot' })).not.toContain('implementer');
    expect(await label(number, 'bug', { actor: own })).not.toContain('implementer');
  });
});
