/** A look into a playground's database with the program's own adapters, without starting the program. */
import { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { readSigningKey } from '../../src/adapters/sqlite/signing-key.ts';
import { SqliteLedger } from '../../src/adapters/sqlite/sqlite-ledger.ts';
import { SqliteRunViews } from '../../src/adapters/sqlite/sqlite-run-views.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Playground } from './playground.ts';

/** What the newest run told a model in that role, in order. */
export async function readPrompts(playground: Playground, role: string): Promise<string[]> {
  const { ledger, views, close } = openRecords(playground);
  const entries = await ledger.readRun((await views.listRuns())[0]?.id ?? '');
  const sent = entries.filter((entry) => entry.kind === 'prompt-sent');
  const texts = await Promise.all(
    sent.filter((entry) => entry.data.role === role).map((entry) => ledger.getText(entry.data.prompt)),
  );
  close();
  return texts;
}

export function openRecords(playground: Pick<Playground, 'database'>): {
  forge: LocalForge;
  ledger: SqliteLedger;
  views: SqliteRunViews;
  close: () => void;
} {
  const database = openDatabase(playground.database);
  return {
    forge: new LocalForge(database, systemClock, 'alice', process.env),
    ledger: new SqliteLedger(database, systemClock, readSigningKey(playground.database, database)),
    views: new SqliteRunViews(database),
    close: () => database.close(),
  };
}
