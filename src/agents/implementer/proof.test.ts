/** The implementer's pull requests say what their tests show; weaker tests and no tests never go without a person. */
import { afterEach, describe, expect, it } from 'vitest';
import { goodSteps, goodTest, ImplementerWorld } from '../../../test/support/implementer-world.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

/** The pull request that comes of these steps, and how often the check was run for it. */
async function propose(steps: readonly object[], environment: Readonly<Record<string, string>> = {}) {
  world = await ImplementerWorld.open([{ steps }], environment);
  const { number } = await world.order();
  const [pull] = await world.pulls();
  const runs = await world.entries(number, 'command-verified');
  const [proven] = await world.entries(number, 'change-proven');
  return {
    body: pull?.body ?? '',
    labels: pull?.labels ?? [],
    runs: runs.length,
    proven: proven?.data ?? null,
  };
}

const mends = { edit: 'src/sum.mjs', replace: 'a - b', with: 'a + b' };
const passing = goodTest.replace('sum(1, 2), 3', 'sum(0, 0), 0').replace("'sum'", "'nothing much'");

describe('a pull request', () => {
  it('says how many tests ran and that they fail without the change', async () => {
    const { body, labels, runs, proven } = await propose(goodSteps);
    expect(body).toContain(
      '1 test ran (by the report of node:test). Without the change, its tests fail: 1 of 1 test fails.',
    );
    expect(body).not.toContain('Not shown');
    expect(labels).toEqual(['auto-merge']);
    expect(runs).toBe(2);
    expect(proven).toMatchObject({ isProven: true, redGreen: 'shown', executed: 1, weakened: 0 });
  });

  it('says what is not shown, and goes without a person only where that is allowed', async () => {
    const steps = [mends, { write: 'test/sum.test.mjs', content: passing }];
    const warned = await propose(steps);
    expect(warned.body).toContain('**Not shown:** Its tests pass without the change too');
    expect(warned.labels).toEqual(['auto-merge']);
    world.remove();
    const enforced = await propose(steps, { GATEWRIGHT_PROOF: 'enforce' });
    expect(enforced.labels).toEqual(['needs-review']);
    expect(enforced.body).toContain('- It is not proven: Its tests pass without the change too');
  });

  it('with weaker tests lists them with their places and needs a person', async () => {
    const content = goodTest.replace("test('sum'", "test.skip('more', () => {});\ntest('sum'");
    const { body, labels } = await propose([mends, { write: 'test/sum.test.mjs', content }]);
    expect(body).toContain('### Weaker tests');
    expect(body).toContain('- `test/sum.test.mjs:5` A test is skipped');
    expect(labels).toEqual(['needs-review']);
  });

  it('whose check ran no test is one whose check failed', async () => {
    const { body, labels, runs } = await propose([
      mends,
      { write: 'test/sum.test.mjs', content: "console.log('all tests passed');\nprocess.exit(0);\n" },
    ]);
    expect(body).toContain('it **ran no test**, which counts as a failure, after');
    expect(body).toContain('- The check ran no test: node --test.');
    expect(labels).toEqual(['needs-review']);
    expect(runs).toBe(1);
  });

  it('without changed tests costs no further run, and none is judged where that is off', async () => {
    const untested = await propose([mends]);
    expect(untested.body).toContain('**Not shown:** It changes no test, so no test shows what it does.');
    expect(untested.runs).toBe(1);
    world.remove();
    const off = await propose(goodSteps, { GATEWRIGHT_PROOF: 'off' });
    expect([off.runs, off.proven]).toEqual([1, null]);
    expect(off.body).not.toMatch(/tests? ran|Not shown/u);
  });
});
