/** What lists and status screens may rely on, whatever keeps the ledger: what is open, newest first, in pages, and its cost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import type { NewEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { AgentRequest, AuthoringRequest, RunRequest } from '../../src/domain/ledger/run.ts';
import type { Ledger, RunViews } from '../../src/ports/ledger.ts';

export interface RunViewsWorld {
  readonly ledger: Ledger;
  readonly views: RunViews;
  /** The ledger's clock stands still in between. */
  advance(milliseconds: number): void;
  now(): Date;
  close(): Promise<void>;
}

const common = { title: 'a title', repository: 'local/project', root: '/project', dryRun: false };

const agentRequest = (number: number, more: Partial<AgentRequest> = {}): AgentRequest => ({
  ...common,
  workflow: 'agent',
  agent: 'reviewer',
  delivery: `delivery-${number}`,
  number,
  ...more,
});

const authoringRequest = (slug: string, more: Partial<AuthoringRequest> = {}): AuthoringRequest => ({
  ...common,
  workflow: 'issue',
  slug,
  brief: `${slug}.md`,
  briefHash: sha256(slug),
  drafter: 'a',
  reviewer: 'b',
  strict: false,
  maxIterations: 10,
  ...more,
});

const finished = { code: 'finished', message: 'merged', owner: 'nobody', resume: '' } as const;
const stopped = { code: 'held', message: 'held', owner: 'person', resume: 'go on' } as const;

