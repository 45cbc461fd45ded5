/** What was done on the forge is found again by its marker and its author, and by nothing that somebody else put there. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Playground } from '../../test/support/playground.ts';
import { LocalForge } from '../adapters/local-forge/local-forge.ts';
import { openDatabase, type SqliteDatabase } from '../adapters/sqlite/database.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { EffectKind, EffectOf } from '../domain/ledger/effect.ts';
import { sha256 } from '../domain/ledger/hash.ts';
import { makeForgePerformers } from './forge-performers.ts';
import { hideMarker } from './marker.ts';
import type { Performer } from './performer.ts';

let playground: Playground;
let database: SqliteDatabase;
let forge: LocalForge;
let stranger: LocalForge;
let repository: string;
let head: string;
let base: string;

const texts = new Map<string, string>();
const keep = (text: string) => {
  texts.set(sha256(text), text);
  return sha256(text);
};
const since = '2020-01-01T00:00:00.000Z';
const marker = 'id.signature';

function performerOf<K extends EffectKind>(kind: K): Performer<K> {
  const performers = makeForgePerformers(forge, forge.transport, {
    getText: async (hash) => texts.get(hash) ?? '',
  });
  return (performers as unknown as Record<string, unknown>)[kind] as Performer<K>;
}

function attempt<K extends EffectKind>(effect: EffectOf<K>) {
  return { effect, marker, since };
}

beforeEach(async () => {
  playground = new Playground();
  playground.git('checkout', '--quiet', '-b', 'topic');
  playground.write('new.txt', 'new\n');
  playground.git('add', '--all');
  playground.git('commit', '--quiet', '--message', 'Topic');
  head = playground.git('rev-parse', 'HEAD');
  playground.git('checkout', '--quiet', 'main');
  base = playground.git('rev-parse', 'HEAD');
  database = openDatabase(playground.database);
  forge = new LocalForge(database, systemClock, 'alice', playground.environment);
  stranger = new LocalForge(database, systemClock, 'mallory', playground.environment);
  repository = await forge.registerRepository(playground.repository, 'o/r');
  await forge.createIssue(repository, { title: 'One', body: 'x', labels: [] });
});
afterEach(() => {
  database.close();
  playground.remove();
});

describe('what people could take for ours', () => {
  it('a comment is found by its marker, and only if we wrote it', async () => {
    const effect = {
      kind: 'create-comment',
      repository,
      number: 1,
      body: keep('Hello'),
      author: 'alice',
    } as const;
    const performer = performerOf('create-comment');
    await stranger.createComment(repository, 1, `Hello\n\n${hideMarker(marker)}`);
    expect(await performer.find(attempt(effect))).toBeNull();
    const done = await performer.perform(attempt(effect));
    expect(await performer.find(attempt(effect))).toEqual(done);
    expect((await forge.listComments(repository, 1)).map((one) => one.author)).toEqual(['mallory', 'alice']);
  });

  it('a comment on a commit', async () => {
    const effect = {
      kind: 'comment-commit',
      repository,
      commit: base,
      body: keep('Why'),
      author: 'alice',
    } as const;
    const performer = performerOf('comment-commit');
    expect(await performer.find(attempt(effect))).toBeNull();
    const done = await performer.perform(attempt(effect));
    expect(await performer.find(attempt(effect))).toEqual(done);
    expect(await performer.find({ ...attempt(effect), marker: 'other.one' })).toBeNull();
  });

  it('a pull request, a review of it, its merge and its branch', async () => {
    const body = keep('Closes #1');
    const opening = {
      kind: 'create-pull-request',
      repository,
      title: 'T',
      body,
      head: 'topic',
      base: 'main',
      author: 'alice',
    } as const;
    const opener = performerOf('create-pull-request');
    expect(await opener.find(attempt(opening))).toBeNull();
    const pull = await opener.perform(attempt(opening));
    expect(await opener.find(attempt(opening))).toEqual(pull);

    const comments = [{ path: 'new.txt', line: 1, body: keep('Here') }];
    const reviewing = {
      kind: 'create-review',
      repository,
      number: pull.number,
      commit: head,
      body: keep('## No Issues'),
      comments,
      author: 'alice',
    } as const;
    const reviewer = performerOf('create-review');
    expect(await reviewer.find(attempt(reviewing))).toBeNull();
    const review = await reviewer.perform(attempt(reviewing));
    expect(await reviewer.find(attempt(reviewing))).toEqual(review);
    expect(await forge.listReviews(repository, pull.number)).toMatchObject([
      { state: 'commented', commit: head },
    ]);

    const merging = {
      kind: 'merge-pull-request',
      repository,
      number: pull.number,
      head,
      title: 'T (#2)',
      body,
      base,
    } as const;
    const merger = performerOf('merge-pull-request');
    expect(await merger.find(attempt(merging))).toBeNull();
    const merged = await merger.perform(attempt(merging));
    expect(await merger.find(attempt(merging))).toEqual(merged);
    // What was merged is another head than the one that was decided about: not ours.
    expect(await merger.find(attempt({ ...merging, head: base }))).toBeNull();
    expect(playground.git('log', '-1', '--format=%B', merged.commit)).toContain(
      `Gatewright-Effect: ${marker}`,
    );

    const deleting = { kind: 'delete-branch', repository, branch: 'topic', at: head } as const;
    expect(await performerOf('delete-branch').perform(attempt(deleting))).toEqual({ deleted: true });
    expect(await performerOf('delete-branch').perform(attempt(deleting))).toEqual({ deleted: false });
  });
});

describe('a branch that is brought up to date', () => {
  const commit = (branch: string, path: string): string => {
    playground.git('checkout', '--quiet', branch);
    playground.write(path, 'x\n');
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', path);
    const made = playground.git('rev-parse', 'HEAD');
    playground.git('checkout', '--quiet', 'main');
    return made;
  };

  it('is found by what it was merged from, until somebody goes on', async () => {
    const pull = await forge.createPullRequest(repository, {
      title: 'T',
      body: '',
      head: 'topic',
      base: 'main',
    });
    const effect = { kind: 'update-branch', repository, number: pull.number, head } as const;
    const performer = performerOf('update-branch');
    expect(await performer.find(attempt(effect))).toBeNull();
    // There is nothing to merge yet.
    expect(await performer.perform(attempt(effect))).toEqual({ head });
    const later = commit('main', 'later.txt');
    const updated = await performer.perform(attempt(effect));
    expect(playground.git('log', '-1', '--format=%P', updated.head)).toBe(`${head} ${later}`);
    expect(await performer.find(attempt(effect))).toEqual(updated);
    // GitHub does it after it has answered: whoever looked too early finds it done when they ask again.
    expect(await performer.perform(attempt(effect))).toEqual(updated);
    commit('topic', 'more.txt');
    expect(await performer.find(attempt(effect))).toBeNull();
    await expect(performer.perform(attempt(effect))).rejects.toMatchObject({ code: 'head-moved' });
  });
});

describe('a branch', () => {
  const pushing = () =>
    ({ kind: 'push-branch', repository, branch: 'gatewright/1', commit: head, expected: null }) as const;
  const at = () => playground.git('rev-parse', 'refs/heads/gatewright/1');

  it('is made, moved from where it was, and found where it should be', async () => {
    const performer = performerOf('push-branch');
    expect(await performer.find(attempt(pushing()))).toBeNull();
    expect(await performer.perform(attempt(pushing()))).toEqual({ commit: head });
    expect(await performer.find(attempt(pushing()))).toEqual({ commit: head });
    // Cut off before it was receipted: done once more, it changes nothing.
    expect(await performer.perform(attempt(pushing()))).toEqual({ commit: head });
    expect(at()).toBe(head);
    const back = { ...pushing(), commit: base, expected: head };
    expect(await performer.find(attempt(back))).toBeNull();
    expect(await performer.perform(attempt(back))).toEqual({ commit: base });
    expect(at()).toBe(base);
  });

  it('is found below what people pushed since, and not where it was only set back to', async () => {
    const performer = performerOf('push-branch');
    await performer.perform(attempt(pushing()));
    playground.git('checkout', '--quiet', 'gatewright/1');
    playground.commit({ 'by-hand.txt': 'x\n' }, 'By hand');
    playground.git('checkout', '--quiet', 'main');
    expect(await performer.find(attempt(pushing()))).toEqual({ commit: head });
    expect(await performer.find(attempt({ ...pushing(), expected: base }))).toEqual({ commit: head });
    // The branch was to go back to its base, and people went on from where it was.
    expect(await performer.find(attempt({ ...pushing(), commit: base, expected: head }))).toBeNull();
  });

  it('that somebody else moved is left, and a dry run moves nothing', async () => {
    const performer = performerOf('push-branch');
    playground.git('branch', 'gatewright/1', base);
    await expect(performer.perform(attempt(pushing()))).rejects.toMatchObject({ code: 'head-moved' });
    expect(await performer.find(attempt(pushing()))).toBeNull();
    expect(performer.pretend({ ...pushing(), expected: base })).toEqual({ commit: head });
    expect(at()).toBe(base);
  });
});

describe('what changes nothing the second time', () => {
  it('labels', async () => {
    const effect = { kind: 'edit-labels', repository, number: 1, add: ['bug'], remove: ['stale'] } as const;
    const performer = performerOf('edit-labels');
    for (const _ of [1, 2]) {
      const receipt = await performer.perform(attempt(effect));
      const { updatedAt } = await forge.getIssue(repository, 1);
      expect(receipt).toEqual({ labels: ['bug'], updatedAt });
    }
    expect(await forge.listLabelEvents(repository, 1)).toHaveLength(1);
  });

  it('closing', async () => {
    const effect = { kind: 'close-issue', repository, number: 1 } as const;
    for (const _ of [1, 2])
      expect(await performerOf('close-issue').perform(attempt(effect))).toEqual({ closed: true });
  });
});
