/** What happens on the local forge is told once, in order, as it was said then; whoever did it and however many look. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { migrations } from '../../src/adapters/sqlite/migrations.ts';
import { eventSchema, type FleetEvent } from '../../src/domain/fleet/event.ts';
import { seeText } from '../../src/domain/forge/seen-text.ts';
import type { Happening } from '../../src/ports/event-feed.ts';
import { expectCode } from './expect-code.ts';
import { gitEnvironment, type LocalWorld, makeLocalWorld } from './local-world.ts';
import { openPullRequest } from './open-pull-request.ts';
import { runChildren } from './run-children.ts';
import { makeStillClock } from './still-clock.ts';

const child = new URL('./happenings-child.ts', import.meta.url);
let world: LocalWorld;

const readable = (found: readonly Happening[]): FleetEvent[] =>
  found.map(({ event, id }) => event ?? expect.fail(`happening ${id} cannot be read`));
const listAll = async (): Promise<FleetEvent[]> =>
  readable(await world.forge.eventFeed.since(world.repository, 0, 1000));
/** What was told since the last call. */
let seen = 0;
const news = async (): Promise<FleetEvent[]> => {
  const found = await world.forge.eventFeed.since(world.repository, seen, 1000);
  seen = found.at(-1)?.id ?? seen;
  return readable(found);
};
const at = '2024-05-06T07:08:09.500Z';

async function open(isOnDisk = false): Promise<void> {
  world = await makeLocalWorld({ isOnDisk });
  seen = 0;
}

