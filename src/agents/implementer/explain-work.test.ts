/** Why work does not go on, where a person has to know what happened before: on the local forge, with real git. */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, ImplementerWorld } from '../../../test/support/implementer-world.ts';
import { explainNumber } from '../../fleet/explain-number.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

const explain = (number: number) => explainNumber(world.fleet.house, world.fleet.own, number);

describe('a pull request whose test command failed', () => {
  it('names the command, the end of its output and where all of it is', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps.slice(1) }]);
    const { number } = await world.order();
    const [pull] = await world.pulls();
    const [verified] = await world.entries(number, 'command-verified');
    expect(verified?.data.exitCode).toBe(1);
    // From both sides: the issue moves as its pull request does.
    for (const one of [pull?.number ?? 0, number]) {
      const { conditions } = await explain(one);
      const [failed] = conditions.filter(({ what }) => what.includes('"node --test" failed'));
      expect(failed?.what).toMatch(
        /"node --test" failed at [0-9a-f]{12} \(exit code 1\)\. It printed last: /u,
      );
      expect(failed?.how).toContain(`see its output with: gatewright runs show ${verified?.run}`);
    }
  });

  it('says nothing of it once a later commit passes', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps }]);
    await world.order();
    const [pull] = await world.pulls();
    const { conditions } = await explain(pull?.number ?? 0);
    expect(conditions.map(({ what }) => what).join()).not.toContain('failed');
  });
});
