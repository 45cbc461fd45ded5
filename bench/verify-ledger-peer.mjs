/** Reads the entries and texts of a ledger in the same order, a page at a time, and hashes each once: DATABASE. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

const database = new Database(process.argv[2], { readonly: true });
const hash = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
let found = 0;
for (const { text } of database.prepare('SELECT text FROM texts ORDER BY hash').iterate())
  found += hash(text).length;
for (const row of database.prepare('SELECT * FROM ledger ORDER BY subject, seq').iterate())
  found += hash(JSON.stringify(row)).length;
process.stdout.write(String(found));
