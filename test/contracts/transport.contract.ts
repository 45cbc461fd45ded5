/** The suite that every way to bring commits to a forge and from it passes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Forge, Permission } from '../../src/ports/forge/forge.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { GitStore } from '../support/git-store.ts';
import { expectCode } from './expect-code.ts';
import { runChildren } from './run-children.ts';

export interface TransportWorld {
  /** Acts for a person with write permission. */
  readonly transport: Transport;
  transportAs(actor: string): Transport;
  readonly forge: Forge;
  readonly repository: string;
  readonly actors: Readonly<Record<Permission, string>>;
  /** What the forge has. */
  readonly git: GitStore;
  /** The person's repository on this machine; on the local forge that is the same one. */
  readonly clone: GitStore;
  /** What `push-branch-child.ts` is told, so that it pushes as a person with write permission. */
  readonly childArguments: readonly string[];
  close(): Promise<void>;
}

const child = new URL('./push-branch-child.ts', import.meta.url);

const badNames = [
  ...['-f', '--force', '--exec=touch trap', 'a..b', '../up', 'a b', 'a:b', ':a', 'a^b', 'a~1', 'a?b', 'a*'],
  ...[
    'a[b',
    'a\\b',
    'a@{1}',
    '@',
    'HEAD',
    'refs/heads/a',
    'a.lock',
    'a/.b',
    'a//b',
    'a/',
    '/a',
    'a.',
    '',
    'a\nb',
  ],
  ...['a\u0000b', 'a\u202eb', 'x'.repeat(201)],
];

