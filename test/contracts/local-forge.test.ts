/** The local forge passes the forge contract; and what is particular to it: who registers, and many processes at once. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { migrations } from '../../src/adapters/sqlite/migrations.ts';
import { GitStore } from '../support/git-store.ts';
import { expectCode } from './expect-code.ts';
import { describeForge } from './forge.contract.ts';
import { gitEnvironment, makeLocalWorld } from './local-world.ts';
import { runChildren } from './run-children.ts';
import { makeStillClock } from './still-clock.ts';

describeForge('LocalForge', () => makeLocalWorld());

describe('LocalForge', () => {
  let folder: string;
  let file: string;
  let database: SqliteDatabase;
  const forgeAs = (actor: string): LocalForge =>
    new LocalForge(database, makeStillClock(), actor, gitEnvironment);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gw-forge-'));
    file = join(folder, 'gatewright.db');
    database = openDatabase(file);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives a folder its repository once and makes whoever came first its administrator', async () => {
    expect(await forgeAs('alice').registerRepository('/one/project', 'local/project')).toBe('local/project');
    expect(await forgeAs('bob').registerRepository('/one/project', 'local/project')).toBe('local/project');
    expect(await forgeAs('bob').registerRepository('/two/project', 'local/project')).toBe('local/project-2');
    expect(await forgeAs('bob').listPermissions('local/project')).toEqual([
      { actor: 'alice', permission: 'admin' },
    ]);
    expect(await forgeAs('bob').listPermissions('local/project-2')).toEqual([
      { actor: 'bob', permission: 'admin' },
    ]);
  });

  it('lets only administrators change permissions', async () => {
    const repository = await forgeAs('alice').registerRepository('/one', 'local/one');
    await expectCode(forgeAs('bob').setPermission(repository, 'bob', 'admin'), 'forge-forbidden');
    await forgeAs('alice').setPermission(repository, 'bob', 'maintain');
    await expectCode(forgeAs('bob').setPermission(repository, 'bob', 'admin'), 'forge-forbidden');
    expect(await forgeAs('bob').permissionOf(repository, 'bob')).toBe('maintain');
    await forgeAs('alice').setPermission(repository, 'bob', 'none');
    expect(await forgeAs('bob').permissionOf(repository, 'bob')).toBe('none');
  });

  it('does nothing for somebody without a login', async () => {
    const repository = await forgeAs('alice').registerRepository('/one', 'local/one');
    await expectCode(forgeAs('').whoAmI(), 'forge-not-authenticated');
    await expectCode(
      forgeAs('').createIssue(repository, { title: 'T', body: '', labels: [] }),
      'forge-not-authenticated',
    );
    expect(await forgeAs('').listIssues(repository)).toEqual([]);
  });

  it('keeps the issues of two repositories apart', async () => {
    const forge = forgeAs('alice');
    const [one, two] = [
      await forge.registerRepository('/1', 'local/a'),
      await forge.registerRepository('/2', 'local/b'),
    ];
    await forge.createIssue(one, { title: 'One', body: '', labels: ['x'] });
    expect(await forge.createIssue(two, { title: 'Two', body: '', labels: [] })).toMatchObject({ number: 1 });
    expect((await forge.listIssues(one)).map((issue) => issue.title)).toEqual(['One']);
    expect(await forge.listLabels(two)).toEqual([]);
    expect((await forge.getIssue(two, 1)).labels).toEqual([]);
  });

  it('gives a repository that was first used without a login to the first who has one', async () => {
    const repository = await forgeAs('').registerRepository('/folder', 'local/project');
    await forgeAs('alice').registerRepository('/folder', 'local/project');
    await forgeAs('bob').registerRepository('/folder', 'local/project');
    expect(await forgeAs('alice').listPermissions(repository)).toEqual([
      { actor: 'alice', permission: 'admin' },
    ]);
  });

  it('recognises a folder that was moved, and takes no copy of it for the same', async () => {
    const [first, second, copy] = ['first', 'second', 'copy'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    GitStore.make(first);
    const forge = forgeAs('alice');
    const name = await forge.registerRepository(first, 'local/first');
    await forge.createIssue(name, { title: 'Kept', body: '', labels: [] });
    cpSync(first, copy, { recursive: true });
    expect(await forge.registerRepository(copy, 'local/copy')).toBe('local/copy');
    renameSync(first, second);
    expect(await forge.registerRepository(second, 'local/second')).toBe('local/first');
    expect(await forge.listBranches('local/first')).toMatchObject([{ name: 'main' }]);
    expect(await forge.listIssues('local/first')).toMatchObject([{ title: 'Kept' }]);
    // The copy keeps what it is, and so does what it was copied from.
    expect(await forge.registerRepository(copy, 'local/other')).toBe('local/copy');
    // As a folder that is moved to another disk: its files are copied, and then they are gone where they were.
    cpSync(second, first, { recursive: true });
    rmSync(second, { recursive: true });
    expect(await forge.registerRepository(first, 'local/third')).toBe('local/first');
    expect(await forge.listIssues('local/first')).toMatchObject([{ title: 'Kept' }]);
  });

  it('takes a linked work tree for the repository that it belongs to', async () => {
    const git = GitStore.make(join(folder, 'main'));
    const forge = forgeAs('alice');
    const linked = join(folder, 'linked');
    git.run('worktree', 'add', '--quiet', '-b', 'side', linked);
    // Whichever of them is used first.
    expect(await forge.registerRepository(linked, 'local/linked')).toBe('local/linked');
    expect(await forge.registerRepository(git.folder, 'local/main')).toBe('local/linked');
    await forge.createIssue('local/linked', { title: 'Kept', body: '', labels: [] });
    git.run('worktree', 'remove', '--force', linked);
    expect(await forge.registerRepository(git.folder, 'local/main')).toBe('local/linked');
    expect(await forge.listBranches('local/linked')).toHaveLength(2);
    // Another database knows it under a name of its own.
    const second = openDatabase(join(folder, 'other.db'));
    const other = new LocalForge(second, makeStillClock(), 'alice', gitEnvironment);
    expect(await other.registerRepository(git.folder, 'local/main')).toBe('local/main');
    second.close();
    expect(await forge.registerRepository(git.folder, 'local/main')).toBe('local/linked');
  });

  it('goes on with folders that earlier versions knew, and trusts no name that it did not write', async () => {
    const git = GitStore.make(join(folder, 'main'));
    const forge = forgeAs('alice');
    const name = join(git.folder, '.git', 'gatewright-forge');
    expect(await forge.registerRepository(git.folder, 'local/main')).toBe('local/main');
    // As a version before left it: known by its place on the disk, without a name in its git folder.
    const { ino, birthtimeNs } = statSync(join(git.folder, '.git'), { bigint: true });
    rmSync(name);
    const old = new Database(file);
    old.prepare('UPDATE forge_repositories SET identity = ?').run(`${ino}-${birthtimeNs}`);
    old.close();
    const moved = join(folder, 'moved');
    renameSync(git.folder, moved);
    expect(await forge.registerRepository(moved, 'local/other')).toBe('local/main');
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'a'.repeat(32));
    const link = join(moved, '.git', 'gatewright-forge');
    for (const put of [
      () => symlinkSync(secret, link),
      () => writeFileSync(link, 'x'.repeat(100_000)),
      () => writeFileSync(link, '../../etc'),
      () => mkdirSync(link),
    ]) {
      rmSync(link, { recursive: true, force: true });
      put();
      expect(await forge.registerRepository(moved, 'local/other')).toBe('local/main');
    }
    expect(readFileSync(secret, 'utf8')).toBe('a'.repeat(32));
  });

  it('goes on with issues that were made before it knew pull requests', async () => {
    const old = join(folder, 'old.db');
    const before = new Database(old);
    for (const step of migrations.slice(0, 2)) before.exec(step);
    before.exec(`
      INSERT INTO forge_repositories VALUES ('local/old', '/old', 3, '2024-01-01T00:00:00.000Z');
      INSERT INTO forge_permissions VALUES ('local/old', 'alice', 'admin');
      INSERT INTO forge_labels VALUES ('local/old', 'Bug', 'd73a4a', '');
      INSERT INTO forge_issues VALUES ('local/old', 1, 'One', 'B', 'closed', 'alice',
        '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z');
      INSERT INTO forge_issues VALUES ('local/old', 2, 'Two', 'B', 'open', 'bob',
        '2024-01-03T00:00:00.000Z', '2024-01-03T00:00:00.000Z');
      INSERT INTO forge_issue_labels VALUES ('local/old', 2, 'Bug', 1);
      INSERT INTO forge_comments (repository, number, author, body, created_at)
        VALUES ('local/old', 2, 'bob', 'Words', '2024-01-04T00:00:00.000Z');
      PRAGMA application_id = ${0x47415445};
      PRAGMA user_version = 2;`);
    before.close();
    const opened = openDatabase(old);
    const forge = new LocalForge(opened, makeStillClock(), 'alice', gitEnvironment);
    expect(await forge.registerRepository('/old', 'local/other')).toBe('local/old');
    expect(await forge.listIssues('local/old', { state: 'all' })).toMatchObject([
      { number: 2, labels: ['Bug'], assignees: [], closedAt: null, association: 'none' },
      { number: 1, closedAt: '2024-01-02T00:00:00.000Z', association: 'owner' },
    ]);
    expect(await forge.listComments('local/old', 2)).toMatchObject([
      { body: 'Words', updatedAt: '2024-01-04T00:00:00.000Z' },
    ]);
    expect(await forge.listLabelEvents('local/old', 2)).toEqual([]);
    await forge.editIssue('local/old', 2, { removeLabels: ['bug'], state: 'closed' });
    expect(await forge.listLabelEvents('local/old', 2)).toMatchObject([{ label: 'Bug', change: 'removed' }]);
    expect(await forge.createIssue('local/old', { title: 'T', body: '', labels: [] })).toMatchObject({
      number: 3,
    });
    opened.close();
  });

  it('keeps reports of machines only from those who write, and only the ends of what failed', async () => {
    const git = GitStore.make(join(folder, 'project'));
    const repository = await forgeAs('alice').registerRepository(git.folder, 'local/project');
    const run = {
      name: 'CI',
      headSha: git.resolve('main') ?? '',
      branch: 'main',
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      jobs: [
        {
          name: 'all',
          steps: Array.from({ length: 120 }, (_, index) => ({
            name: `step ${index}`,
            conclusion: 'failure' as const,
            log: 'x'.repeat(70_000),
          })),
        },
      ],
    } as const;
    const check = { name: 'ci', state: 'success' } as const;
    await expectCode(forgeAs('bob').recordWorkflowRun(repository, run), 'forge-forbidden');
    await expectCode(forgeAs('bob').recordCheckRun(repository, run.headSha, check), 'forge-forbidden');
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://a b'])
      await expectCode(
        forgeAs('alice').recordCheckRun(repository, run.headSha, { ...check, url }),
        'forge-rejected',
      );
    const id = await forgeAs('alice').recordWorkflowRun(repository, run);
    const logs = await forgeAs('bob').readFailedLogs(repository, id);
    expect(logs).toHaveLength(100);
    expect(logs.every(({ log }) => log.length === 65_536)).toBe(true);
  });

  it('loses no issue and no number when eight processes file 25 each', async () => {
    const forge = forgeAs('owner');
    const repository = await forge.registerRepository('/folder', 'local/project');
    const writers = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
    for (const writer of writers) await forge.setPermission(repository, writer, 'write');
    const filed = await runChildren<number[]>(
      new URL('./create-issues-child.ts', import.meta.url),
      writers.map((writer) => [file, repository, writer, '25']),
    );
    const expected = Array.from({ length: 200 }, (_, index) => index + 1);
    expect(filed.flat().sort((a, b) => a - b)).toEqual(expected);
    const issues = await forge.listIssues(repository, { state: 'all' });
    expect(issues.map((issue) => issue.number)).toEqual(expected.toReversed());
    // Each number belongs to the process that was told so.
    for (const [index, writer] of writers.entries()) {
      const own = issues.filter((issue) => issue.author === writer).toReversed();
      expect(own.map((issue) => issue.number)).toEqual(filed[index]);
      expect(own.map((issue) => issue.title)).toEqual(own.map((_, position) => `${writer} ${position + 1}`));
    }
    expect(issues.every((issue) => issue.labels[0] === 'load')).toBe(true);
  });
});
