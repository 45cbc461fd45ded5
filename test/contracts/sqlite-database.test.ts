/** A database file that is damaged, foreign or from the future is refused in plain words and left as it is. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { keyFile, openDatabase, openDatabaseToRead } from '../../src/adapters/sqlite/database.ts';
import { inspectDatabase } from '../../src/adapters/sqlite/inspect-database.ts';
import { migrations } from '../../src/adapters/sqlite/migrations.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { type ErrorCode, GatewrightError } from '../../src/errors.ts';
import { nodeBegun } from './ledger.contract.ts';
import { SqliteWorld } from './sqlite-world.ts';

describe('openDatabase', () => {
  let world: SqliteWorld;
  let file: string;

  beforeEach(async () => {
    world = new SqliteWorld();
    ({ file } = world);
    const forge = new LocalForge(world.database, world.clock, 'alice', process.env);
    const repository = await forge.registerRepository('/folder', 'local/project');
    for (let step = 1; step <= 60; step += 1) {
      await world.ledger.append([nodeBegun(step, { key: `${step} ${'x'.repeat(200)}` })]);
      await forge.createIssue(repository, { title: `${step}`, body: 'x'.repeat(500), labels: ['x'] });
    }
    world.disconnect();
  });
  afterEach(() => world.remove());

  // A connection that may only read leaves SQLite's own two side files behind when it was the last; they hold nothing.
  const isEmptySideFile = (name: string): boolean =>
    name.endsWith('-shm') || (name.endsWith('-wal') && statSync(join(world.folder, name)).size === 0);

  const snapshot = (): [name: string, content: string][] =>
    readdirSync(world.folder)
      .filter((name) => !isEmptySideFile(name))
      .sort()
      .map((name) => {
        const path = join(world.folder, name);
        return [
          name,
          statSync(path).isDirectory() ? readdirSync(path).join() : sha256(readFileSync(path, 'hex')),
        ];
      });

  const codeOf = async (open: () => unknown): Promise<ErrorCode | string> => {
    try {
      await open();
      return 'it succeeded';
    } catch (error) {
      return error instanceof GatewrightError ? error.code : String(error);
    }
  };

  /** Refused for work and for looking, with every file as it was. */
  const expectRefused = async (path: string, code: ErrorCode): Promise<void> => {
    const before = snapshot();
    expect(await codeOf(() => openDatabase(path))).toBe(code);
    expect(snapshot()).toEqual(before);
    expect(await codeOf(() => openDatabaseToRead(path))).toBe(code);
    expect(snapshot()).toEqual(before);
  };

  it('opens again what it made, with everything in it', () => {
    const database = openDatabase(file);
    expect(database.prepare('SELECT count(*) FROM ledger').pluck().get()).toBe(60);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    // 2 is FULL: what was acknowledged survives a power cut.
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    database.close();
  });

  it.each([1, 50, 99, 100, 4095, 4096, 0.5, -4096])('refuses a file cut to %d', async (size) => {
    const whole = statSync(file).size;
    truncateSync(file, size < 0 ? whole + size : size < 1 ? Math.floor(whole * size) : size);
    await expectRefused(file, 'database-corrupt');
  });

  it('refuses garbage', async () => {
    writeFileSync(file, Buffer.alloc(20_000, 'not a database '));
    await expectRefused(file, 'database-corrupt');
  });

  it('says so when it meets garbage behind a sound beginning', async () => {
    // The first page of every table and index; the schema, which is read on opening, stays whole.
    const looking = new Database(file, { readonly: true });
    const roots = looking.prepare('SELECT rootpage FROM sqlite_master WHERE rootpage > 0').pluck().all();
    const size = looking.pragma('page_size', { simple: true }) as number;
    looking.close();
    const content = readFileSync(file);
    for (const page of roots as number[]) content.fill(0xa5, (page - 1) * size, page * size);
    writeFileSync(file, content);
    const database = openDatabase(file);
    const ledger = new SqliteLedger(database, world.clock, 'key');
    const forge = new LocalForge(database, world.clock, 'alice', process.env);
    const leases = new SqliteLeases(database, world.clock, 'alice');
    const views = new SqliteRunViews(database);
    const calls: Record<string, () => unknown> = {
      verify: () => ledger.verify(),
      readSubject: () => ledger.readSubject('x'),
      find: () => ledger.find('verdict', 'x'),
      append: () => ledger.append([nodeBegun(1)]),
      getText: () => ledger.getText('x'),
      listRuns: () => views.listRuns(),
      costSince: () => views.costSince(''),
      acquire: () => leases.acquire('x'),
      holderOf: () => leases.holderOf('x'),
      createIssue: () => forge.createIssue('local/project', { title: 'T', body: '', labels: [] }),
      listIssues: () => forge.listIssues('local/project'),
      getIssue: () => forge.getIssue('local/project', 1),
      permissionOf: () => forge.permissionOf('local/project', 'alice'),
    };
    const codes: Record<string, string> = {};
    for (const [name, call] of Object.entries(calls)) codes[name] = await codeOf(call);
    database.close();
    expect(codes).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, 'database-corrupt'])));
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it.each([
    ['tables', 'CREATE TABLE theirs (x)'],
    ['an owner', 'PRAGMA application_id = 7'],
    ['our tables but another owner', `${migrations.join('')}; PRAGMA application_id = 7`],
  ])('refuses the database of another program, with %s', async (_, sql) => {
    const foreign = join(world.folder, 'foreign.db');
    const database = new Database(foreign);
    database.exec(sql);
    database.close();
    await expectRefused(foreign, 'database-corrupt');
  });

  it('refuses a folder', async () => {
    const folder = join(world.folder, 'folder.db');
    mkdirSync(folder);
    await expectRefused(folder, 'cannot-write');
  });

  it('refuses a place below a file', async () => {
    const path = join(world.folder, 'notes.txt', 'gatewright.db');
    writeFileSync(join(world.folder, 'notes.txt'), 'x');
    await expectRefused(path, 'cannot-write');
  });

  it.each([
    ['a device', '/dev/null'],
    ['a name that is too long', `/tmp/${'a'.repeat(300)}.db`],
  ])('refuses %s', async (_, path) => {
    await expectRefused(path, 'cannot-write');
    expect(() => inspectDatabase(path)).toThrow(expect.objectContaining({ code: 'cannot-write' }));
  });

  it('refuses a link that leads to itself', async () => {
    mkdirSync(join(world.folder, 'links'));
    const path = join(world.folder, 'links', 'loop.db');
    symlinkSync('loop.db', path);
    await expectRefused(path, 'cannot-write');
  });

  it.skipIf(process.getuid?.() === 0)('refuses a folder that nobody may write', async () => {
    const folder = join(world.folder, 'closed');
    mkdirSync(folder, { mode: 0o500 });
    await expectRefused(join(folder, 'gatewright.db'), 'cannot-write');
  });

  it('refuses to begin anew in an empty file when the key tells that there was a database', async () => {
    expect(readdirSync(world.folder)).toContain('gatewright.db.key');
    truncateSync(file, 0);
    await expectRefused(file, 'database-corrupt');
  });

  it('begins in an empty file when there was none', () => {
    const fresh = join(world.folder, 'fresh.db');
    writeFileSync(fresh, '');
    expect(openDatabaseToRead(fresh)).toBeNull();
    expect(statSync(fresh).size).toBe(0);
    const database = openDatabase(fresh);
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.length);
    database.close();
    expect(openDatabaseToRead(join(world.folder, 'missing.db'))).toBeNull();
    expect(readdirSync(world.folder)).not.toContain('missing.db');
  });

  it.each(['wal', 'delete'])('refuses a database of a newer version, in journal mode %s', async (mode) => {
    const database = new Database(file);
    database.pragma(`journal_mode = ${mode}`);
    database.pragma(`user_version = ${migrations.length + 1}`);
    database.close();
    await expectRefused(file, 'database-newer');
  });

  it('brings a database of an older version up to date and keeps what is in it', () => {
    const older = join(world.folder, 'older.db');
    const database = new Database(older);
    database.exec(migrations[0] ?? '');
    database.exec("INSERT INTO texts VALUES ('h', 'kept')");
    database.pragma(`application_id = ${0x47415445}`);
    database.pragma('user_version = 1');
    database.close();
    const opened = openDatabaseToRead(older);
    expect(opened?.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(opened?.prepare('SELECT text FROM texts').pluck().all()).toEqual(['kept']);
    expect(opened?.prepare('SELECT count(*) FROM forge_issues').pluck().get()).toBe(0);
    opened?.close();
  });

  it('keeps the key where only its owner can read it', () => {
    expect(statSync(keyFile(file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(keyFile(file), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/u);
  });
});
