/**
 * The real program with a self-destruct: it kills itself (SIGKILL) at the n-th point of a run. Where the points lie is
 * said in house-points.ts. With CRASH_LOG it only writes them down, so that a test can count them first.
 */
import { appendFileSync } from 'node:fs';
import { composeHouse } from '../../src/compose-house.ts';
import { main } from '../../src/main.ts';
import { withHousePoints } from './house-points.ts';

const { CRASH_AT = '0', CRASH_LOG } = process.env;
const target = Number(CRASH_AT);
let passed = 0;

function point(name: string): void {
  passed += 1;
  if (CRASH_LOG !== undefined) appendFileSync(CRASH_LOG, `${name}\n`);
  if (passed === target) process.kill(process.pid, 'SIGKILL');
}

process.exitCode = await main(process.argv.slice(2), async (config, packageRoot, place) =>
  withHousePoints(await composeHouse(config, packageRoot, place), { point }),
);