export function describeRunViews(name: string, makeWorld: () => Promise<RunViewsWorld>): void {
  describe(`${name} shows runs`, () => {
    let world: RunViewsWorld;
    let views: RunViews;

    beforeEach(async () => {
      world = await makeWorld();
      ({ views } = world);
    });
    afterEach(() => world.close());

    const subjectOf = (request: RunRequest): string =>
      'number' in request
        ? `${request.repository}#${request.number}`
        : `${request.repository}:${request.slug}`;

    async function write(run: string, subject: string, ...parts: object[]): Promise<void> {
      await world.ledger.append(parts.map((part) => ({ subject, run, actor: 'alice', ...part }) as NewEntry));
      world.advance(1000);
    }
    const start = (run: string, request: RunRequest): Promise<void> =>
      write(run, subjectOf(request), { kind: 'run-started', key: run, data: { request } });
    const end = (run: string, request: RunRequest): Promise<void> =>
      write(run, subjectOf(request), { kind: 'run-ended', data: { reason: finished, result: null } });
    const stop = (run: string, request: RunRequest): Promise<void> =>
      write(run, subjectOf(request), {
        kind: 'run-stopped',
        data: { status: 'blocked', reason: stopped },
      });
    const ids = async (...args: Parameters<RunViews['listRuns']>): Promise<string[]> =>
      (await views.listRuns(...args)).map(({ id }) => id);

    it('newest first, each as it was asked for and as it stands', async () => {
      await start('R1', agentRequest(1));
      await start('R2', agentRequest(2));
      await stop('R1', agentRequest(1));
      await write('R2', 'local/project#2', {
        kind: 'node-begun',
        key: 'R2/0',
        data: { node: 'N1', step: 0 },
      });
      const [second, first] = await views.listRuns();
      expect(first).toMatchObject({ id: 'R1', status: 'blocked', reason: stopped, request: agentRequest(1) });
      expect(second).toMatchObject({ id: 'R2', status: 'running', reason: null, node: 'N1' });
      expect(first?.changedAt).not.toBe(first?.startedAt);
      await write('R1', 'local/project#1', { kind: 'run-resumed', data: { from: 'blocked' } });
      expect(await views.findRun('R1')).toMatchObject({ status: 'running', reason: null });
      await end('R1', agentRequest(1));
      expect(await views.findRun('R1')).toMatchObject({ status: 'done', reason: finished, result: null });
      expect(await views.findRun('R')).toBeNull();
    });

    it('without those that were given up', async () => {
      await start('R1', authoringRequest('export'));
      await write('R1', 'local/project:export', { kind: 'run-dropped', data: { why: 'anew' } });
      expect(await views.listRuns()).toEqual([]);
      expect(await views.findRun('R1')).toBeNull();
    });

    it('filtered by what is asked for, alone and together', async () => {
      await start('A1', agentRequest(1));
      await start('A2', agentRequest(2, { repository: 'local/project2' }));
      await start('B1', authoringRequest('export', { root: '/elsewhere' }));
      await start('B2', authoringRequest('import', { workflow: 'lld' }));
      await end('A1', agentRequest(1));
      const afterwards = world.now().toISOString();
      expect(await ids({ repository: 'local/project' })).toEqual(['B2', 'B1', 'A1']);
      expect(await ids({ root: '/elsewhere' })).toEqual(['B1']);
      expect(await ids({ subject: 'local/project#1' })).toEqual(['A1']);
      expect(await ids({ workflows: ['agent', 'lld'] })).toEqual(['B2', 'A2', 'A1']);
      expect(await ids({ idPrefix: 'A' })).toEqual(['A2', 'A1']);
      expect(await ids({ idPrefix: '%' })).toEqual([]);
      expect(await ids({ doneSince: 'never' })).toEqual(['B2', 'B1', 'A2']);
      expect(await ids({ doneSince: afterwards })).toEqual(['B2', 'B1', 'A2']);
      expect(await ids({ doneSince: '' })).toHaveLength(4);
      expect(await ids({ repository: 'local/project', doneSince: 'never', workflows: ['issue'] })).toEqual([
        'B1',
      ]);
    });

    it('found by the number of their issue, by their short name or by their brief', async () => {
      await start('A1', agentRequest(7));
      await start('A2', agentRequest(7, { repository: 'local/project2' }));
      await start('B1', authoringRequest('export', { brief: 'ideas/active/export.md' }));
      const issue = { number: 7, title: 'a title', bodyHash: sha256('') } as unknown as NonNullable<
        AuthoringRequest['issue']
      >;
      await start('B2', authoringRequest('7-lld', { workflow: 'lld', brief: '#7', issue }));
      await start('B3', authoringRequest('import'));
      expect(await ids({ issue: 7 })).toEqual(['B2', 'A2', 'A1']);
      expect(await ids({ issue: 7, repository: 'local/project' })).toEqual(['B2', 'A1']);
      expect(await ids({ issue: 0 })).toEqual([]);
      expect(await ids({ slugs: ['export', '7-lld'] })).toEqual(['B2', 'B1']);
      expect(await ids({ slugs: [] })).toEqual([]);
      expect(await ids({ brief: 'ideas/active/export.md' })).toEqual(['B1']);
      expect(await ids({ brief: '#7' })).toEqual(['B2']);
      // What became of it counts as soon as there is something.
      const filed = { number: 9, url: 'local://9' };
      await write('B1', 'local/project:export', {
        kind: 'run-ended',
        data: { reason: finished, result: filed },
      });
      expect(await ids({ issue: 9 })).toEqual(['B1']);
    });

    it('in pages, of which none leaves a run out or shows it twice', async () => {
      const all: string[] = [];
      for (let index = 0; index < 7; index += 1) {
        await start(`R${index}`, agentRequest(index));
        all.unshift(`R${index}`);
      }
      const seen: string[] = [];
      for (let before: string | undefined; ; before = seen.at(-1)) {
        const page = await ids({}, { limit: 3, ...(before === undefined ? {} : { before }) });
        // A run that begins meanwhile is newer than all pages to come.
        await start(`later-${seen.length}`, agentRequest(99));
        if (page.length === 0) break;
        seen.push(...page);
      }
      expect(seen).toEqual(all);
    });

    it('with what each has cost, and how much of that is only an upper bound', async () => {
      const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.5, turns: 1 };
      const paid = {
        role: 'drafter',
        model: 'm',
        reportedModel: 'm',
        answer: sha256('a'),
        usage,
        milliseconds: 1,
      };
      const grant = { id: 'g1', limit: { usd: 2, turns: 3 }, atMost: { ...usage, costUsd: 0.25 } };
      const sent = { role: 'coder', model: 'm', prompt: sha256('p'), instructions: sha256('i'), grant };
      await start('R1', agentRequest(1));
      const before = world.now().toISOString();
      await write('R1', 'local/project#1', { kind: 'model-answered', data: paid });
      await write('R1', 'local/project#1', { kind: 'prompt-sent', data: sent });
      expect(await views.findRun('R1')).toMatchObject({ costUsd: 0.75, costAtMostUsd: 0.25 });
      expect(await views.costSince(before)).toEqual({ usd: 0.75, atMostUsd: 0.25 });
      expect(await views.costSince(before, 'local/project')).toEqual({ usd: 0.75, atMostUsd: 0.25 });
      expect(await views.costSince(before, 'local/proj')).toEqual({ usd: 0, atMostUsd: 0 });
      const closed = { ...paid, usage: { ...usage, costUsd: 0.125 }, grant: { id: 'g1' } };
      await write('R1', 'local/project#1', { kind: 'model-answered', data: closed });
      expect(await views.findRun('R1')).toMatchObject({ costUsd: 0.625, costAtMostUsd: 0 });
      expect(await views.costSince(world.now().toISOString())).toEqual({ usd: 0, atMostUsd: 0 });
    });

    it('of each agent the last one in a repository', async () => {
      await start('A1', agentRequest(1));
      await start('A2', agentRequest(2));
      await start('A3', agentRequest(3, { agent: 'implementer' }));
      await start('A4', agentRequest(4, { repository: 'local/project2' }));
      await start('B1', authoringRequest('export'));
      await end('A2', agentRequest(2));
      const last = async (repository: string) =>
        (await views.listLastRuns(repository)).map(({ id, status }) => `${id} ${status}`).sort();
      expect(await last('local/project')).toEqual(['A2 done', 'A3 running']);
      expect(await last('local/project2')).toEqual(['A4 running']);
      expect(await last('local/proj')).toEqual([]);
    });

    it('events until they are settled, oldest first', async () => {
      const receive = (delivery: string, subject: string): Promise<void> =>
        write('', subject, {
          kind: 'event-received',
          key: delivery,
          data: { kind: 'comment-created', actor: 'bob', event: sha256(delivery) },
        });
      await receive('d1', 'local/project#1');
      await receive('d2', 'local/project2#1');
      await receive('d3', 'local/project#1');
      const open = async (...args: Parameters<RunViews['listOpenEvents']>): Promise<string[]> =>
        (await views.listOpenEvents(...args)).map(({ delivery }) => delivery);
      expect(await open()).toEqual(['d1', 'd2', 'd3']);
      expect(await open({}, 2)).toEqual(['d1', 'd2']);
      expect(await open({ repository: 'local/project' })).toEqual(['d1', 'd3']);
      expect(await open({ subject: 'local/project2#1' })).toEqual(['d2']);
      expect(await open({ without: { subjects: ['local/project#1'], deliveries: [] } })).toEqual(['d2']);
      expect(await open({ without: { subjects: ['x'], deliveries: ['d1', 'y'] } }, 1)).toEqual(['d2']);
      await write('', 'local/project#1', { kind: 'event-settled', key: 'd1', data: { runs: [] } });
      expect(await views.listOpenEvents({ repository: 'local/project' })).toMatchObject([
        { delivery: 'd3', subject: 'local/project#1', event: sha256('d3') },
      ]);
    });

    it('how many of each workflow were done since a moment, without dry runs', async () => {
      const requests = [
        agentRequest(1),
        agentRequest(2),
        agentRequest(3, { dryRun: true }),
        authoringRequest('a'),
      ];
      for (const [index, request] of requests.entries()) await start(`R${index}`, request);
      await end('R0', requests[0] as RunRequest);
      world.advance(1000);
      const since = world.now().toISOString();
      expect(await views.countDone('')).toEqual({ agent: 1 });
      expect(await views.countDone('', 'local/project')).toEqual({ agent: 1 });
      expect(await views.countDone('', 'local/proj')).toEqual({});
      expect(await views.countDone(since)).toEqual({});
      for (const index of [1, 2, 3]) await end(`R${index}`, requests[index] as RunRequest);
      expect(await views.countDone('')).toEqual({ agent: 2, issue: 1 });
      expect(await views.countDone(since)).toEqual({ agent: 1, issue: 1 });
    });

    it('why corrections wait for a person that ended before their limit', async () => {
      const limit = (subject: string, data: object) => write('R1', subject, { kind: 'limit-reached', data });
      await limit('local/project#1', { what: 'fix', limit: 1, because: 'stagnant' });
      await limit('local/project#2', { what: 'fix', limit: 2 });
      expect((await views.listWaiting()).map(({ what, because }) => [what, because])).toEqual([
        ['fix', 'stagnant'],
        ['fix', undefined],
      ]);
    });

    it('what waits for a person on the forge, until it is answered', async () => {
      const [issue, pull] = ['local/project#1', 'local/project#2'];
      const list = async () =>
        (await views.listWaiting()).map(({ subject, what, handle }) => [subject, what, handle]);
      const plan = { kind: 'plan-proposed', data: { plan: sha256('p'), comment: 1, handle: 'claude' } };
      const limit = (what: string) => ({ kind: 'limit-reached', data: { what, limit: 2 } });
      const planned = [issue, 'plan', 'claude'];
      const endings: Readonly<Record<string, readonly object[]>> = {
        plan: [
          { kind: 'plan-approved', data: { plan: sha256('p'), by: 'bob', comment: 2 } },
          { kind: 'pull-request-made', data: { number: 2, issue: 1, branch: 'b', base: 'main' } },
        ],
        loop: [
          limit('merge'),
          {
            kind: 'code-reviewed',
            data: { number: 2, commit: 'c', isClean: true, review: sha256('r'), by: 'm' },
          },
          {
            kind: 'event-received',
            key: 'closed',
            data: { kind: 'pull-request-closed', actor: 'bob', event: sha256('e') },
          },
        ],
      };
      for (const ending of endings.plan ?? []) {
        await write('R1', issue, plan);
        await write('R1', issue, plan);
        await write('R1', pull, ending);
        expect(await list()).toEqual([planned]);
        await write('R1', issue, ending);
        expect(await list()).toEqual([]);
      }
      await write('R1', issue, plan);
      for (const ending of endings.loop ?? []) {
        await write('R1', pull, limit('continue'));
        await write('R1', pull, limit('fix'));
        expect(await list()).toEqual([planned, [pull, 'fix', null]]);
        await write('R1', pull, ending);
        expect(await list()).toEqual([planned]);
      }
      // An order by a person ends it; what a run hands on to the next, a dry run and another agent do not.
      await write('R1', pull, limit('fix'));
      const receive = (key: string, kind: string) =>
        write('', pull, { kind: 'event-received', key, data: { kind, actor: 'bob', event: sha256(key) } });
      await receive('handed', 'handed-on');
      await receive('ordered', 'comment-created');
      const work = { agent: 'implementer', delivery: 'handed' } as const;
      await start('R2', agentRequest(2, work));
      await start('R3', agentRequest(2, { ...work, delivery: 'ordered', dryRun: true }));
      await start('R4', agentRequest(2, { delivery: 'ordered' }));
      expect(await list()).toEqual([planned, [pull, 'fix', null]]);
      await start('R5', agentRequest(2, { ...work, delivery: 'ordered' }));
      expect(await list()).toEqual([planned]);
      expect(await world.ledger.rebuildProjections()).toBe(0);
    });

    it('pull requests that wait for a person, until they are looked at again or closed', async () => {
      const pull = 'local/project#2';
      const unmet = [{ code: 'held', what: 'the label "hold" blocks it', how: 'remove the label' }];
      const waits = { kind: 'merge-waits', data: { number: 2, head: 'c', unmet } };
      const list = async () =>
        (await views.listWaiting()).map(({ subject, what, unmet: of }) => [subject, what, of]);
      const closed = { kind: 'pull-request-closed', actor: 'bob', event: sha256('e') };
      const row = [pull, 'merge', unmet];
      await write('R1', pull, waits);
      await write('R1', pull, waits);
      expect(await list()).toEqual([row]);
      // An order to another agent, and a dry run, leave it as it was.
      await write('', pull, {
        kind: 'event-received',
        key: 'o',
        data: { ...closed, kind: 'comment-created' },
      });
      await start('R2', agentRequest(2, { agent: 'implementer', delivery: 'o' }));
      await start('R3', agentRequest(2, { agent: 'auto-merge', dryRun: true }));
      expect(await list()).toEqual([row]);
      await start('R4', agentRequest(2, { agent: 'auto-merge' }));
      expect(await list()).toEqual([]);
      await write('R4', pull, waits);
      await write('', pull, { kind: 'event-received', key: 'closed', data: closed });
      expect(await list()).toEqual([]);
      expect(await world.ledger.rebuildProjections()).toBe(0);
    });

    it('runs that were put aside, until they are resumed', async () => {
      const request = authoringRequest('export');
      const reason = { code: 'budget-exceeded', message: 'spent', owner: 'person', resume: 'x' };
      const stop = () =>
        write('R1', subjectOf(request), { kind: 'run-stopped', data: { status: 'blocked', reason } });
      const look = async () =>
        (await views.listRuns({ doneSince: 'never' })).map(({ status, isDismissed }) => [
          status,
          isDismissed,
        ]);
      await start('R1', request);
      await stop();
      expect(await look()).toEqual([['blocked', false]]);
      await write('R1', subjectOf(request), { kind: 'run-dismissed', data: { by: 'alice' } });
      // It keeps its name and its reason.
      expect(await look()).toEqual([['blocked', true]]);
      expect(await views.findRun('R1')).toMatchObject({ reason: { code: 'budget-exceeded' } });
      await write('R1', subjectOf(request), { kind: 'run-resumed', data: { from: 'blocked' } });
      await stop();
      expect(await look()).toEqual([['blocked', false]]);
      expect(await world.ledger.rebuildProjections()).toBe(0);
    });

    it('gates until they are answered or their run is over', async () => {
      const request = authoringRequest('export');
      const question = { id: 'G1', kind: 'draft', title: 'x', artefacts: [], choices: [] };
      const ask = (id: string): Promise<void> =>
        write('R1', subjectOf(request), {
          kind: 'gate-asked',
          key: id,
          data: { question: { ...question, id } },
        });
      await start('R1', request);
      await ask('G1');
      expect(await views.listOpenGates()).toMatchObject([{ question: { id: 'G1' }, run: { id: 'R1' } }]);
      expect(await views.listOpenGates({ subject: 'local/project:other' })).toEqual([]);
      const answer = { choice: 'send', seen: {}, by: 'person' };
      await write('R1', subjectOf(request), {
        kind: 'gate-answered',
        key: 'G1',
        data: { gate: 'G1', answer },
      });
      expect(await views.listOpenGates()).toEqual([]);
      await ask('G2');
      await end('R1', request);
      expect(await views.listOpenGates()).toEqual([]);
    });
  });
}