export function describeTransport(name: string, makeWorld: () => Promise<TransportWorld>): void {
  describe(`${name} as a transport`, () => {
    let world: TransportWorld;
    let start: string;
    /** A commit that only the person's repository has. */
    const make = (file: string, from: string): string => {
      const commit = world.clone.commit(`tmp-${file}`, { [file]: `${file}\n` }, { from });
      world.clone.run('update-ref', '-d', `refs/heads/tmp-${file}`);
      return commit;
    };
    const push = (branch: string, commit: string, expected: string | null): Promise<void> =>
      world.transport.pushBranch(world.repository, { branch, commit, expected });
    const at = (branch: string): string | null => world.git.resolve(`refs/heads/${branch}`);

    beforeEach(async () => {
      world = await makeWorld();
      start = world.git.resolve('main') ?? '';
    });
    afterEach(() => world.close());

    it('makes a branch, moves it on, and says again what is so already', async () => {
      const one = make('one', start);
      await push('gatewright/work', one, null);
      expect(at('gatewright/work')).toBe(one);
      await push('gatewright/work', one, null);
      const next = make('next', one);
      await push('gatewright/work', next, one);
      expect(at('gatewright/work')).toBe(next);
      // Whatever it was expected to be at: it is there.
      await push('gatewright/work', next, one);
      await push('gatewright/work', next, null);
      expect(world.git.resolve('main')).toBe(start);
    });

    it('rewrites a branch from the commit that is named, and from no other', async () => {
      const one = make('one', start);
      const other = make('other', start);
      await push('work', one, null);
      await expectCode(push('work', other, start), 'head-moved');
      await expectCode(push('work', other, null), 'head-moved');
      await expectCode(push('work', make('third', one), other), 'head-moved');
      expect(at('work')).toBe(one);
      await push('work', other, one);
      expect(at('work')).toBe(other);
      await expectCode(push('gone', one, other), 'head-moved');
      expect(at('gone')).toBeNull();
    });

    it('is refused without write permission, and over a commit that is not here', async () => {
      const one = make('one', start);
      for (const actor of [world.actors.none, world.actors.read, world.actors.triage])
        await expectCode(
          world.transportAs(actor).pushBranch(world.repository, { branch: 'w', commit: one, expected: null }),
          'forge-forbidden',
        );
      await expectCode(push('w', '1'.repeat(40), null), 'forge-rejected');
      await expectCode(push('w', 'main', null), 'forge-rejected');
      await expectCode(push('w', one.slice(0, 12), null), 'forge-rejected');
      await expectCode(push('main', one, 'HEAD'), 'forge-rejected');
      await expectCode(
        world.transport.pushBranch('acme/nothing', { branch: 'w', commit: one, expected: null }),
        'forge-not-found',
      );
      expect(at('w')).toBeNull();
    });

    it('lets no name be anything but a branch', async () => {
      const one = make('one', start);
      const before = world.git.refs();
      for (const bad of badNames) {
        await expectCode(push(bad, one, null), 'forge-rejected');
        await expectCode(world.transport.fetchBranch(world.repository, bad), 'forge-rejected');
      }
      for (const bad of ['-x', '--upload-pack=touch trap', 'main', 'HEAD~1', `${start}:refs/heads/x`, ''])
        await expectCode(world.transport.fetchCommit(world.repository, bad, {}), 'forge-rejected');
      expect(world.git.refs()).toBe(before);
    });

    it('takes odd names as they are', async () => {
      const one = make('one', start);
      for (const odd of ['+a', '$(x)', 'a%2e', 'größe']) {
        await push(odd, one, null);
        expect(at(odd), odd).toBe(one);
        expect(await world.transport.fetchBranch(world.repository, odd)).toBe(one);
      }
    });

    it('fetches a branch and a pull request whose branch is gone, touching nothing of the person', async () => {
      const head = world.git.commit('change', { 'change.txt': 'x\n' });
      const pull = await world.forge.createPullRequest(world.repository, {
        title: 'A change',
        body: '',
        head: 'change',
        base: 'main',
      });
      const before = world.clone.run(
        'for-each-ref',
        '--format=%(refname) %(objectname)',
        'refs/heads',
        'refs/remotes',
      );
      const newer = world.git.commit('other', { 'other.txt': 'x\n' });
      expect(await world.transport.fetchBranch(world.repository, 'other')).toBe(newer);
      expect(world.clone.readFile(newer, 'other.txt')).toBe('x\n');
      const held = world.clone.run(
        'for-each-ref',
        '--format=%(refname)',
        '--points-at',
        newer,
        'refs/gatewright',
      );
      expect(held).toMatch(/^refs\/gatewright\/fetched\/\d{4}-\d\d-\d\d\/[0-9a-f]+$/u);
      world.clone.run('update-ref', '-d', held);
      const many = Array.from({ length: 6 }, () => world.transport.fetchCommit(world.repository, newer, {}));
      expect(new Set(await Promise.all(many))).toEqual(new Set([newer]));
      await world.forge.deleteBranch(world.repository, 'other', newer);
      await world.forge.deleteBranch(world.repository, 'change', head);
      for (const hint of [{}, { pullRequest: pull.number }, { branch: 'change' }])
        expect(await world.transport.fetchCommit(world.repository, head, hint)).toBe(head);
      expect(world.clone.readFile(head, 'change.txt')).toBe('x\n');
      const after = world.clone.run(
        'for-each-ref',
        '--format=%(refname) %(objectname)',
        'refs/heads',
        'refs/remotes',
      );
      if (world.clone.folder !== world.git.folder) expect(after).toBe(before);
      // Nothing refers to them but we.
      world.clone.run('reflog', 'expire', '--expire=now', '--all');
      world.clone.run('gc', '--quiet', '--prune=now');
      for (const commit of [newer, head]) expect(world.clone.resolve(commit)).toBe(commit);
    });

    it('says so when there is no such commit, branch or repository', async () => {
      const { transport, repository } = world;
      for (const hint of [{}, { pullRequest: 99 }, { branch: 'main' }])
        await expectCode(transport.fetchCommit(repository, '1'.repeat(40), hint), 'forge-not-found');
      await expectCode(transport.fetchBranch(repository, 'nowhere'), 'forge-not-found');
      await expectCode(transport.fetchBranch('acme/nothing', 'main'), 'forge-not-found');
      await expectCode(transport.fetchCommit('acme/nothing', '1'.repeat(40), {}), 'forge-not-found');
    });

    it('lets one of several processes win, and tells the others', async () => {
      const commits = ['a', 'b'].map((file) => make(file, start));
      await push('race', start, null);
      const results = await runChildren<string>(
        child,
        commits.map((commit) => [...world.childArguments, 'race', commit, start]),
      );
      expect(results.toSorted()).toEqual(['head-moved', 'ok']);
      expect(at('race')).toBe(commits[results.indexOf('ok')]);
      const same = commits[0] ?? '';
      const again = await runChildren<string>(
        child,
        [1, 2].map(() => [...world.childArguments, 'same', same, '']),
      );
      expect(again).toEqual(['ok', 'ok']);
      expect(at('same')).toBe(same);
    });

    it('runs nothing that the repository names', async () => {
      const [trap, trace] = ['trap.sh', 'ran'].map((file) => join(dirname(world.clone.folder), file)) as [
        string,
        string,
      ];
      writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexit 1\n`, { mode: 0o755 });
      writeFileSync(trace, '');
      for (const key of [
        ...['credential.helper', 'core.askPass', 'core.sshCommand', 'core.gitProxy', 'core.fsmonitor'],
        ...['core.alternateRefsCommand', 'gpg.program', 'core.pager', 'core.editor'],
      ])
        world.clone.run('config', key, trap);
      world.clone.run('config', 'push.gpgSign', 'true');
      world.clone.run('config', 'fetch.recurseSubmodules', 'true');
      for (const hook of ['pre-push', 'reference-transaction', 'post-update', 'update', 'pre-auto-gc'])
        writeFileSync(join(world.clone.folder, '.git', 'hooks', hook), readFileSync(trap), { mode: 0o755 });
      // Whoever asks for an object that is not there would make git fetch it from this one.
      world.clone.run('config', 'extensions.partialClone', 'trap');
      world.clone.run('config', 'core.repositoryFormatVersion', '1');
      world.clone.run('config', 'remote.trap.url', world.clone.folder);
      world.clone.run('config', 'remote.trap.promisor', 'true');
      world.clone.run('config', 'remote.trap.uploadpack', trap);
      const tree = world.clone.run('rev-parse', 'main^{tree}');
      const one = world.clone.run('commit-tree', tree, '-p', start, '-m', 'One');
      await push('work', one, null);
      expect(at('work')).toBe(one);
      expect(await world.transport.fetchBranch(world.repository, 'work')).toBe(one);
      const unknown = '1'.repeat(40);
      await expectCode(world.transport.fetchCommit(world.repository, unknown, {}), 'forge-not-found');
      await expectCode(push('work', unknown, one), 'forge-rejected');
      expect(readFileSync(trace, 'utf8')).toBe('');
      // The traps are real ones.
      expect(() => world.clone.run('branch', 'trapped', one)).toThrow();
      expect(() => world.clone.run('cat-file', '-t', unknown)).toThrow();
      expect(readFileSync(trace, 'utf8').split('\n').length).toBeGreaterThan(2);
    });
  });
}