describe('what is told', () => {
  beforeEach(() => open());
  afterEach(() => world.close());

  it('a push to a base once, however many pull requests go onto it; no push elsewhere and no merge', async () => {
    const { repository, git, actors } = world;
    const pulls = [];
    for (const branch of ['one', 'two', 'three'])
      pulls.push(await openPullRequest(world, { branch, files: { [`${branch}.txt`]: 'x\n' } }));
    await news();
    git.commit('elsewhere', { 'e.txt': 'x\n' }, { from: 'main' });
    expect(await news()).toEqual([]);
    const head = git.commit('main', { 'm.txt': 'x\n' });
    // A look at one of them must not keep the others from hearing of it.
    await world.forge.getPullRequest(repository, pulls[1]?.number ?? 0);
    const [pushed, ...more] = await news();
    expect(more).toEqual([]);
    expect(pushed).toMatchObject({ kind: 'base-pushed', branch: 'main', head, actor: actors.write });
    expect(await news()).toEqual([]);
    const [first] = pulls;
    await world.forge.mergePullRequest(repository, first?.number ?? 0, {
      ...{ head: first?.head.sha ?? '', title: 'one', body: '' },
    });
    expect((await news()).map(({ kind }) => kind)).toEqual(['pull-request-closed']);
  });

  it('issues, with what they say, their labels and who they are given to', async () => {
    const { repository, actors } = world;
    const reader = world.forgeAs(actors.read);
    const triager = world.forgeAs(actors.triage);
    await reader.createIssue(repository, { title: 'Slow', body: '@agent please', labels: [] });
    const common = { repository, at, actorKind: 'person' };
    expect(await listAll()).toEqual([
      {
        ...common,
        kind: 'issue-opened',
        delivery: `local/${repository}/1`,
        actor: actors.read,
        number: 1,
        text: 'Slow\n\n@agent please',
        seen: seeText({ title: 'Slow', body: '@agent please' }),
      },
    ]);
    await news();
    const rewrite = { body: 'Something else', addLabels: ['planning'] };
    await expectCode(triager.editIssue(repository, 1, rewrite), 'forge-forbidden');
    expect(await news()).toEqual([]);
    await triager.editIssue(repository, 1, { addLabels: ['planning'], addAssignees: [actors.write] });
    await triager.editIssue(repository, 1, { addLabels: ['planning'], addAssignees: [actors.write] });
    await world.forgeAs(world.bot).editIssue(repository, 1, { removeLabels: ['PLANNING'] });
    expect(await news()).toMatchObject([
      { kind: 'labeled', actor: actors.triage, number: 1, isPullRequest: false, label: 'planning' },
      {
        kind: 'issue-assigned',
        actor: actors.triage,
        assignee: actors.write,
        text: 'Slow\n\n@agent please',
      },
      { kind: 'unlabeled', actor: world.bot, actorKind: 'bot', label: 'planning' },
    ]);
    // Closing and opening an issue wakes nobody.
    await reader.editIssue(repository, 1, { state: 'closed' });
    await reader.editIssue(repository, 1, { state: 'open' });
    expect(await news()).toEqual([]);
  });

  it('comments as they were said, and nothing when they are edited', async () => {
    const { forge, repository, actors } = world;
    await forge.createIssue(repository, { title: 'T', body: '', labels: ['first'] });
    expect((await news()).map(({ kind }) => kind)).toEqual(['issue-opened', 'labeled']);
    const { id } = await world
      .forgeAs(actors.none)
      .createComment(repository, 1, 'What is\n"this"? 🙂 \u2028');
    await world.forgeAs(actors.none).updateComment(repository, id, '@agent go ahead and implement');
    await forge.editIssue(repository, 1, { title: '@agent', body: '@agent go' });
    await forge.addReaction(repository, { kind: 'comment', id }, '+1');
    expect(await news()).toEqual([
      expect.objectContaining({
        kind: 'comment-created',
        actor: actors.none,
        comment: id,
        number: 1,
        isPullRequest: false,
        text: 'What is\n"this"? 🙂 \u2028',
      }),
    ]);
  });

  it('the life of a pull request', async () => {
    const { forge, repository, actors } = world;
    const pull = await openPullRequest(world);
    const { number } = pull;
    const head = pull.head.sha;
    expect(await news()).toMatchObject([{ kind: 'pull-request-opened', actor: actors.write, number, head }]);
    await forge.createComment(repository, number, 'Nice');
    await forge.editIssue(repository, number, { addLabels: ['hold'], addAssignees: [actors.write] });
    await world.forgeAs(actors.read).createReview(repository, number, {
      commit: head,
      decision: 'request-changes',
      body: 'No',
      comments: [{ path: 'change.txt', line: 1, body: 'Here' }],
    });
    expect(await news()).toMatchObject([
      { kind: 'comment-created', isPullRequest: true },
      { kind: 'labeled', isPullRequest: true, label: 'hold' },
      { kind: 'review-submitted', actor: actors.read, number, head, review: 1, text: 'No' },
    ]);
    const next = world.git.commit('change', { 'change.txt': 'other\n' });
    await world.pause();
    expect(await news()).toMatchObject([
      {
        kind: 'pull-request-synchronized',
        actor: actors.write,
        number,
        head: next,
        at: '2024-05-06T07:08:10.500Z',
      },
    ]);
    expect(await news()).toEqual([]);
    await world.forgeAs(actors.write).editIssue(repository, number, { state: 'closed' });
    world.git.commit('change', { 'change.txt': 'while closed\n' });
    expect(await news()).toMatchObject([
      { kind: 'pull-request-closed', actor: actors.write, head: next, isMerged: false },
    ]);
    await forge.editIssue(repository, number, { state: 'open' });
    const last = world.git.resolve('change') ?? '';
    expect(await news()).toMatchObject([
      { kind: 'pull-request-reopened', actor: actors.admin, head: next },
      { kind: 'pull-request-synchronized', head: last },
    ]);
    await world
      .forgeAs(actors.maintain)
      .mergePullRequest(repository, number, { head: last, title: 'M', body: '' });
    expect(await news()).toMatchObject([
      { kind: 'pull-request-closed', actor: actors.maintain, head: last, isMerged: true },
    ]);
    world.git.commit('change', { 'change.txt': 'after\n' });
    expect(await news()).toEqual([]);
  });

  it('what a merge may have waited for: drafts, bases, statuses and checks', async () => {
    const { forge, repository, actors } = world;
    const { number, head } = await openPullRequest(world, { isDraft: true });
    world.git.run('branch', 'next', 'main');
    await news();
    const author = world.forgeAs(actors.write);
    await author.editPullRequest(repository, number, { isDraft: false });
    await author.editPullRequest(repository, number, { isDraft: false, title: 'Another' });
    await author.editPullRequest(repository, number, { isDraft: true });
    await forge.editPullRequest(repository, number, { base: 'next' });
    await forge.editPullRequest(repository, number, { base: 'next' });
    expect(await news()).toMatchObject([
      { kind: 'pull-request-ready', actor: actors.write, number, head: head.sha },
      { kind: 'pull-request-retargeted', actor: actors.admin, number, head: head.sha, base: 'next' },
    ]);
    const say = (state: 'pending' | 'success' | 'failure') =>
      author.setStatus(repository, head.sha, { name: 'ci', state, description: '' });
    for (const state of ['pending', 'success', 'success', 'failure', 'pending', 'success'] as const)
      await say(state);
    await forge.recordCheckRun(repository, head.sha, { name: 'ci', state: 'neutral' });
    const check = { kind: 'check-completed', name: 'ci', head: head.sha, actor: actors.write };
    expect(await news()).toMatchObject([
      { ...check, conclusion: 'success' },
      { ...check, conclusion: 'failure' },
      { ...check, conclusion: 'success' },
      { ...check, conclusion: 'other', actor: actors.admin },
    ]);
    await forge.editPullRequest(repository, number, { state: 'closed' });
    await news();
    await forge.editPullRequest(repository, number, { isDraft: false, base: 'main' });
    expect(await news()).toEqual([]);
  });

  it('what people do with git alone', async () => {
    const { actors } = world;
    const merged = await openPullRequest(world, { branch: 'one' });
    const gone = await openPullRequest(world, { branch: 'two', files: { 'two.txt': '2\n' } });
    await news();
    world.git.run('update-ref', 'refs/heads/main', merged.head.sha);
    world.git.run('update-ref', '-d', 'refs/heads/two');
    expect(await news()).toMatchObject([
      { kind: 'pull-request-closed', number: merged.number, actor: actors.write, isMerged: true },
      {
        kind: 'pull-request-closed',
        number: gone.number,
        actor: actors.write,
        isMerged: false,
        head: gone.head.sha,
      },
    ]);
  });

  it('workflow runs when they are over', async () => {
    const headSha = world.git.resolve('main') ?? '';
    const run = { name: 'ci', headSha, branch: 'main', event: 'push' };
    await world.seedWorkflowRun({ ...run, status: 'in-progress', conclusion: null });
    expect(await news()).toEqual([]);
    for (const conclusion of ['success', 'failure', 'cancelled'] as const)
      await world.seedWorkflowRun({ ...run, status: 'completed', conclusion });
    world.database
      .prepare("UPDATE forge_workflow_runs SET status = 'completed', conclusion = 'failure' WHERE id = 1")
      .run();
    world.database.prepare("UPDATE forge_workflow_runs SET conclusion = 'success' WHERE id = 1").run();
    expect(
      (await news()).map((event) =>
        event.kind === 'workflow-completed' ? [event.run, event.conclusion] : [],
      ),
    ).toEqual([
      [2, 'success'],
      [3, 'failure'],
      [4, 'other'],
      [1, 'failure'],
    ]);
    expect((await listAll())[0]).toMatchObject({ name: 'ci', head: headSha, actor: world.actors.admin });
  });

  it('of one repository, from an id on, as many as are wanted', async () => {
    const { forge, repository } = world;
    const other = await forge.registerRepository('/elsewhere', 'local/other');
    for (let index = 0; index < 5; index += 1)
      for (const name of [repository, other])
        await forge.createIssue(name, { title: 'T', body: '', labels: [] });
    const found = await forge.listEvents(repository, 0, 1000);
    expect(found).toHaveLength(5);
    expect(readable(found).every((event) => event.repository === repository)).toBe(true);
    expect(await forge.listEvents(repository, found[1]?.id ?? 0, 2)).toEqual(found.slice(2, 4));
    expect(await forge.listEvents(repository, found[4]?.id ?? 0, 2)).toEqual([]);
    expect(await forge.listEvents(repository, 0, -1)).toEqual([]);
    await expectCode(forge.listEvents('local/unheard-of', 0, 1), 'forge-not-found');
    for (const { event } of found) expect(eventSchema.parse(event)).toEqual(event);
  });

  it('nothing of what was rolled back', async () => {
    const { forge, repository } = world;
    await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
    await news();
    const undone = world.database.transaction(() => {
      world.database.prepare("UPDATE forge_issues SET title = 'x'").run();
      world.database
        .prepare(
          "INSERT INTO forge_comments (repository, number, author, body, created_at) VALUES (?, 1, 'x', 'y', ?)",
        )
        .run(repository, at);
      throw new Error('undone');
    });
    expect(undone).toThrow('undone');
    expect(await news()).toEqual([]);
  });
});

