/**
 * What outsiders and other programs write, set, copy and pretend makes nothing happen, on the local forge. On GitHub:
 * fleet-github-spoof.test.ts.
 */
import { FleetWorld } from '../support/fleet-world.ts';
import { isLong } from '../support/property-runs.ts';
import { describeSpoofs } from '../support/spoof-table.ts';
import { listOutsiders, SpoofWorld, spoofFiles } from '../support/spoof-world.ts';

const own = 'gatewright[bot]';
const outsiders = listOutsiders(own, 'alice.');

describeSpoofs({
  own,
  outsiders,
  open: async () => SpoofWorld.open(await FleetWorld.open(spoofFiles), outsiders),
  oneIn: isLong ? 1 : 3,
});
