/** `forge pr …` through the real program, over a real repository: from a branch to merged code, offline. */
import { renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PullRequest, PullRequestDetail } from '../../src/ports/forge/forge.ts';
import { openRecords } from '../support/open-records.ts';
import { Playground, type Result } from '../support/playground.ts';

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
});

afterEach(() => playground.remove());

const pr = (...args: string[]): Promise<Result> => playground.run(['forge', 'pr', ...args]);
const prAs = (actor: string, ...args: string[]): Promise<Result> =>
  playground.run(['forge', 'pr', ...args], { env: { GATEWRIGHT_ACTOR: actor } });
const prJson = <T>(...args: string[]): Promise<T> => playground.json<T>(['forge', 'pr', ...args]);

/** Commits a file on a branch, which stays checked out. */
function commitOn(branch: string, path: string, content: string): string {
  const isNew = playground.git('branch', '--list', branch) === '';
  playground.git('checkout', '--quiet', ...(isNew ? ['-b'] : []), branch);
  playground.write(path, content);
  playground.git('add', path);
  playground.git('commit', '--quiet', '--message', `Change ${path}`);
  return playground.git('rev-parse', 'HEAD');
}

describe('forge pr', () => {
  it('takes a branch to merged code', async () => {
    await playground.run(['forge', 'issue', 'create', '--title', 'No export']);
    const head = commitOn('feature/export', 'export.txt', 'one\ntwo\n');
    const opened = await pr('create', '--title', 'Export', '--body', 'Closes #1', '--label', 'risk: low');
    expect([opened.stdout, opened.code]).toEqual(['local://local/project/pull/2\n', 0]);

    const listed = await pr('list');
    expect(listed.stdout).toMatch(/^#2 +open +Export +feature\/export +risk: low +\d+ s ago\n$/u);
    expect(await prJson<PullRequestDetail>('view', '2')).toMatchObject({
      number: 2,
      head: { branch: 'feature/export', sha: head },
      base: { branch: 'main' },
      mergeable: 'clean',
      diffStat: { files: 1, additions: 2, deletions: 0 },
      labels: ['risk: low'],
      reviews: [],
      checks: [],
    });
    expect((await pr('diff')).stdout).toBe(
      'diff --git a/export.txt b/export.txt\n--- /dev/null\n+++ b/export.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    );
    expect((await pr('diff', '#2', '--stat')).stdout).toBe('+2  -0  added  export.txt\n1 file, +2 -0\n');
    expect((await pr('diff', 'feature/export', '--name-only')).stdout).toBe('export.txt\n');

    const reviewed = await prAs('bob', 'review', '2', '--approve', '--body', 'Good');
    expect(reviewed.stdout).toBe(`Approved #2 at ${head.slice(0, 12)}.\n`);
    await pr('comment', '2', '--body', 'Thank you');
    const view = (await pr('view', '2')).stdout;
    for (const part of [
      'Export #2',
      'open · alice',
      'risk: low',
      'clean',
      'no checks',
      `approved ${head.slice(0, 12)}`,
    ])
      expect(view).toContain(part);
    expect(view).toMatch(/— bob .*\nGood\n\n— alice .*\nThank you\n/u);

    playground.git('checkout', '--quiet', 'main');
    const merged = await pr('merge', '2', '--squash', '--delete-branch', '--match-head-commit', head);
    const commit = playground.git('rev-parse', 'main');
    expect(merged.stdout).toBe(`Merged #2 into main as ${commit.slice(0, 12)}.\n`);
    expect(playground.git('log', '-1', '--format=%B')).toBe('Export (#2)\n\nCloses #1');
    expect(playground.git('rev-list', '--count', 'main')).toBe('2');
    expect(playground.git('branch', '--list', 'feature/export')).toBe('');
    expect(playground.read('export.txt')).toBe('one\ntwo\n');
    expect(playground.git('status', '--porcelain')).toBe('');
    expect(await playground.json(['forge', 'issue', 'view', '1'])).toMatchObject({ state: 'closed' });
    expect((await pr('list')).stderr).toContain('No pull requests');
    expect((await prJson<PullRequest[]>('list', '--state', 'merged')).map(({ number }) => number)).toEqual([
      2,
    ]);
    expect((await pr('view', '2')).stdout).toContain(`merged as ${commit.slice(0, 12)}`);
  });

  it('is edited, closed, reopened, made ready and brought up to date', async () => {
    playground.git('branch', 'release');
    commitOn('topic', 'a.txt', 'a\n');
    const made = await prJson<PullRequest>('create', '-t', 'Topic', '-d', '-B', 'release', '-H', 'topic');
    expect(made).toMatchObject({ isDraft: true, base: { branch: 'release' } });
    expect((await pr('list')).stdout).toContain('draft');
    await pr('ready');
    await pr('edit', '--title', 'Better', '--base', 'main', '--add-label', 'x,y', '--add-assignee', 'alice');
    expect(await prJson('view')).toMatchObject({ isDraft: false, title: 'Better', base: { branch: 'main' } });
    await pr('ready', '--undo');
    expect(await prJson('view')).toMatchObject({ isDraft: true, labels: ['x', 'y'] });
    expect((await pr('close', '--comment', 'Not now')).code).toBe(0);
    expect((await prJson<PullRequest[]>('list', '-s', 'closed')).map(({ title }) => title)).toEqual([
      'Better',
    ]);
    expect(await prJson<PullRequest[]>('list', '-s', 'merged')).toEqual([]);
    expect((await pr('reopen', '-c', 'After all')).code).toBe(0);
    expect((await pr('view')).stdout).toMatch(/Not now\n[\s\S]*After all/u);
    expect((await pr('update-branch')).stdout).toBe('topic was up to date.\n');
    commitOn('main', 'm.txt', 'm\n');
    const { head } = await prJson<{ head: string }>('update-branch', 'topic');
    expect(playground.git('rev-parse', 'topic')).toBe(head);
    expect(playground.git('show', 'topic:m.txt')).toBe('m');
    await pr('close', 'topic', '--delete-branch');
    expect(playground.git('branch', '--list', 'topic')).toBe('');
    expect((await pr('reopen', '1')).stderr).toContain(`git branch topic ${head}`);
  });

  it('shows what machines say, and ends with 1 unless all is good', async () => {
    const sha = commitOn('topic', 'a.txt', 'a\n');
    await pr('create', '--title', 'Topic');
    const none = await pr('checks');
    expect([none.code, none.stderr]).toEqual([0, `No checks on ${sha.slice(0, 12)}.\n`]);
    const { forge, close } = openRecords(playground);
    await forge.setStatus('local/project', sha, { name: 'lint', state: 'success', description: 'Clean' });
    expect([(await pr('checks')).stdout, (await pr('checks')).code]).toEqual(['success  lint  Clean\n', 0]);
    await forge.recordCheckRun('local/project', sha, {
      name: 'test',
      state: 'failure',
      description: '\u001b[31mBad',
    });
    const bad = await pr('checks', '--json');
    expect(JSON.parse(bad.stdout)).toMatchObject([{ name: 'lint' }, { name: 'test', state: 'failure' }]);
    expect(bad.code).toBe(1);
    const shown = (await pr('checks')).stdout;
    expect(shown).toContain('\\u{1b}[31mBad');
    expect(shown).not.toContain('\u001b');
    expect((await pr('view')).stdout).toContain('checks: 1 ok, 1 failed, 0 pending');
    close();
  });

  it('hears of builds, and one that failed is explained at its pull request', async () => {
    commitOn('topic', 'a.txt', 'a\n');
    await pr('create', '--title', 'Topic');
    const report = (...args: string[]): Promise<Result> =>
      playground.run(['forge', 'run', 'report', 'ci', ...args]);
    playground.write('build.log', 'expected 3 to be 4\n');
    const object = {
      what: 'A test fails.',
      why: 'Three is not four.',
      fix: 'Count again.',
      confidence: 'high',
    };
    playground.write(
      'tape.json',
      JSON.stringify({
        ...{ format: 'gatewright-cassette/1', about: 'test', models: { writer: { name: 'w', title: 'W' } } },
        calls: [
          { role: 'doctor', call: 1, request: { includes: ['expected 3 to be 4'] }, answer: { object } },
        ],
      }),
    );
    for (const [args, code] of [
      [[], 2],
      [['--conclusion', 'broken'], 2],
      [['--conclusion', 'failure', '--log', 'no-such.log'], 2],
      [['--conclusion', 'failure', '--branch', 'no-such'], 1],
    ] as const)
      expect((await report(...args)).code, args.join(' ')).toBe(code);
    const stranger = await playground.run(['forge', 'run', 'report', 'ci', '--conclusion', 'failure'], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect([stranger.code, stranger.stderr]).toEqual([4, expect.stringContaining('(forge-forbidden)')]);
    expect((await playground.run(['forge', 'run', 'list'])).stdout).toBe('');
    const told = await report('--conclusion', 'failure', '--step', 'npm test', '--log', 'build.log');
    expect(told.stdout).toMatch(/^Reported ci at [0-9a-f]{12} \(topic\): failure\.\n$/u);
    expect((await playground.run(['forge', 'run', 'list'])).stdout).toMatch(/failure +ci +topic/u);
    const env = {
      GATEWRIGHT_AGENTS: 'ci-doctor',
      GATEWRIGHT_WRITER: `cassette:${playground.path('tape.json')}`,
    };
    const dispatched = await playground.run(['dispatch'], { env });
    expect(dispatched.code, dispatched.all).toBe(0);
    expect((await pr('view', '1')).stdout).toContain('Three is not four.');
  });

  it('refuses what may not be', async () => {
    const sha = commitOn('topic', 'a.txt', 'a\n');
    await pr('create', '--title', 'Topic');
    const refused: [Promise<Result>, number, string][] = [
      [pr('create', '--title', 'Again'), 1, 'pull-request-exists'],
      [pr('review', '--approve'), 1, 'forge-rejected'],
      [pr('review', '--comment'), 2, 'usage'],
      [pr('review', '--approve', '--comment', '-b', 'x'), 2, 'usage'],
      [pr('merge'), 2, 'usage'],
      [pr('merge', '--squash', '--match-head-commit', 'a'.repeat(40)), 1, 'head-moved'],
      [pr('merge', '--squash', '--match-head-commit', '--output=x'), 2, 'usage'],
      [pr('merge', '--squash', '--match-head-commit=--output=x'), 1, 'forge-rejected'],
      [prAs('bob', 'merge', '--squash'), 4, 'forge-forbidden'],
      [prAs('bob', 'edit', '--title', 'Mine'), 4, 'forge-forbidden'],
      [prAs('bob', 'close'), 4, 'forge-forbidden'],
      [pr('edit'), 2, 'usage'],
      [pr('create', '--title', 'T', '--head=--upload-pack=x'), 1, 'forge-rejected'],
      [pr('create', '--title', 'T', '--head', '../x'), 1, 'forge-rejected'],
      [pr('create', '--title', 'T', '--base', 'a..b'), 1, 'forge-rejected'],
      [pr('create', '--title', 'T', '--repo', 'local/project'), 2, 'usage'],
      [pr('view', '99'), 1, 'forge-not-found'],
      [pr('view', 'no-such-branch'), 1, 'forge-not-found'],
      [pr('view', '--repo', 'local/project'), 2, 'usage'],
    ];
    for (const [attempt, code, name] of refused) {
      const result = await attempt;
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(`(${name})`)]);
      expect(result.stdout).toBe('');
    }
    expect(await prJson('view', '1', '--repo', 'local/project')).toMatchObject({
      state: 'open',
      head: { sha },
    });
    const elsewhere = await playground.run(['forge', 'pr', 'list'], { env: { GATEWRIGHT_FORGE: 'github' } });
    expect(elsewhere.stderr).toContain('(forge-local-only)');
  });

  it('never touches uncommitted work, and says what to do', async () => {
    commitOn('topic', 'README.md', '# Better\n');
    await pr('create', '--title', 'Topic');
    playground.git('checkout', '--quiet', 'main');
    playground.write('README.md', '# Mine\n');
    const refused = await pr('merge', 'topic', '--squash');
    expect(refused.code).toBe(1);
    for (const part of ['(merge-refused)', 'uncommitted', 'Commit or stash'])
      expect(refused.stderr).toContain(part);
    expect(playground.read('README.md')).toBe('# Mine\n');
    playground.git('checkout', '--quiet', '--', 'README.md');
    playground.git('checkout', '--quiet', 'topic');
    // Its own branch is checked out: merged is merged, and the branch stays.
    const merged = await pr('merge', 'topic', '--squash', '--delete-branch');
    expect(merged.code).toBe(1);
    for (const part of ['Merged #1 into main', 'checked out', '(forge-rejected)'])
      expect(merged.stderr).toContain(part);
    expect(playground.git('show', 'main:README.md')).toBe('# Better');
    expect(playground.git('branch', '--list', 'topic')).not.toBe('');
  });

  it('shows hostile text as text', async () => {
    commitOn('topic', 'evil.txt', 'plain\n\u001b]0;owned\u0007\u202Etxt.exe\n');
    const made = await pr('create', '--title', 'Fine', '--body', '\u001b[2J<!-- hidden --> $(touch pwned)');
    expect(made.code).toBe(0);
    await prAs('mallory', 'comment', '1', '--body', '\u001b[1A\u200Bapproved');
    await prAs('mallory', 'review', '1', '--comment', '--body', '\u009b31m');
    const looks = [['view', '1'], ['diff', '1'], ['diff', '1', '--stat'], ['list']];
    for (const args of [...looks, ...looks.map((look) => [...look, '--json'])]) {
      const { stdout, code } = await pr(...args);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[\u001b\u0007\u009b\u200b\u202e]/u);
    }
    expect((await pr('diff', '1')).stdout).toContain('+\\u{1b}]0;owned\\u{7}\\u{202e}txt.exe');
    expect(playground.exists('pwned')).toBe(false);
  });

  it('tells programs from people', async () => {
    commitOn('topic', 'a.txt', 'a\n');
    await playground.run(['forge', 'permission', 'set', 'builder[bot]', 'write']);
    const made = await prAs('builder[bot]', 'create', '--title', 'Topic', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ author: 'builder[bot]', authorKind: 'bot' });
    const odd = await playground.run(['forge', 'permission', 'set', 'builder[bit]', 'write']);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('(usage)')]);
  });

  it('follows a repository that was moved', async () => {
    commitOn('topic', 'a.txt', 'a\n');
    await pr('create', '--title', 'Topic');
    const moved = `${playground.repository}-moved`;
    renameSync(playground.repository, moved);
    const list = await playground.run(['forge', 'pr', 'list'], { cwd: moved });
    expect(list.stdout).toContain('Topic');
    renameSync(moved, playground.repository);
  });
});
