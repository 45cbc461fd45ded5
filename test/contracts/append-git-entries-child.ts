/**
 * One of many runners: WHERE REPOSITORY FOLDER WRITER COUNT. It takes the lease of one of a few subjects, appends an entry
 * under it and says on standard output what was acknowledged, until it is done or killed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { isGatewrightError } from '../../src/errors.ts';
import { LedgerMachine, type Where } from './git-ledger-world.ts';

const [where = 'local', repository = '', folder = '', writer = '', count = ''] = process.argv.slice(2);
const machine = new LedgerMachine(where as Where, repository, folder, systemClock);
const leases = machine.leasesOf(writer);

for (let step = 1; step <= Number(count); ) {
  const subject = `acme/project#${(step + writer.length) % 4}`;
  const key = `${writer}-${step}`;
  const got = await leases.acquire(subject);
  if (!('lease' in got)) {
    await wait(20);
    continue;
  }
  try {
    const entry = {
      subject,
      kind: 'node-begun',
      run: writer,
      actor: writer,
      key,
      data: { node: 'n', step },
    } as const;
    await machine.ledger.append([entry], got.lease);
    process.stdout.write(`${key}\n`);
    await got.lease.release();
    step += 1;
  } catch (error) {
    if (!isGatewrightError(error, 'lease-lost')) throw error;
  }
}
