/** The health report: of pull requests that carry our mark, of our runs, of failed workflows; honest when there are none. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { slot, stopGuardian } from '../../../test/support/scheduled-world.ts';

const mark = `<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(40)} -->`;
const minute = 1 / 1440;

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open();
});
afterEach(() => world.remove());

async function report(days = minute): Promise<string> {
  const settled = await world.deliver(slot(world, 'health-report', days));
  expect(settled.flatMap(({ outcomes }) => outcomes.map(({ status }) => status))).toEqual(['done']);
  return (await reports())[0]?.body ?? '';
}

async function reports() {
  const forge = await world.as('alice');
  return forge.listIssues(world.repository, { state: 'all', label: 'agent-health-report' });
}

const make = (branch: string, as = world.own, body = mark) =>
  world.openPullRequest(branch, { [branch]: 'x\n' }, { as, body });

describe('health-report', () => {
  it('says so when there is nothing to measure', async () => {
    const body = await report();
    expect(body).toContain('nothing to measure');
    expect(body).toContain('No agent ran.');
    expect(body).not.toMatch(/\d %/u);
    expect((await reports())[0]?.title).toMatch(/^Agent Health Report - \d{4}-\d\d-\d\d$/u);
  });

  it('counts our pull requests by risk, our runs, and failed workflows', async () => {
    const { repository } = world;
    const alice = await world.as('alice');
    const risks = { one: 'auto-merge', two: 'needs-review', three: 'auto-merge' } as const;
    for (const [branch, label] of Object.entries(risks)) {
      const { number, head } = await make(branch);
      await alice.ensureLabel(repository, { name: label, colour: 'ededed', description: '' });
      await alice.editIssue(repository, number, { addLabels: [label] });
      if (branch === 'two') await alice.editPullRequest(repository, number, { state: 'closed' });
      else await alice.mergePullRequest(repository, number, { head, title: 'm', body: '' });
    }
    await make('waiting');
    // Not ours: somebody else's, and what the account's owner made by hand.
    await make('hers', 'alice');
    await make('by-hand', world.own, '');
    const headSha = world.playground.git('rev-parse', 'main');
    const failed = { name: 'ci @all', headSha, branch: 'main', event: 'push', status: 'completed' } as const;
    await alice.recordWorkflowRun(repository, { ...failed, conclusion: 'failure' });
    await alice.recordWorkflowRun(repository, { ...failed, conclusion: 'success' });
    await stopGuardian(world, 'big', 'refused');
    const body = await report();
    for (const row of [
      '| made | 4 |',
      '| merged | 2 |',
      '| closed without merging | 1 |',
      '| open now | 1 |',
      '| merge rate | 67 % |',
      '| hours to merge (median) | 0.0 |',
      '| auto-merge | 2 | 2 | 0 |',
      '| needs-review | 1 | 0 | 1 |',
      '| unlabelled | 1 | 0 | 0 |',
    ])
      expect(body).toContain(row);
    expect(body).toMatch(/## Failed workflows\n\n- ci @[^a]+all: failed 1 time\n/u);
    expect(body).toContain(
      '## Failed runs\n\n- pr-size-guardian: 1 failed of 1 run, most often for `internal`\n',
    );
    expect(body).toContain('## Recommendations');
  });

  it('is about the week before its slot', async () => {
    const { number, head } = await make('topic');
    const alice = await world.as('alice');
    await alice.mergePullRequest(world.repository, number, { head, title: 'm', body: '' });
    expect(await report(-1)).toContain('nothing to measure');
    expect(await report(6.9)).toContain('| merged | 1 |');
    expect(await report(8)).toContain('nothing to measure');
  });

  it('comes once a week, under whatever delivery', async () => {
    await report();
    await world.deliver(slot(world, 'health-report', minute));
    expect(await reports()).toHaveLength(1);
    await world.deliver(slot(world, 'health-report', 7));
    expect(await reports()).toHaveLength(2);
  });
});
