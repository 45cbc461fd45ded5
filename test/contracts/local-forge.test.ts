/** The local forge passes the forge contract; and what is particular to it: who registers, and many processes at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
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
