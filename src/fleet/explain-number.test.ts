/** Why nothing moves: each reason by name, with who can change it and how. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../test/support/fleet-world.ts';
import { recordReview } from '../../test/support/reviewed-pull-request.ts';
import { sha256 } from '../domain/ledger/hash.ts';
import { explainNumber } from './explain-number.ts';

const own = 'gatewright[bot]';

let world: FleetWorld;
beforeEach(async () => {
  world = await FleetWorld.open({ 'a.txt': 'a\n' }, { GATEWRIGHT_AGENTS: 'implementer,auto-merge' });
});
afterEach(() => world.remove());

async function conditionsOf(number: number, house = world.house): Promise<string[]> {
  const { conditions } = await explainNumber(house, own, number);
  // What is offered as a command is one.
  for (const { command } of conditions) expect(command).toMatch(/^(?:gatewright [a-z].*)?$/u);
  return conditions.map(({ what, who, command, how = '' }) =>
    [what, who, ...[how, command].filter((one) => one !== '')].join(' | '),
  );
}

async function label(number: number, name: string): Promise<void> {
  const alice = await world.as('alice');
  await alice.ensureLabel(world.repository, { name, colour: 'ededed', description: '' });
  await alice.editIssue(world.repository, number, { addLabels: [name] });
}

async function fileIssue(): Promise<number> {
  const alice = await world.as('alice');
  return (await alice.createIssue(world.repository, { title: 'T', body: 'B', labels: [] })).number;
}

describe('a pull request', () => {
  let number: number;
  let head: string;
  beforeEach(async () => {
    ({ number, head } = await world.openPullRequest('work', { 'b.txt': 'b\n' }));
  });

  it('waits for review and lacks the label', async () => {
    const conditions = await conditionsOf(number);
    expect(conditions).toContainEqual(expect.stringContaining('it has not been reviewed'));
    expect(conditions).toContainEqual(expect.stringContaining('does not carry the label "auto-merge"'));
  });

  it('is held by a label: names the command that takes it off, after reading why', async () => {
    await label(number, 'needs-review');
    expect(await conditionsOf(number)).toContainEqual(
      `the label "needs-review" blocks it | a person with write permission | read there why (gatewright forge pr view ${number}), then remove the label | gatewright forge pr edit ${number} --remove-label needs-review`,
    );
  });

  it('was labelled by somebody who may not: the label does not stand, and nobody failed to act', async () => {
    const tim = await world.as('tim', 'triage');
    const alice = await world.as('alice');
    await alice.ensureLabel(world.repository, { name: 'auto-merge', colour: 'ededed', description: '' });
    await tim.editIssue(world.repository, number, { addLabels: ['auto-merge'] });
    const labelled = { number, isPullRequest: true, label: 'auto-merge', actor: 'tim' };
    await world.deliver(world.event('labeled', labelled));
    const { lately } = await explainNumber(world.house, own, number);
    const told = lately.map(({ what }) => what);
    expect(told).toContainEqual(expect.stringContaining('labels were corrected: The label'));
    expect(told.join()).not.toContain('label-keeper did not act');
  });

  it('says who does what about a draft, a conflict, another base, and agents that are off', async () => {
    const alice = await world.as('alice');
    world.playground.git('branch', 'release');
    await recordReview(world, { number, head });
    await alice.editPullRequest(world.repository, number, { isDraft: true, base: 'release' });
    world.playground.git('checkout', '--quiet', 'release');
    world.playground.commit({ 'b.txt': 'other\n' });
    world.playground.git('checkout', '--quiet', 'main');
    const key = `${world.repository}#${number}@${head}/release`;
    const data = { number, commit: head, base: head, why: 'failed', output: sha256('') } as const;
    const subject = `${world.repository}#${number}`;
    await world.house.ledger.append([{ subject, run: 'R', actor: own, kind: 'merge-rejected', key, data }]);
    const fleet = { ...world.house.fleet, agents: [] };
    expect(await conditionsOf(number, { ...world.house, fleet })).toEqual([
      `it is a draft | its author | gatewright forge pr ready ${number}`,
      'it does not carry the label "auto-merge" | a person with write permission | set the label, or merge it by hand | gatewright forge pr edit 1 --add-label auto-merge',
      'it was reviewed for the base main, and is for release now | you: that agent is switched off | add "reviewer" to fleet.agents',
      'it conflicts with its base | the person who updates the branch | merge its base into its branch, resolve the conflict and push',
      `tried on release at ${head.slice(0, 12)}, it breaks the tests | the person who fixes it | push a fix; or, if the cause was not in this change, change one of its labels`,
      'auto-merge is switched off | you: that agent is switched off | add "auto-merge" to fleet.agents',
    ]);
  });

  it('is held', async () => {
    await label(number, 'hold');
    expect(await conditionsOf(number)).toContainEqual(expect.stringContaining('the label "hold" blocks it'));
  });

  it('has a red check', async () => {
    const alice = await world.as('alice');
    const status = { name: 'tests', state: 'failure', description: 'two fail' } as const;
    await alice.setStatus(world.repository, head, status);
    expect(await conditionsOf(number)).toContainEqual(expect.stringContaining('the check "tests" failed'));
  });

  it('is being worked on by somebody', async () => {
    const got = await world.house.leases.acquire(`${world.repository}#${number}`);
    const explained = await explainNumber(world.house, own, number);
    expect(explained.working).toMatchObject({ who: expect.stringContaining(`process ${process.pid} on`) });
    expect(explained.now).toMatch(/is working on it$/u);
    if ('lease' in got) await got.lease.release();
    expect(await explainNumber(world.house, own, number)).toMatchObject({
      working: null,
      now: '2 things keep it from moving',
    });
  });

  it('is merged, and nothing is in its way', async () => {
    const alice = await world.as('alice');
    await alice.mergePullRequest(world.repository, number, { head, title: 'T', body: '' });
    const explained = await explainNumber(world.house, own, number);
    expect(explained).toMatchObject({ kind: 'pull request', state: 'merged', conditions: [] });
    const commit = world.headOf('main')?.slice(0, 12) ?? '';
    expect(explained.now).toMatch(new RegExp(`^merged into main as ${commit} at 20`, 'u'));
  });
});

describe('an issue', () => {
  it('that nobody asked for says how to ask', async () => {
    const number = await fileIssue();
    expect(await conditionsOf(number)).toEqual([
      `it has no order for an agent | a person with write permission | gatewright forge issue comment ${number} --body '@claude please implement this'${world.house.commandSuffix}`,
    ]);
  });

  it('whose order was refused says whose, and why', async () => {
    const number = await fileIssue();
    const comment = { number, isPullRequest: false, comment: 1, text: '@claude implement', actor: 'mallory' };
    await world.deliver(world.event('comment-created', comment));
    const { lately } = await explainNumber(world.house, own, number);
    expect(lately[0]?.what).toContain('did not act for mallory: mallory has no write permission');
  });

  it('does not tell that we do not obey ourselves', async () => {
    const number = await fileIssue();
    const comment = { number, isPullRequest: false, comment: 1, text: '@claude implement' };
    await world.deliver(world.event('comment-created', { ...comment, actor: world.own, actorKind: 'bot' }));
    const { lately } = await explainNumber(world.house, own, number);
    expect(lately).toEqual([]);
  });

  it('whose budget is spent', async () => {
    const number = await fileIssue();
    const spent = { ...world.house.budget.issue, usd: 0, tokens: 0 };
    const house = { ...world.house, budget: { ...world.house.budget, issue: spent } };
    expect(await conditionsOf(number, house)).toContainEqual(
      expect.stringContaining('the budget of this issue is spent'),
    );
  });

  it('whose limit is reached', async () => {
    const number = await fileIssue();
    const subject = `${world.repository}#${number}`;
    const data = { what: 'continue', limit: 2 } as const;
    await world.house.ledger.append([
      { subject, run: 'R', actor: own, kind: 'limit-reached', key: `${subject}/x`, data },
    ]);
    expect(await conditionsOf(number)).toContainEqual(
      expect.stringContaining('reached the continue limit (2)'),
    );
  });

  it('whose pull request is stuck: its limit, whoever is at it and its check are told with the issue', async () => {
    const number = await fileIssue();
    const pull = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    const [issue, key] = [number, pull.number].map((one) => `${world.repository}#${one}`) as [string, string];
    const made = { number: pull.number, issue: number, branch: 'work', base: 'main' };
    const limit = { what: 'fix', limit: 2 } as const;
    await world.house.ledger.append([
      { subject: issue, run: 'R', actor: own, kind: 'pull-request-made', key, data: made },
      { subject: key, run: 'R', actor: own, kind: 'limit-reached', key: `${key}/x`, data: limit },
    ]);
    const alice = await world.as('alice');
    const status = { name: 'tests', state: 'failure', description: 'two fail' } as const;
    await alice.setStatus(world.repository, pull.head, status);
    const got = await world.house.leases.acquire(key);
    const conditions = await conditionsOf(number);
    for (const told of ['reached the correction limit', 'the check "tests" failed'])
      expect(conditions).toContainEqual(
        expect.stringMatching(new RegExp(`^#${pull.number}: .*${told}`, 'u')),
      );
    expect((await explainNumber(world.house, own, number)).now).toMatch(/is working on it$/u);
    if ('lease' in got) await got.lease.release();
    // Its pull request ends it, whatever the runs before said.
    const merge = { head: pull.head, title: 'T', body: '' };
    await alice.mergePullRequest(world.repository, pull.number, merge);
    await alice.editIssue(world.repository, number, { state: 'closed' });
    const explained = await explainNumber(world.house, own, number);
    expect(explained).toMatchObject({
      state: 'closed',
      now: `done: merged by #${pull.number}`,
      conditions: [],
    });
  });

  it('whose event nobody has acted on yet', async () => {
    const number = await fileIssue();
    const got = await world.house.leases.acquire(`${world.repository}#${number}`);
    await world.deliver(world.event('issue-opened', { number, text: '@claude' }));
    // Refused while a process works on it, so it is not offered.
    const handled = /no agent has handled "issue opened" by alice yet.*gatewright dispatch/u;
    expect(await conditionsOf(number)).not.toContainEqual(expect.stringMatching(handled));
    if ('lease' in got) await got.lease.release();
    expect(await conditionsOf(number)).toContainEqual(expect.stringMatching(handled));
  });

  it('whose run was started with models of its own: every command that goes on names them', async () => {
    const number = await fileIssue();
    const { number: pull } = await world.openPullRequest('work', { 'b.txt': 'b\n' });
    const { ledger } = world.house;
    const start = async (agent: 'implementer' | 'auto-merge', about: number, run: string) => {
      const subject = `${world.repository}#${about}`;
      const request = {
        ...({ workflow: 'agent', agent, title: 't', delivery: run, number: about } as const),
        ...({ repository: world.repository, root: world.playground.repository, forge: 'local' } as const),
        ...{ dryRun: false, models: { coder: 'cassette:a b.json' } },
      };
      const entry = { subject, run, actor: own };
      await ledger.append([{ ...entry, kind: 'run-started', key: run, data: { request } }]);
      return entry;
    };
    const held = await start('implementer', number, 'R1');
    const reason = { code: 'held', message: 'held', owner: 'person', resume: '' } as const;
    await ledger.append([{ ...held, kind: 'run-stopped', data: { status: 'blocked', reason } }]);
    expect(await conditionsOf(number)).toContainEqual(
      expect.stringContaining(`gatewright dispatch --resume R1 --coder 'cassette:a b.json'`),
    );
    await start('auto-merge', pull, 'R2');
    const house = { ...world.house, fleet: { ...world.house.fleet, agents: ['reviewer' as const] } };
    expect(await conditionsOf(pull, house)).toContainEqual(
      expect.stringMatching(/it has not been reviewed.*gatewright dispatch --coder 'cassette:a b\.json'/u),
    );
  });

  it('whose run stopped says why, and how to go on', async () => {
    const number = await fileIssue();
    // No cassette and no Claude: the coding agent cannot begin.
    const broken = await world.reopen({
      GATEWRIGHT_AGENTS: 'implementer',
      GATEWRIGHT_CODER: `cassette:${world.cassette({ format: 'gatewright-cassette/1', about: '', models: { coder: { name: 'x', title: 'X' } } })}`,
    });
    await broken.deliver(broken.event('issue-opened', { number, text: '@claude' }));
    expect(await conditionsOf(number)).toContainEqual(
      expect.stringMatching(/implementer: .*\| you \| gatewright dispatch --resume /u),
    );
  });
});
