/** Work that is stuck at a limit is in the digest and in the health report, until it is closed or goes on. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { slot } from '../../../test/support/scheduled-world.ts';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open();
});
afterEach(() => world.remove());

async function fileAtLimit(what: 'continue' | 'fix' | 'conflict', more: object = {}): Promise<number> {
  const alice = await world.as('alice');
  const { number } = await alice.createIssue(world.repository, { title: what, body: '', labels: [] });
  const subject = `${world.repository}#${number}`;
  const data = { what, limit: 2, handle: 'claude', ...more };
  const entry = { subject, run: `R${number}`, actor: 'implementer', kind: 'limit-reached' } as const;
  await world.house.ledger.append([{ ...entry, key: subject, data }]);
  return number;
}

async function report(schedule: 'daily-digest' | 'health-report', label: string): Promise<string> {
  await world.deliver(slot(world, schedule, 1 / 1440));
  const forge = await world.as('alice');
  return (await forge.listIssues(world.repository, { state: 'open', label }))[0]?.body ?? '';
}

it('is told with what it waits for, and left out when it is closed', async () => {
  const stuck = [await fileAtLimit('continue'), await fileAtLimit('fix'), await fileAtLimit('conflict')];
  const stagnant = await fileAtLimit('fix', { because: 'stagnant' });
  const closed = await fileAtLimit('fix');
  await (await world.as('alice')).editIssue(world.repository, closed, { state: 'closed' });
  const health = await report('health-report', 'agent-health-report');
  expect(health).toContain('## Stuck at a limit');
  expect(health).toContain(`- limit of continuing: 1 (\`#${stuck[0]}\`)`);
  expect(health).toContain(`- limit of correcting findings: 2 (\`#${stuck[1]}\`, \`#${stagnant}\`)`);
  expect(health).toContain(`- limit of settling conflicts: 1 (\`#${stuck[2]}\`)`);
  expect(health).toContain('4 pieces of work wait for a person at a limit');
  const digest = await report('daily-digest', 'daily-digest');
  expect(digest).toContain(`- \`#${stuck[0]}\`: its turns ran out 3 times. It waits for a person; a comment`);
  expect(digest).toContain(`- \`#${stuck[2]}\`: it conflicts with its base after 2 attempts`);
  expect(digest).toContain(
    `- \`#${stagnant}\`: the review finds the same as before the last correction. It waits`,
  );
  expect(digest).not.toContain(`\`#${closed}\``);
});

it('is told of merges only where every attempt failed, not where one waits for a label or a check', async () => {
  const waits = async (title: string, isAtLimit: boolean): Promise<number> => {
    const alice = await world.as('alice');
    const { number } = await alice.createIssue(world.repository, { title, body: '', labels: [] });
    const subject = `${world.repository}#${number}`;
    const entry = { subject, run: `R${number}`, actor: 'auto-merge' } as const;
    const unmet = [{ code: 'check-failed', what: 'the check "ci" failed', how: 'push a fix' }];
    await world.house.ledger.append([
      ...(isAtLimit
        ? [
            {
              ...{ ...entry, kind: 'limit-reached' as const, key: `${subject}/limit` },
              data: { what: 'merge' as const, limit: 4 },
            },
          ]
        : []),
      { ...entry, kind: 'merge-waits', key: subject, data: { number, head: 'a'.repeat(40), unmet } },
    ]);
    return number;
  };
  const [red, moved] = [await waits('red', false), await waits('moved', true)];
  const health = await report('health-report', 'agent-health-report');
  expect(health).toContain(`- limit of merging: 1 (\`#${moved}\`)`);
  const digest = await report('daily-digest', 'daily-digest');
  expect(digest).toContain(`- \`#${moved}\`: every attempt to merge it`);
  expect(digest).not.toContain(`- \`#${red}\``);
});
