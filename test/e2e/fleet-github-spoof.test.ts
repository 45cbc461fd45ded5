/** The same table as fleet-spoof.test.ts through the GitHub adapter: everything reaches the agents as GitHub's webhooks tell it. */

import { describeForgedDeliveries } from '../support/forged-deliveries.ts';
import { agentAccount, GithubFleetWorld } from '../support/github-fleet-world.ts';
import { describeSpoofs } from '../support/spoof-table.ts';
import { listOutsiders, SpoofWorld, spoofFiles } from '../support/spoof-world.ts';

const { own } = agentAccount;
const outsiders = listOutsiders(own, 'aIice');

describeSpoofs({
  own,
  outsiders,
  open: async () => SpoofWorld.open(await GithubFleetWorld.open(spoofFiles), outsiders),
  oneIn: 3,
  more: describeForgedDeliveries,
});
