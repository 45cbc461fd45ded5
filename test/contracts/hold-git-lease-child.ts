/**
 * Asks for a lease on a git ref from a process of its own and tells what it got: WHERE REPOSITORY FOLDER SUBJECT ACTOR. It
 * then lives until its standard input ends, and goes without releasing, as a process does that crashes.
 */
import { once } from 'node:events';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { LedgerMachine, type Where } from './git-ledger-world.ts';

const [where = 'local', repository = '', folder = '', subject = '', actor = ''] = process.argv.slice(2);
const machine = new LedgerMachine(where as Where, repository, folder, systemClock);
const got = await machine.leasesOf(actor).acquire(subject);
process.stdout.write(
  `${JSON.stringify('lease' in got ? { token: got.lease.token, process: process.pid } : { heldBy: got.heldBy.process })}\n`,
);
process.stdin.resume();
await once(process.stdin, 'end');
