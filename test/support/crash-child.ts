/**
 * The real program with a self-destruct: it kills itself (SIGKILL) at the n-th point of a run. Where the points lie is
 * said in house-points.ts. With CRASH_LOG it only writes them down, so that a test can count them first. With
 * CRASH_REQUESTS they also lie around every single request to GitHub, and the pauses that GitHub asks for are left out.
 */
import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BareGit } from '../../src/adapters/git/bare-git.ts';
import { composeHouse } from '../../src/compose/compose-house.ts';
import { main } from '../../src/main.ts';
import type { House } from '../../src/runs/house.ts';
import { withHousePoints } from './house-points.ts';
import { hurryGithub, watchRequests } from './request-points.ts';

const { CRASH_AT = '0', CRASH_LOG, CRASH_REQUESTS, GATEWRIGHT_DATABASE_URL = '' } = process.env;
const target = Number(CRASH_AT);
const isAtGithub = CRASH_REQUESTS !== undefined;
let passed = 0;

function point(name: string): void {
  passed += 1;
  if (CRASH_LOG !== undefined) appendFileSync(CRASH_LOG, `${name}\n`);
  if (passed === target) process.kill(process.pid, 'SIGKILL');
}

function atGithub<H extends House>(house: H): H {
  const forge = hurryGithub(process.env);
  const git = new BareGit(house.repository.root, process.env);
  return {
    ...house,
    forge,
    transport: forge.openTransport(git, join(dirname(GATEWRIGHT_DATABASE_URL), 'transport')),
  };
}

if (isAtGithub) watchRequests(point);

process.exitCode = await main(process.argv.slice(2), async (config, packageRoot, place) => {
  const house = await composeHouse(config, packageRoot, place);
  // A call of the forge consists of requests, which have points of their own.
  return withHousePoints(isAtGithub ? atGithub(house) : house, { point }, { forge: !isAtGithub });
});