describe('a database from before', () => {
  it('tells nothing of what was there, and everything from then on', async () => {
    await open(true);
    try {
      const { file, repository, git } = world;
      world.database.close();
      const old = new Database(`${file}.old`);
      for (const sql of migrations.slice(0, 4)) old.exec(sql);
      old.pragma('application_id = 0x47415445');
      old.pragma('user_version = 4');
      const head = git.commit('change', { 'x.txt': 'x\n' });
      const main = git.resolve('main');
      old.exec(`
        INSERT INTO forge_repositories (name, folder, next_number, created_at) VALUES ('${repository}', '${git.folder}', 3, '${at}');
        INSERT INTO forge_permissions VALUES ('${repository}', 'owner', 'admin');
        INSERT INTO forge_issues (repository, number, title, body, state, author, created_at, updated_at)
          VALUES ('${repository}', 1, 'Old', '@agent', 'open', 'owner', '${at}', '${at}'),
            ('${repository}', 2, 'Old', '', 'open', 'owner', '${at}', '${at}');
        INSERT INTO forge_pull_requests VALUES ('${repository}', 2, 'change', 'main', '${head}', '${main}', '${main}', 0, NULL, NULL);
        INSERT INTO forge_comments (repository, number, author, body, created_at, updated_at)
          VALUES ('${repository}', 1, 'owner', '@agent', '${at}', '${at}');`);
      old.close();
      const database = openDatabase(`${file}.old`);
      const forge = new LocalForge(database, makeStillClock(), 'owner', gitEnvironment);
      expect(await forge.eventFeed.since(repository, 0, 100)).toEqual([]);
      await forge.editIssue(repository, 1, { title: 'New' });
      expect(await forge.eventFeed.since(repository, 0, 100)).toEqual([]);
      await forge.createComment(repository, 1, 'Now');
      git.commit('change', { 'x.txt': 'y\n' });
      const told = await forge.eventFeed.since(repository, 0, 100);
      expect(readable(told).map(({ kind }) => kind)).toEqual([
        'comment-created',
        'pull-request-synchronized',
      ]);
      database.close();
    } finally {
      await world.close();
    }
  });
});

