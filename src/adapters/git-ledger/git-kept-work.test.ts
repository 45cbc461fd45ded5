/** What a run made on one machine is there on another one: over real git, on a server that is reached by its path. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../test/contracts/run-children.ts';
import { GitStore } from '../../../test/support/git-store.ts';
import { BareGit } from '../git/bare-git.ts';
import { GitKeptWork } from './git-kept-work.ts';

const run = '01M7RQYGTNGSF9N492W40R1WBC';
const ref = `refs/gatewright/work/${run}`;

let folder: string;
let server: GitStore;
let machines = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-kept-'));
  server = GitStore.make(join(folder, 'server.git'), { isBare: true });
  server.commit('main', { 'a.txt': 'one\n' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A machine that has checked out the repository and knows nothing else. */
function addMachine(mayKeep = true) {
  machines += 1;
  const own = join(folder, `machine-${machines}`);
  const git = GitStore.make(join(own, 'repository'));
  git.run('fetch', '--quiet', server.folder, '+main:main');
  const kept = new GitKeptWork({
    ...{ git: new BareGit(git.folder, childEnvironment), scratch: join(own, 'scratch'), mayKeep },
    server: { talk: (_, talk) => talk(server.folder, {}) },
  });
  const has = (object: string): boolean => {
    try {
      git.run('cat-file', '-e', object);
      return true;
    } catch {
      return false;
    }
  };
  return { git, kept, has };
}

const tips = (): string => server.run('for-each-ref', '--format=%(refname)', 'refs/gatewright');

describe('what a run made', () => {
  it('goes to another machine: files that follow from a commit, commits, and all that came before', async () => {
    const one = addMachine();
    const start = one.git.run('rev-parse', 'main');
    const left = one.git.run(
      'rev-parse',
      `${one.git.commit('left', { 'b.txt': 'two\n' }, { from: 'main' })}^{tree}`,
    );
    const first = one.git.commit('first', { 'c.txt': 'three\n' }, { from: 'main' });
    await one.kept.keep(run, { start, tree: left });
    await one.kept.keep(run, { commit: first });
    const two = addMachine();
    expect([left, first].map(two.has)).toEqual([false, false]);
    await two.kept.bring(run);
    expect([left, first].map(two.has)).toEqual([true, true]);
    const second = two.git.commit('second', { 'd.txt': 'four\n' }, { from: first });
    await two.kept.keep(run, { commit: second });
    const three = addMachine();
    await three.kept.bring(run);
    expect([left, first, second].map(three.has)).toEqual([true, true, true]);
    // Git does not clear it away there.
    three.git.run('gc', '--quiet', '--prune=now');
    expect([left, first, second].map(three.has)).toEqual([true, true, true]);
    await three.kept.drop(run);
    expect(tips()).toBe('');
  });

  it('is nothing where nothing was made, and where nothing may be kept', async () => {
    const one = addMachine();
    const start = one.git.run('rev-parse', 'main');
    await one.kept.bring(run);
    await one.kept.keep(run, { start, tree: one.git.run('rev-parse', 'main^{tree}') });
    const commit = one.git.commit('x', { 'x.txt': 'x\n' }, { from: 'main' });
    const reader = addMachine(false);
    reader.git.run('fetch', '--quiet', one.git.folder, '+x:x');
    await reader.kept.keep(run, { commit });
    await reader.kept.drop(run);
    expect(tips()).toBe('');
    await one.kept.keep(run, { commit });
    expect(tips()).toBe(ref);
    await reader.kept.drop(run);
    expect(tips()).toBe(ref);
  });

  it('is looked for under the ids of runs alone, and says so when it cannot be kept', async () => {
    const { kept, git } = addMachine();
    await expect(kept.bring('../../heads/main')).rejects.toThrow('not the id of a run');
    await expect(kept.keep(run, { commit: '0'.repeat(40) })).rejects.toThrow('git rev-parse failed');
    rmSync(server.folder, { recursive: true });
    const commit = git.commit('x', { 'x.txt': 'x\n' }, { from: 'main' });
    await expect(kept.keep(run, { commit })).rejects.toMatchObject({ code: 'git-failed' });
    await kept.drop(run);
  });
});
