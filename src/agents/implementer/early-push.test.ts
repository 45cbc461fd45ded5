/** What a coding agent has so far is on the branch while it works: a machine that is lost takes little with it. */
import { afterEach, describe, expect, it } from 'vitest';
import { isExhaustive } from '../../../test/support/crash-everywhere.ts';
import { cutOffAtEachPoint } from '../../../test/support/cut-off-everywhere.ts';
import { type Part, saveEarly } from '../../../test/support/early-saves.ts';
import {
  done,
  fixed,
  goodSteps,
  ImplementerWorld,
  type Work,
} from '../../../test/support/implementer-world.ts';
import { itLong } from '../../../test/support/it-long.ts';
import { GatewrightError } from '../../errors.ts';
import { handleOpenEvents } from '../../fleet/handle-event.ts';
import { receiveEvent } from '../../fleet/receive-event.ts';
import type { House } from '../../runs/house.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

const parts: readonly Part[] = [{ 'note.txt': 'one\n' }, { 'note.txt': 'two\n', 'src/sum.mjs': fixed }];

/** An order that is received and not worked on yet. */
async function receive(works: readonly Work[] = [{ steps: goodSteps }]): Promise<number> {
  world = await ImplementerWorld.open(works);
  const number = await world.fileIssue('@claude please');
  await receiveEvent(
    world.fleet.house,
    world.fleet.event('issue-opened', { number, text: '@claude please' }),
  );
  return number;
}

async function settle(
  number: number,
  work: readonly Part[],
  house: House = world.fleet.house,
  patience?: number,
) {
  const { fleet } = world;
  const early = saveEarly(house, fleet, `${world.repository}#${number}`, work, patience);
  const messages: string[] = [];
  await handleOpenEvents(early.house, early.session, ({ outcomes }) => {
    messages.push(...outcomes.map(({ reason }) => reason.message));
  });
  return { messages, warnings: early.warnings };
}

async function pushesOf(number: number): Promise<string[]> {
  return (await world.entries(number, 'work-pushed')).map(({ data }) => data.commit);
}

