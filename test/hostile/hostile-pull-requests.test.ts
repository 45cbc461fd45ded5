/**
 * Hundreds of pull requests with everything that merging takes (our own label or that of a listed program at this head, a
 * clean review, green checks, tests that were run) and one thing in them that a person has to see: real git, the local
 * forge, the merging agent. None is merged. Harmless ones between them are.
 */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong } from '../support/crash-everywhere.ts';
import { FleetWorld } from '../support/fleet-world.ts';
import { recordReview, setLabel, setOwnLabel } from '../support/reviewed-pull-request.ts';
import { baseFiles, type Change, type Step } from './change-steps.ts';
import { harmlessChange } from './harmless-changes.ts';
import { hostileKinds } from './hostile-change-cases.ts';

const perKind = isLong ? 12 : 1;
const harmlessCount = isLong ? 24 : 2;
const lister = 'lister[bot]';

let world: FleetWorld;
beforeAll(async () => {
  const first = await FleetWorld.open();
  const base = commitSteps(first, 'main', baseFiles);
  first.playground.git('reset', '--quiet', '--hard', base);
  world = await first.reopen({ GATEWRIGHT_AGENTS: 'auto-merge', GATEWRIGHT_BOTS: lister });
  await world.as(lister, 'write');
});
afterAll(() => world.remove());

const quoted = (path: string): string => JSON.stringify(path).replace(/[\u007F-\uFFFF]/gu, (sign) => sign);

/** A commit that git itself makes, with names and modes that no work tree needs to hold. */
function commitSteps({ playground }: FleetWorld, branch: string, steps: readonly Step[]): string {
  const parts: Buffer[] = [];
  const say = (line: string): number => parts.push(Buffer.from(line));
  say(`commit refs/heads/${branch}\ncommitter T <t@example.invalid> 1790000000 +0000\ndata 2\nx\n`);
  say('from refs/heads/main^0\n');
  for (const step of steps) {
    if ('remove' in step) say(`D ${quoted(step.remove)}\n`);
    else if ('move' in step) say(`R ${quoted(step.move)} ${quoted(step.to)}\n`);
    else if (step.mode === '160000') say(`M 160000 ${step.content.toString()} ${quoted(step.write)}\n`);
    else {
      const content = Buffer.from(step.content);
      say(`M ${step.mode} inline ${quoted(step.write)}\ndata ${content.length}\n`);
      parts.push(content, Buffer.from('\n'));
    }
  }
  execFileSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: playground.repository,
    input: Buffer.concat(parts),
    env: { PATH: process.env.PATH, HOME: playground.home },
  });
  return playground.git('rev-parse', branch);
}

let count = 0;

/** Opens it with all that merging takes, wakes the merging agent, and tells what came of it. */
async function tryToMerge({ steps }: Change): Promise<{ state: string; said: string }> {
  count += 1;
  const branch = `change-${count}`;
  const head = commitSteps(world, branch, steps);
  const alice = await world.as('alice');
  const { number } = await alice.createPullRequest(world.repository, {
    ...{ title: branch, body: '', head: branch, base: 'main' },
  });
  if (count % 2 === 0) await setOwnLabel(world, { number, head }, branch);
  else await setLabel(world, number, 'auto-merge', lister);
  await recordReview(world, { number, head });
  const { ledger, actor } = world.house;
  const common = { subject: `${world.repository}#${number}`, run: `R-${branch}`, actor };
  await ledger.append([
    {
      ...{ ...common, kind: 'command-verified' },
      data: {
        ...{ command: ['node', '--test'], commit: head, exitCode: 0, sandbox: 'none', milliseconds: 1 },
        output: await ledger.putText(''),
      },
    },
    {
      ...{ ...common, kind: 'change-proven' },
      data: {
        ...{ commit: head, base: world.git('rev-parse', 'main'), isProven: true, redGreen: 'shown' },
        ...{ executed: 1, weakened: 0, proof: await ledger.putText('{}') },
      },
    },
  ]);
  await alice.setStatus(world.repository, head, { name: 'test', state: 'success', description: '' });
  const outcomes = await world.deliver(
    world.event('unlabeled', { number, isPullRequest: true, label: 'something' }),
  );
  const said = outcomes.flatMap((one) => one.outcomes.map(({ reason }) => reason.message)).join('; ');
  const { state } = await alice.getPullRequest(world.repository, number);
  if (state === 'open') await alice.editPullRequest(world.repository, number, { state: 'closed' });
  return { state, said };
}

const seed = Number(process.env.GATEWRIGHT_TEST_SEED ?? 20261116) || Date.now();

/** As many as wanted of each kind, no two alike. */
function draw(arbitrary: fc.Arbitrary<Change>, wanted: number, nth: number): Change[] {
  const drawn = fc.sample(arbitrary, { numRuns: wanted * 4, seed: seed + nth });
  return [...new Map(drawn.map((one) => [JSON.stringify(one.steps), one])).values()].slice(0, wanted);
}

it('what a person has to see is never merged without one, and what is harmless is', {
  timeout: 1_800_000,
}, async () => {
  const hostile = hostileKinds.flatMap((kind, nth) => draw(kind, perKind, nth));
  const harmless = draw(harmlessChange, harmlessCount, 99);
  expect(hostile.length).toBeGreaterThanOrEqual(isLong ? 200 : 12);
  expect(harmless.length).toBe(harmlessCount);
  const merged: unknown[] = [];
  const left: unknown[] = [];
  const reasons = new Map<string, number>();
  const every = Math.ceil(hostile.length / harmless.length);
  for (const [index, change] of hostile.entries()) {
    const { state, said } = await tryToMerge(change);
    const steps = change.steps.map((step) => ('write' in step ? `${step.mode} ${step.write}` : step));
    if (state !== 'open') merged.push({ kind: change.kind, steps, said });
    // Refused for what is in it, and for nothing else that this test forgot.
    const why = /it has to be merged by hand|no person has allowed the merge/u.exec(said)?.[0] ?? said;
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
    const control = index % every === 0 ? harmless[index / every] : undefined;
    if (control === undefined) continue;
    const outcome = await tryToMerge(control);
    if (outcome.state !== 'merged') left.push({ control, outcome });
  }
  expect(merged).toEqual([]);
  expect(left).toEqual([]);
  expect([...reasons.keys()].toSorted()).toEqual([
    'it has to be merged by hand',
    'no person has allowed the merge',
  ]);
});
