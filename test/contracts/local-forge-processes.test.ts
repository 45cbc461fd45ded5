/** The local forge with real processes: several that merge at the same time, and ones that are killed while they do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JointMerge } from '../../src/ports/forge/forge.ts';
import { fewOf } from '../support/property-runs.ts';
import { expectCode } from './expect-code.ts';
import { gitEnvironment, type LocalWorld, makeLocalWorld } from './local-world.ts';
import { openPullRequest } from './open-pull-request.ts';
import { runChildren } from './run-children.ts';

const child = new URL('./merge-pull-child.ts', import.meta.url);

describe('LocalForge and many processes', () => {
  let world: LocalWorld;

  beforeEach(async () => {
    world = await makeLocalWorld({ isOnDisk: true });
  });
  afterEach(() => world.close());

  const open = (name: string) =>
    openPullRequest(world, { branch: name, files: { [`${name}.txt`]: `${name}\n` } });
  const argumentsFor = (pull: { number: number; head: { sha: string } }): string[] => [
    world.file,
    world.repository,
    world.actors.write,
    String(pull.number),
    pull.head.sha,
  ];
  const subjects = (): string[] => world.git.run('log', '--format=%s', 'main').split('\n');

  it.each([
    ['nothing is checked out', () => undefined],
    ['a person has the base checked out', () => world.git.run('checkout', '--quiet', 'main')],
  ])('lands every one of six changes when %s', async (_, prepare) => {
    prepare();
    const pulls = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) pulls.push(await open(name));
    const commits = await runChildren<string>(child, pulls.map(argumentsFor));
    for (const commit of commits) expect(commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(subjects().toSorted()).toEqual(
      ['Start', ...pulls.map(({ number }) => `Merge ${number}`)].toSorted(),
    );
    expect(world.git.run('rev-list', 'main').split('\n').toSorted()).toEqual(
      [...commits, world.git.run('rev-list', '--max-parents=0', 'main')].toSorted(),
    );
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      expect(world.git.readFile('main', `${name}.txt`)).toBe(`${name}\n`);
    expect(world.git.run('status', '--porcelain')).toBe('');
    const merged = await world.forge.listPullRequests(world.repository, { state: 'closed' });
    expect(merged.map((pull) => pull.mergeCommit).toSorted()).toEqual(commits.toSorted());
  });

  it('merges one pull request once, whoever else wants to', async () => {
    const pull = await open('a');
    const results = await runChildren<string>(
      child,
      Array.from({ length: 5 }, () => argumentsFor(pull)),
    );
    const commits = results.filter((result) => /^[0-9a-f]{40}$/u.test(result));
    expect(commits).toHaveLength(1);
    expect(results.filter((result) => result === 'merge-refused')).toHaveLength(4);
    expect(subjects()).toEqual([`Merge ${pull.number}`, 'Start']);
    expect(await world.forge.getPullRequest(world.repository, pull.number)).toMatchObject({
      state: 'merged',
      mergeCommit: commits[0],
    });
  });

  /** A git that does something of its own around the first command that fits a pattern of the shell's. */
  function makeGit(pattern: string, before: string, after: string): string {
    const folder = join(dirname(world.git.folder), 'bin');
    const real = `PATH='${gitEnvironment.PATH}' git`;
    mkdirSync(folder, { recursive: true });
    const script = `#!/bin/sh
case "$*" in
  *${pattern}*)
    if mkdir '${folder}/done' 2>/dev/null; then
      ${before || ':'}
      ${real} "$@"; code=$?
      ${after || ':'}
      exit $code
    fi ;;
esac
exec env ${real} "$@"
`;
    writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
    return [folder, gitEnvironment.PATH].join(delimiter);
  }

  async function mergeWith(
    path: string,
    args: readonly string[],
  ): Promise<{ signal: unknown; output: string }> {
    const running = spawn(process.execPath, [fileURLToPath(child), ...args], {
      env: { ...gitEnvironment, PATH: path },
    });
    let output = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = once(running, 'close');
    await once(running.stdout, 'data');
    running.stdin.on('error', () => undefined).end('0');
    const [, signal] = await ended;
    return { signal, output: output.split('\n').at(-1) ?? '' };
  }

  const kill = 'kill -9 $PPID; exit 1';
  const basePattern = 'update-ref*"refs/heads/main "';

  const cuts: [string, string, string, string, boolean][] = [
    ['before the commit is made', 'commit-tree', kill, '', false],
    ['after the commit is made', 'commit-tree', '', kill, false],
    ['before the files are moved', '"read-tree -m -u"', kill, '', false],
    ['after the files are moved', '"read-tree -m -u"', '', kill, false],
    ['before the base is moved', basePattern, kill, '', false],
    ['after the base is moved', basePattern, '', kill, true],
  ];
  it.each(fewOf(cuts, 2, 1))(
    'finds a merge again that was killed %s',
    async (_, pattern, before, after, isLanded) => {
      world.git.run('checkout', '--quiet', 'main');
      const { forge, repository } = world;
      const issue = await forge.createIssue(repository, { title: 'T', body: '', labels: [] });
      const pull = await openPullRequest(world, { body: `Closes #${issue.number}` });
      const path = makeGit(pattern, before, after);
      expect((await mergeWith(path, argumentsFor(pull))).signal).toBe('SIGKILL');
      const found = await forge.getPullRequest(repository, pull.number);
      expect(found.state).toBe(isLanded ? 'merged' : 'open');
      const again = { head: pull.head.sha, title: `Merge ${pull.number}`, body: '' };
      if (isLanded) await expectCode(forge.mergePullRequest(repository, pull.number, again), 'merge-refused');
      else await forge.mergePullRequest(repository, pull.number, again);
      expect(subjects()).toEqual([`Merge ${pull.number}`, 'Start']);
      const merged = await forge.getPullRequest(repository, pull.number);
      expect(merged).toMatchObject({ state: 'merged', mergeCommit: world.git.resolve('main') });
      expect((await forge.getIssue(repository, issue.number)).state).toBe('closed');
      expect(world.git.run('status', '--porcelain')).toBe('');
      expect(world.git.readFile('HEAD', 'change.txt')).toBe('one\ntwo\nthree\n');
    },
  );

  it.each([
    ['before the base is moved', kill, '', 'open'],
    ['after the base is moved', '', kill, 'merged'],
  ] as const)('finds all or none of several again that were killed %s', async (_, before, after, state) => {
    world.git.run('checkout', '--quiet', 'main');
    const { forge, repository } = world;
    const base = world.git.resolve('main') ?? '';
    const pulls: JointMerge['pulls'][number][] = [];
    let parent = base;
    for (const name of ['a', 'b', 'c']) {
      const { number, head } = await open(name);
      const tree = world.git.run('merge-tree', '--write-tree', parent, head.sha);
      parent = world.git.run('commit-tree', tree, '-p', parent, '-m', 'x');
      pulls.push({ number, head: head.sha, title: `Merge ${number}`, body: '', tree });
    }
    const merge = { base, pulls };
    const path = makeGit(basePattern, before, after);
    const args = [world.file, repository, world.actors.write, JSON.stringify(merge)];
    expect((await mergeWith(path, args)).signal).toBe('SIGKILL');
    const statesOf = async () =>
      Promise.all(pulls.map(async ({ number }) => (await forge.getPullRequest(repository, number)).state));
    expect(await statesOf()).toEqual(pulls.map(() => state));
    if (state === 'merged') await expectCode(forge.mergeTogether(repository, merge), 'merge-refused');
    else await forge.mergeTogether(repository, merge);
    expect(await statesOf()).toEqual(pulls.map(() => 'merged'));
    expect(subjects()).toEqual([...pulls.map(({ title }) => title).toReversed(), 'Start']);
    expect(world.git.run('rev-parse', 'main^{tree}')).toBe(pulls.at(-1)?.tree);
    expect(world.git.run('status', '--porcelain')).toBe('');
  });

  it('merges onto what somebody else put on the base in the last moment', async () => {
    const pull = await open('mine');
    const theirs = world.git.commit('theirs', { 'theirs.txt': 'theirs\n' });
    const path = makeGit(
      basePattern,
      `PATH='${gitEnvironment.PATH}' git -C '${world.git.folder}' update-ref refs/heads/main ${theirs}`,
      '',
    );
    const { output } = await mergeWith(path, argumentsFor(pull));
    expect(JSON.parse(output)).toBe(world.git.resolve('main'));
    expect(world.git.run('log', '-1', '--format=%P', 'main')).toBe(theirs);
    expect(world.git.readFile('main', 'mine.txt')).toBe('mine\n');
    expect(world.git.readFile('main', 'theirs.txt')).toBe('theirs\n');
    expect(await world.forge.getPullRequest(world.repository, pull.number)).toMatchObject({
      state: 'merged',
    });
  });
});
