/** Looks at the database file without changing it, be it from an older version, locked or damaged. */
import type { DatabaseFacts, LocalForgeFacts } from '../../ports/checkup.ts';
import type { Permission } from '../../ports/forge/forge.ts';
import { explainDatabaseError, findDatabase, keyFile, type SqliteDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { openForReading } from './open-for-reading.ts';

function withDatabase<T>(file: string, work: (database: SqliteDatabase) => T): T {
  let database: SqliteDatabase | undefined;
  try {
    database = openForReading(file, 2_000);
    return work(database);
  } catch (error) {
    return explainDatabaseError(error, file);
  } finally {
    database?.close();
  }
}

export function inspectDatabase(file: string): DatabaseFacts {
  const facts = { file, keyFile: keyFile(file), knownSchema: migrations.length };
  if (!findDatabase(file)) return { ...facts, schema: null, damage: null };
  return withDatabase(file, (database) => {
    const schema = database.pragma('user_version', { simple: true }) as number;
    const said = String(database.pragma('quick_check(1)', { simple: true }));
    return { ...facts, schema, damage: said === 'ok' ? null : said };
  });
}

/** What the local forge knows about a folder and a person; nothing when neither was there before. */
export function inspectLocalForge(file: string, folder: string, actor: string): LocalForgeFacts {
  if (!findDatabase(file)) return { repository: null, permission: 'none' };
  return withDatabase(file, (database) => {
    const hasForge = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'forge_permissions'").get();
    if (hasForge === undefined) return { repository: null, permission: 'none' };
    const repository = database
      .prepare('SELECT name FROM forge_repositories WHERE folder = ?')
      .pluck()
      .get(folder) as string | undefined;
    const permission = database
      .prepare('SELECT permission FROM forge_permissions WHERE repository = ? AND actor = ?')
      .pluck()
      .get(repository ?? '', actor) as Permission | undefined;
    return { repository: repository ?? null, permission: permission ?? 'none' };
  });
}