describe('many processes', () => {
  beforeEach(() => open(true));
  afterEach(() => world.close());

  it('writing at once: readers miss nothing and see every id after all lower ones', async () => {
    const { file, repository, actors } = world;
    const writers = [actors.triage, actors.write, actors.maintain];
    const total = writers.length * 10 * 3;
    const results = await runChildren<number[]>(child, [
      ...writers.map((actor) => [file, repository, actor, 'write', '10']),
      ...[1, 2].map(() => [file, repository, actors.read, 'read', String(total)]),
    ]);
    const ids = (await world.forge.listEvents(repository, 0, 1000)).map(({ id }) => id);
    expect(ids).toHaveLength(total);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    for (const seenIds of results.slice(writers.length)) expect(seenIds).toEqual(ids);
  });

  it('one writes after the other: an id is given when nobody else can give one', async () => {
    const { file, repository, forge } = world;
    await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
    await news();
    const [one, other] = [new Database(file, { timeout: 0 }), new Database(file, { timeout: 0 })];
    const comment =
      "INSERT INTO forge_comments (repository, number, author, body, created_at) VALUES (?, 1, ?, 'x', ?)";
    one.exec('BEGIN');
    one.prepare(comment).run(repository, 'one', at);
    // The first has its id and is not done: no second can be given meanwhile, and nobody sees the first.
    expect(() => other.prepare(comment).run(repository, 'other', at)).toThrow(/locked/u);
    expect(await news()).toEqual([]);
    one.exec('COMMIT');
    other.prepare(comment).run(repository, 'other', at);
    expect((await news()).map(({ actor }) => actor)).toEqual(['one', 'other']);
    one.close();
    other.close();
  });

  it('looking at once: a head that moved is told once', async () => {
    const { file, repository, actors } = world;
    for (const branch of ['a', 'b']) await openPullRequest(world, { branch, files: { [branch]: 'x\n' } });
    await news();
    const heads = ['a', 'b'].map((branch) => world.git.commit(branch, { [branch]: 'y\n' }));
    await runChildren(
      child,
      [1, 2, 3].map(() => [file, repository, actors.read, 'look']),
    );
    const told = await news();
    expect(told.map((event) => ('head' in event ? event.head : '')).toSorted()).toEqual(heads.toSorted());
  });
});