describe('work that goes on for long', () => {
  it('is pushed on the way, and what is proposed takes the place of that', async () => {
    const number = await receive();
    expect((await settle(number, parts)).warnings).toEqual([]);
    const [one = '', two = '', last = '', ...more] = await pushesOf(number);
    expect(more).toEqual([]);
    expect(world.git('show', `${one}:note.txt`)).toBe('one');
    expect(world.git('show', `${two}:note.txt`)).toBe('two');
    expect(world.git('show', `${two}:src/sum.mjs`)).toContain('a + b');
    const [pull, ...others] = await world.pulls();
    expect(others).toEqual([]);
    expect(pull?.head).toMatchObject({ branch: `gatewright/issue-${number}`, sha: last });
    expect(world.git('rev-list', '--count', `main..${last}`)).toBe('1');
    expect(world.git('show', `${last}:note.txt`)).toBe('two');
  });

  itLong('is pushed again only when it has changed, be it back to what it was before', async () => {
    const number = await receive([{ steps: [], outcome: { failed: 'crash' } }]);
    const [one, two] = [{ 'note.txt': 'one\n' }, { 'note.txt': 'two\n' }];
    // It stops with the files as they were at first.
    await settle(number, [one, {}, two, one]);
    const commits = await pushesOf(number);
    expect(new Set(commits).size).toBe(4);
    expect(world.git('show', `gatewright/issue-${number}:note.txt`)).toBe('one');
  });

  it.runIf(isExhaustive)('is pushed twelve times on the way at most', async () => {
    const number = await receive();
    const many = Array.from({ length: 14 }, (_, index) => ({ 'note.txt': `${index}\n` }));
    await settle(number, many, world.fleet.house, 200);
    const commits = await pushesOf(number);
    expect(commits).toHaveLength(13);
    expect(world.git('show', `${commits[11]}:note.txt`)).toBe('11');
    expect(world.git('show', `${commits[12]}:note.txt`)).toBe('13');
    expect(await world.pulls()).toHaveLength(1);
  });

  it('leaves nothing on the branch that was undone in the end', async () => {
    const number = await receive([{ steps: [], outcome: done({ summary: 'Nothing to do.' }) }]);
    await settle(number, [{ 'note.txt': 'one\n' }, { 'note.txt': 'two\n' }, { 'note.txt': null }]);
    expect(world.fleet.headOf(`gatewright/issue-${number}`)).toBe(world.git('rev-parse', 'main'));
    expect(await world.pulls()).toEqual([]);
    expect((await world.said(number)).join('\n')).toContain('Nothing to do.');
  });

  it('is not pushed with a secret in it, and the work goes on', async () => {
    const number = await receive();
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { warnings } = await settle(number, [{ 'key.txt': `${key}\n` }, { 'key.txt': null }]);
    expect(warnings).toEqual([expect.stringContaining('secret')]);
    expect(await pushesOf(number)).toHaveLength(1);
    expect(world.git('log', '--all', '--format=%H', '-S', key)).toBe('');
    expect(await world.pulls()).toHaveLength(1);
  });

  itLong('is proposed although nobody knows whether a push on the way got there', async () => {
    const number = await receive();
    const { house } = world.fleet;
    let isLost = false;
    const transport: House['transport'] = {
      fetchBranch: (...args) => house.transport.fetchBranch(...args),
      fetchCommit: (...args) => house.transport.fetchCommit(...args),
      async pushBranch(...args) {
        await house.transport.pushBranch(...args);
        if (isLost) return;
        isLost = true;
        throw new GatewrightError('forge-unavailable', 'The answer got lost.');
      },
    };
    const { warnings } = await settle(number, parts, { ...house, transport });
    expect(warnings).toEqual([expect.stringContaining('The answer got lost.')]);
    expect(await pushesOf(number)).toHaveLength(2);
    expect(await world.pulls()).toHaveLength(1);
  });

  itLong('is not pushed on the way on a pull request, where each push wakes others', async () => {
    world = await ImplementerWorld.open([
      { steps: goodSteps },
      { role: 'fixer', steps: [{ write: 'fix.txt', content: 'x\n' }] },
    ]);
    await world.order();
    const [pull] = await world.pulls();
    const number = pull?.number ?? 0;
    await world.recordReview(number, 'Wrong');
    const from = { actor: world.fleet.own, actorKind: 'bot', from: 'R' } as const;
    const event = world.fleet.event('handed-on', { number, to: 'implementer', task: 'fix', ...from });
    await receiveEvent(world.fleet.house, event);
    await settle(number, [{ 'note.txt': 'one\n' }], world.fleet.house, 40);
    expect(await pushesOf(number)).toHaveLength(1);
  });

  itLong('is gone on with from there when the machine that it was done on is lost', async () => {
    const number = await receive([{ steps: [], includes: ['BEGIN'] }]);
    const { house } = world.fleet;
    let isDead = false;
    const ledger: House['ledger'] = new Proxy(house.ledger, {
      get(inner, key) {
        const value: unknown = Reflect.get(inner, key, inner);
        if (typeof value !== 'function') return value;
        if (key !== 'append') return value.bind(inner);
        return (...args: Parameters<typeof inner.append>) => {
          isDead ||= args[0].some(({ kind }) => kind === 'model-answered');
          if (isDead) throw new GatewrightError('lease-lost', 'killed');
          return inner.append(...args);
        };
      },
    });
    await settle(number, parts, { ...house, ledger });
    expect(isDead).toBe(true);
    expect(await world.pulls()).toEqual([]);
    const [run] = await house.views.listRuns();
    expect(await house.workspaces.remove(run?.id ?? '')).toBe(true);
    await settle(number, []);
    const [pull] = await world.pulls();
    expect(world.git('show', `${pull?.head.sha}:note.txt`)).toBe('two');
    expect(pull?.head.branch).toBe(`gatewright/issue-${number}`);
  });

  itLong(
    'loses and doubles nothing, wherever it is cut off',
    async () => {
      const number = await receive();
      const places = await cutOffAtEachPoint(world.fleet.house, (mortal) =>
        settle(number, isExhaustive ? parts : parts.slice(1), mortal, 100),
      );
      expect(places.filter((name) => name === 'after transport.pushBranch').length).toBeGreaterThan(1);
      expect(places).toContain('after workspaces.takeEarlySnapshot');
      const [pull, ...others] = await world.pulls();
      expect(others).toEqual([]);
      const branches = world.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/gatewright');
      expect(branches).toBe(`gatewright/issue-${number}`);
      expect(pull?.head).toMatchObject({ branch: branches, sha: (await pushesOf(number)).at(-1) });
      for (const [path, content] of [
        ['note.txt', 'two'],
        ['src/sum.mjs', fixed.trim()],
      ])
        expect(world.git('show', `${pull?.head.sha}:${path}`)).toBe(content);
      expect(await world.entries(number, 'model-answered')).toHaveLength(1);
      expect((await world.fleet.house.views.listRuns()).filter(({ status }) => status === 'running')).toEqual(
        [],
      );
    },
    240_000,
  );
});
