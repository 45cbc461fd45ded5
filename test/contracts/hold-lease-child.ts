/**
 * Asks for a lease from a process of its own and tells what it got: DATABASE SUBJECT ACTOR. It then lives until
 * its standard input ends, and goes without releasing, as a process does that crashes.
 */
import { once } from 'node:events';
import { openDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteLeases } from '../../src/adapters/sqlite/sqlite-leases.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';

const [file = '', subject = '', actor = ''] = process.argv.slice(2);
const database = openDatabase(file);
const got = await new SqliteLeases(database, systemClock, actor).acquire(subject);
process.stdout.write(
  `${JSON.stringify('lease' in got ? { token: got.lease.token, process: process.pid } : { heldBy: got.heldBy.process })}\n`,
);
process.stdin.resume();
await once(process.stdin, 'end');
