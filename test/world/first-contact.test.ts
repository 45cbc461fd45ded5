/** The first contact with the world: the built program, its default settings, and nothing but keys, from an idea to its merge. */
import { afterEach, describe, expect, it } from 'vitest';
import { Chain } from './chain.ts';
import { modelHosts } from './little-internet.ts';
import { registryHost } from './package-registry.ts';
import { playChain } from './play-chain.ts';
import { whyNoNetwork } from './private-network.ts';

let chain: Chain;
afterEach(() => chain.close());

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 600_000 }, () => {
  it('an idea becomes an issue, a design, a pull request that is reviewed and corrected, and is merged', async () => {
    chain = await Chain.open();
    await playChain(chain, 'serve');
    const hosts = new Set(chain.internet.requests.map(({ host }) => host));
    expect([...hosts].toSorted()).toEqual(
      [modelHosts.anthropic, modelHosts.google, 'api.github.com', 'github.com', registryHost].toSorted(),
    );
  });
});
