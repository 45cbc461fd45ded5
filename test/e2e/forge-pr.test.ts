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

  it('counts builds and reported checks as checks of the pull request', async () => {
    const sha = commitOn('topic', 'a.txt', 'a\n');
    await pr('create', '--title', 'Topic');
    const forge = (...args: string[]): Promise<Result> => playground.run(['forge', ...args]);
    const states = async () =>
      (await prJson<{ checks: { name: string; state: string }[] }>('view')).checks.map(({ name, state }) => [
        name,
        state,
      ]);
    expect((await forge('run', 'report', 'ci', '--conclusion', 'failure')).code).toBe(0);
    expect((await forge('check', 'report', 'lint', '--state', 'pending', '-d', 'Running')).code).toBe(0);
    expect(await states()).toEqual([
      ['ci', 'failure'],
      ['lint', 'pending'],
    ]);
    expect((await pr('checks')).code).toBe(1);
    expect((await forge('run', 'report', 'ci', '--conclusion', 'success')).code).toBe(0);
    const told = await forge(
      'check',
      'report',
      'lint',
      '--state',
      'success',
      '--url',
      'https://ci.example/1',
    );
    expect(told.stdout).toBe(`Reported lint at ${sha.slice(0, 12)} (topic): success.\n`);
    expect(await states()).toEqual([
      ['ci', 'success'],
      ['lint', 'success'],
    ]);
    expect((await pr('checks')).code).toBe(0);
    for (const [args, code] of [
      [['check', 'report', 'lint'], 2],
      [['check', 'report', 'lint', '--state', 'fine'], 2],
      [['check', 'report', 'lint', '--state', 'success', '--branch', 'no-such'], 1],
      [['check', 'report', 'lint', '--state', 'success', '--url', 'javascript:alert(1)'], 1],
    ] as const)
      expect((await forge(...args)).code, args.join(' ')).toBe(code);
    const stranger = await playground.run(['forge', 'check', 'report', 'lint', '--state', 'success'], {
      env: { GATEWRIGHT_ACTOR: 'mallory' },
    });
    expect([stranger.code, stranger.stderr]).toEqual([4, expect.stringContaining('(forge-forbidden)')]);
  });

  it('merges with a merge commit, and commit by commit', async () => {
    playground.git('branch', 'side');
    commitOn('kept', 'kept.txt', 'kept\n');
    await pr('create', '--title', 'Kept');
    commitOn('main', 'm.txt', 'm\n');
    expect((await pr('merge', 'kept', '--merge')).code).toBe(0);
    expect(playground.git('log', '-1', '--format=%s|%P').split(' ')).toHaveLength(3);
    expect(playground.git('log', '-1', '--format=%s')).toBe('Kept (#1)');
    playground.git('checkout', '--quiet', 'side');
    commitOn('rebased', 'one.txt', 'one\n');
    playground.git('merge', '--quiet', '--no-edit', 'main');
    commitOn('rebased', 'two.txt', 'two\n');
    await pr('create', '--title', 'Rebased');
    playground.git('checkout', '--quiet', 'main');
    commitOn('main', 'n.txt', 'n\n');
    const before = playground.git('rev-parse', 'main');
    expect((await pr('merge', 'rebased', '--rebase')).code).toBe(0);
    expect(playground.git('log', '--format=%s', `${before}..main`)).toBe('Change two.txt\nChange one.txt');
    expect(playground.git('rev-list', '--merges', '--count', `${before}..main`)).toBe('0');
    expect(playground.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
      expect.arrayContaining(['kept.txt', 'm.txt', 'n.txt', 'one.txt', 'two.txt']),
    );
    expect(playground.git('status', '--porcelain')).toBe('');
    commitOn('conflict', 'n.txt', 'other\n');
    playground.git('checkout', '--quiet', 'main');
    commitOn('main', 'n.txt', 'mine\n');
    await pr('create', '--title', 'Conflict', '--head', 'conflict');
    const refused = await pr('merge', 'conflict', '--rebase');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('(merge-conflict)')]);
    expect(playground.git('show', 'main:n.txt')).toBe('mine');
  });

  it('shows comments on a commit, hides its own marks, and lists no more than was asked for', async () => {
    const sha = commitOn('topic', 'a.txt', 'a\n');
    const { forge, close } = openRecords(playground);
    const mark = `<!-- gatewright:effect ${'a'.repeat(24)}.${'b'.repeat(40)} -->`;
    await playground.run(['forge', 'issue', 'create', '--title', 'One', '--body', `Body\n\n${mark}`]);
    await playground.run(['forge', 'issue', 'comment', '1', '--body', `Said ${mark}\n<!-- a note -->`]);
    const view = await playground.run(['forge', 'issue', 'view', '1']);
    expect(view.stdout).not.toContain('gatewright:effect');
    for (const part of ['Body\n', 'Said ', '<!-- a note -->']) expect(view.stdout).toContain(part);
    await forge.createCommitComment('local/project', sha, `The build failed.\n${mark}`);
    close();
    for (const name of [[], ['topic'], [sha], [sha.slice(0, 12)]]) {
      const shown = await playground.run(['forge', 'commit', 'comments', ...name]);
      expect(shown.stdout, name.join('')).toMatch(
        /^[0-9a-f]{12} Change a\.txt\n\n— .*\nThe build failed\.\n$/u,
      );
    }
    expect((await playground.run(['forge', 'commit', 'comments', 'main'])).stderr).toContain(
      'No comments on',
    );
    expect((await playground.run(['forge', 'commit', 'comments', 'f'.repeat(40)])).code).toBe(1);
    await pr('create', '--title', 'Two', '--body', `Text ${mark}`);
    expect((await pr('view')).stdout).not.toContain('gatewright:effect');
    for (const title of ['Three', 'Four']) await playground.run(['forge', 'issue', 'create', '-t', title]);
    const titles = async (...args: string[]) =>
      (await playground.json<{ title: string }[]>(['forge', 'issue', 'list', ...args])).map(
        ({ title }) => title,
      );
    expect(await titles()).toEqual(['Four', 'Three', 'One']);
    expect(await titles('--limit', '1')).toEqual(['Four']);
    expect(await prJson<PullRequest[]>('list', '-L', '1')).toHaveLength(1);
    expect((await playground.run(['forge', 'issue', 'list', '--limit', '0'])).code).toBe(2);
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
      [pr('merge', '--squash', '--rebase'), 2, 'usage'],
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
    for (const part of ['(checkout-in-the-way)', 'uncommitted', 'README.md', 'Commit or stash'])
      expect(refused.stderr).toContain(part);
    expect(playground.read('README.md')).toBe('# Mine\n');
    playground.git('checkout', '--quiet', '--', 'README.md');
    playground.git('checkout', '--quiet', 'topic');
    // Its own branch is checked out: merged is merged, and the branch stays.
    const merged = await pr('merge', 'topic', '--squash', '--delete-branch');
    expect([merged.code, merged.stdout]).toEqual([0, expect.stringMatching(/^Merged #1 into main as/u)]);
    expect(merged.stderr).toContain('The branch topic stays');
    expect(merged.stderr).toContain('git switch main && git branch -D topic');
    expect(playground.git('show', 'main:README.md')).toBe('# Better');
    expect(playground.git('branch', '--list', 'topic')).not.toBe('');
    // Asked again from elsewhere, it only deletes the branch.
    playground.git('checkout', '--quiet', 'main');
    const again = await pr('merge', '1', '--squash', '--delete-branch');
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^#1 was merged before as/u)]);
    expect(playground.git('branch', '--list', 'topic')).toBe('');
    expect(playground.git('rev-list', '--count', 'main')).toBe('2');
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
