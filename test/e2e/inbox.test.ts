/** The inbox of a person: everything that waits for them, nothing that is over, and the two ways to be rid of a run. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { inboxOf } from '../../src/adapters/inbox/inbox-folder.ts';
import { InboxWriter } from '../../src/adapters/inbox/inbox-writer.ts';
import { identifyDelivery } from '../../src/domain/fleet/delivery-id.ts';
import { parseCommandLine } from '../../src/entrypoints/cli/table/parse.ts';
import { acquireLease } from '../../src/runs/acquire-lease.ts';
import { approved, draftText, writeCassette } from '../support/cassettes.ts';
import { FleetWorld } from '../support/fleet-world.ts';
import { Playground } from '../support/playground.ts';
import { openReadyPullRequest, recordReview, setLabel } from '../support/reviewed-pull-request.ts';

interface Waiting {
  readonly subject: string;
  readonly what: string;
  readonly why: string;
}
interface Status {
  readonly waiting: readonly { readonly run: string; readonly gate: string }[];
  readonly waitingOnForge: readonly Waiting[];
  readonly stopped: readonly { readonly run: string; readonly status: string }[];
  readonly dismissed: readonly { readonly run: string }[];
  readonly gone: readonly { readonly run: string }[];
  readonly today: { readonly filed: number };
  readonly deliveries: { readonly waiting: number; readonly setAside: number };
}

const brief = 'ideas/active/export-csv.md';

describe('pull requests in the inbox', () => {
  let world: FleetWorld;
  afterEach(() => world.remove());
  const asked = async (): Promise<readonly Waiting[]> =>
    (await world.playground.json<Status>(['status'])).waitingOnForge;
  const settle = () => world.catchUp();

  it('stand there while only a person can move them, and are gone when they are merged', async () => {
    world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'auto-merge' });
    const alice = await world.as('alice');
    const { number, head } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
    const subject = `${world.repository}#${number}`;
    await setLabel(world, number, 'hold');
    await settle();
    expect(await asked()).toMatchObject([
      { subject, what: 'merge', why: 'not merged: the label "hold" blocks it' },
    ]);
    const text = await world.playground.run(['status']);
    expect(text.stdout).toContain('Waiting for you (1)');
    expect(text.stdout).toContain(`more: gatewright explain '${subject}'`);
    expect((await world.playground.run(['gates'])).stdout).toContain('the label "hold" blocks it');
    expect(await world.playground.json(['gates'])).toMatchObject([{ subject, kind: 'merge' }]);
    // A build fails: said as soon as it is reported.
    await world.build({
      ...{ name: 'ci', headSha: head, branch: 'topic', event: 'push' },
      ...{ status: 'completed', conclusion: 'failure' },
    });
    await alice.editIssue(world.repository, number, { removeLabels: ['hold'] });
    await settle();
    expect(await asked()).toMatchObject([{ subject, why: 'not merged: the check "ci" failed' }]);
    // What is offered as a command is one: it is understood as it stands.
    const { conditions } = await world.playground.json<{ conditions: { command: string }[] }>([
      'explain',
      '1',
    ]);
    const commands = conditions.flatMap(({ command }) => (command === '' ? [] : [command]));
    for (const command of [...commands, `gatewright explain '${subject}'`]) {
      const words = [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      expect([words[0], parseCommandLine(words.slice(1)).command?.name]).toEqual([
        'gatewright',
        expect.any(String),
      ]);
    }
    await alice.recordCheckRun(world.repository, head, { name: 'ci', state: 'success' });
    await settle();
    expect((await alice.getPullRequest(world.repository, number)).state).toBe('merged');
    expect(await asked()).toEqual([]);
    const explained = await world.playground.run(['explain', `#${number}`]);
    expect(explained.stdout).toContain('merged');
  });

  it('say when an approval is out of date, and are gone when they are closed', async () => {
    world = await FleetWorld.open({ 'base.txt': 'x\n' }, { GATEWRIGHT_AGENTS: 'auto-merge' });
    const alice = await world.as('alice');
    const { number } = await openReadyPullRequest(world, 'topic', { 'new.txt': 'x\n' });
    await alice.editPullRequest(world.repository, number, { isDraft: true });
    await settle();
    world.playground.git('checkout', '--quiet', 'topic');
    world.playground.commit({ 'more.txt': 'y\n' });
    const head = world.playground.git('rev-parse', 'HEAD');
    world.playground.git('checkout', '--quiet', 'main');
    await recordReview(world, { number, head });
    await alice.editPullRequest(world.repository, number, { isDraft: false });
    await settle();
    expect((await asked()).map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^not merged: "auto-merge" was set at [0-9a-f]{12}, and holds for that commit only/u,
      ),
    ]);
    await alice.editPullRequest(world.repository, number, { state: 'closed' });
    // Known before the event is handled, and after it.
    expect(await asked()).toEqual([]);
    await settle();
    expect(await asked()).toEqual([]);
  });
});

describe('runs in the inbox', () => {
  const playgrounds: Playground[] = [];
  afterEach(() => {
    for (const one of playgrounds.splice(0)) one.remove();
  });
  const open = (): Playground => {
    const playground = new Playground();
    playgrounds.push(playground);
    return playground;
  };
  const startIn = async (playground: Playground): Promise<string> => {
    const drafts = [draftText('First'), draftText('Second')];
    const models = writeCassette(playground.folder, 'gates', { drafts, verdicts: [approved, approved] });
    expect((await playground.run(['issue', '--brief', brief, ...models])).code).toBe(10);
    const [gate] = (await playground.json<Status>(['status'])).waiting;
    return gate?.run ?? '';
  };

  it('are put aside until they are resumed, and given up for good', async () => {
    const playground = open();
    const run = await startIn(playground);
    const status = () => playground.json<Status>(['status']);
    const aside = await playground.run(['runs', 'dismiss', run]);
    expect([aside.code, aside.stdout]).toEqual([
      0,
      expect.stringContaining(`gatewright issue --resume ${run}`),
    ]);
    expect(await status()).toMatchObject({ waiting: [], stopped: [], dismissed: [{ run }] });
    expect((await playground.run(['status'])).stdout).toContain('Put aside (1): gatewright runs');
    expect((await playground.run(['gates'])).stderr).toContain('Nothing waits for you.');
    expect((await playground.run(['runs', 'dismiss', run])).code).toBe(0);
    expect((await playground.run(['issue', '--resume', run])).code).toBe(10);
    expect(await status()).toMatchObject({ waiting: [{ run }], dismissed: [] });
    const [gate] = (await status()).waiting;

    const cancelled = await playground.run(['runs', 'cancel', run]);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining(`Cancelled ${run}`)]);
    expect(await status()).toMatchObject({ waiting: [], stopped: [], dismissed: [], today: { filed: 0 } });
    for (const args of [
      ['issue', '--resume', run],
      ['runs', 'cancel', run],
      ['runs', 'dismiss', run],
    ]) {
      const again = await playground.run(args);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('(run-finished)')]);
      expect(again.stderr).toMatch(
        /was cancelled by alice at \d{4}-\d\d-\d\dT[\d:.]+Z; it cannot be resumed/u,
      );
    }
    // Nothing waits for a person who gave it up; `explain` says so, and how to begin again.
    const explained = await playground.run(['explain', brief]);
    expect(explained.stdout).toMatch(/- alice cancelled it at 20\d\d-\S+Z; it cannot be resumed\n/u);
    expect(explained.stdout).toContain(`run: gatewright issue --brief ${brief}\n`);
    const answer = await playground.run(['gate', 'answer', gate?.gate ?? '', '--choice', 'send']);
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining('(gate-not-found)')]);
    expect((await playground.run(['ledger', 'verify', '--projections'])).code).toBe(0);
  });

  it('that work are not put aside, and lose their lease when they are given up', async () => {
    const world = await FleetWorld.open({ 'base.txt': 'x\n' });
    playgrounds.push(world.playground);
    const { house, repository, playground } = world;
    const alice = await world.as('alice');
    const { number } = await alice.createIssue(repository, {
      title: 'T',
      body: '',
      labels: ['claude-working'],
    });
    const [subject, run] = [`${repository}#${number}`, '01ABCDEFGHJKMNPQRSTVWXYZ00'];
    const lease = await acquireLease(house, subject);
    const request = {
      ...({
        workflow: 'agent',
        agent: 'implementer',
        title: 'the new issue',
        delivery: 'd',
        number,
      } as const),
      ...({ repository, root: playground.repository, dryRun: false, forge: 'local' } as const),
    };
    const entry = { subject, run, actor: 'alice' };
    await house.ledger.append([{ ...entry, kind: 'run-started', key: 'd', data: { request } }], lease);
    const explained = await playground.run(['explain', `#${number}`]);
    expect(explained.stdout).toMatch(/Now: +the implementer is working on it/u);
    const refused = await playground.run(['runs', 'dismiss', run]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`gatewright runs cancel ${run}`),
    ]);
    const cancelled = await playground.run(['runs', 'cancel', run]);
    expect(cancelled.code, cancelled.all).toBe(0);
    expect(cancelled.stderr).toContain(`Process ${process.pid}`);
    expect(await lease.renew()).toBe(false);
    await expect(
      house.ledger.append([{ ...entry, kind: 'node-begun', data: { node: 'x', step: 1 } }], lease),
    ).rejects.toThrow(expect.objectContaining({ code: 'lease-lost' }));
    expect((await alice.getIssue(repository, number)).labels).toEqual([]);
    expect(await playground.json<Status>(['status'])).toMatchObject({ stopped: [], running: [] });
    const resumed = await playground.run(['dispatch', '--resume', run]);
    expect([resumed.code, resumed.stderr]).toEqual([
      1,
      expect.stringMatching(/was cancelled by \S+ at \d{4}-/u),
    ]);
  });

  it('of a folder that is gone continue when it is put back, or can be given up', async () => {
    const playground = open();
    const run = await startIn(playground);
    const elsewhere = `${playground.folder}/elsewhere`;
    renameSync(playground.repository, elsewhere);
    mkdirSync(playground.repository);
    rmSync(playground.repository, { recursive: true });
    const status = await playground.run(['status'], { cwd: playground.folder });
    expect(status.stdout).toContain('Waiting for you (0)');
    const [back, cancel] = ['or put it back, and continue there', `gatewright runs cancel ${run}`];
    expect(status.stdout).toContain(`${back} (gatewright issue --resume ${run})`);
    expect(status.stdout.indexOf(cancel)).toBeGreaterThan(status.stdout.indexOf(back));
    renameSync(elsewhere, playground.repository);
    expect((await playground.run(['issue', '--resume', run])).code).toBe(10);
    renameSync(playground.repository, elsewhere);
    expect((await playground.run(['runs', 'cancel', run], { cwd: elsewhere })).code).toBe(0);
    expect((await playground.run(['status'], { cwd: elsewhere })).stdout).not.toContain(run);
  });

  it('are ended by a name only in their own repository, and only if one open run has it', async () => {
    const playground = open();
    const other = open();
    const env = { GATEWRIGHT_DATABASE_URL: playground.database };
    const models = ['--drafter', 'builtin:outline', '--reviewer', 'builtin:checklist'];
    for (const one of [playground, other])
      expect((await one.run(['issue', '--brief', brief, '--no-input', ...models], { env })).code).toBe(10);
    const runs = await playground.json<{ id: string; status: string; request: { root: string } }[]>(['runs']);
    expect(runs).toHaveLength(2);
    const here = runs.find(({ request }) => request.root === playground.repository)?.id ?? '';
    const there = runs.find(({ request }) => request.root === other.repository)?.id ?? '';
    const inside = playground.path('packages/inner');
    mkdirSync(inside, { recursive: true });
    playground.git('init', '--quiet', inside);
    for (const verb of ['cancel', 'dismiss'])
      for (const [cwd, typed] of [
        [playground.folder, 'export-csv'],
        [playground.folder, brief],
        [playground.folder, 'export-csv.md'],
        // A repository within the repository of the run is another one.
        [inside, 'export-csv'],
        // Another file that would have the same short name.
        [playground.repository, 'docs/export-csv.md'],
      ] as const) {
        const refused = await playground.run(['runs', verb, typed], { cwd });
        expect([refused.code, typed], refused.all).toEqual([2, typed]);
        expect(refused.stderr).toContain(here);
        if (cwd === playground.folder) expect(refused.stderr).toContain(there);
      }
    const states = async (): Promise<string[]> =>
      (await playground.json<{ status: string }[]>(['runs'])).map(({ status }) => status);
    expect(await states()).toEqual(['waiting', 'waiting']);
    const cwd = playground.path('ideas');
    expect((await playground.run(['runs', 'cancel', 'export-csv'], { cwd })).stdout).toContain(here);
    expect((await playground.run(['runs', 'cancel', there], { cwd: playground.folder })).code).toBe(0);
    expect(await states()).toEqual(['done', 'done']);
  });

  it('name the deliveries that no agent has seen yet, in one line', async () => {
    const playground = open();
    await startIn(playground);
    expect((await playground.run(['status'])).stdout).not.toContain('Webhooks');
    const folder = inboxOf(playground.database, 'octo/app');
    const writer = new InboxWriter(folder, 'k'.repeat(64));
    const deliveries = [1, 2, 3].map((number) => {
      const json = Buffer.from(JSON.stringify({ number, text: 'x'.repeat(500 * number) }));
      return { name: 'issues', delivery: identifyDelivery(json), json };
    });
    await writer.write(deliveries.slice(0, 2));
    await writer.write(deliveries.slice(2));
    await writer.close();
    writeFileSync(`${folder}/0.log.damaged`, 'x');
    writeFileSync(`${folder}/junk`, 'y'.repeat(5000));
    expect((await playground.json<Status>(['status'])).deliveries).toEqual({ waiting: 3, setAside: 1 });
    expect((await playground.run(['status'])).stdout).toContain(
      'Webhooks: 3 deliveries wait in the inbox, 1 file was set aside (gatewright doctor)',
    );
  });
});
