/** Until when credentials are out of quota, across connections; gone when the time has come. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteCredentialLimits } from '../../src/adapters/sqlite/sqlite-credential-limits.ts';
import { SqliteWorld } from './sqlite-world.ts';

let world: SqliteWorld;
beforeEach(() => {
  world = new SqliteWorld();
});
afterEach(() => world.remove());

const inMinutes = (minutes: number) => new Date(world.clock.now().getTime() + minutes * 60_000);

describe('SqliteCredentialLimits', () => {
  it('another process finds what one has kept, for that model only', async () => {
    const limits = new SqliteCredentialLimits(world.database, world.clock);
    await limits.keep('google:a', 'work', inMinutes(5));
    await limits.keep('google:a', 'home', inMinutes(9));
    const database = openDatabase(world.file);
    const other = new SqliteCredentialLimits(database, world.clock);
    expect([...(await other.read('google:a'))].sort()).toEqual([
      ['home', inMinutes(9)],
      ['work', inMinutes(5)],
    ]);
    expect((await other.read('google:b')).size).toBe(0);
    database.close();
  });

  it('the newest word counts, also when it is an earlier time', async () => {
    const limits = new SqliteCredentialLimits(world.database, world.clock);
    await limits.keep('google:a', 'work', inMinutes(60));
    await limits.keep('google:a', 'work', inMinutes(5));
    expect((await limits.read('google:a')).get('work')).toEqual(inMinutes(5));
  });

  it('what is over is neither told nor kept', async () => {
    const limits = new SqliteCredentialLimits(world.database, world.clock);
    await limits.keep('google:a', 'work', inMinutes(5));
    world.clock.advance(5 * 60_000);
    expect((await limits.read('google:a')).size).toBe(0);
    await limits.keep('google:b', 'home', inMinutes(5));
    expect(world.raw.prepare('SELECT model FROM credential_limits').pluck().all()).toEqual(['google:b']);
  });
});
