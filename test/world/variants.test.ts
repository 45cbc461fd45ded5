/** The same chain in every kind of network that people have. */
import { afterEach, describe, expect, it } from 'vitest';
import { Chain } from './chain.ts';
import type { InternetOptions } from './little-internet.ts';
import { registryHost } from './package-registry.ts';
import { type Carrier, playChain } from './play-chain.ts';
import { whyNoNetwork } from './private-network.ts';

let chain: Chain;
afterEach(() => chain.close());

const variants: readonly (readonly [InternetOptions, Carrier])[] = [
  [{ route: 'IPv4' }, 'serve'],
  [{ route: 'IPv6' }, 'dispatch'],
  [{ route: 'both', names: 'server' }, 'dispatch'],
];

describe.skipIf(whyNoNetwork() !== null)('from an idea to its merge', { timeout: 600_000 }, () => {
  it.each(variants)('with %o, by %s', async (options, carrier) => {
    chain = await Chain.open({ ...options, missingLabels: 3 });
    await playChain(chain, carrier);
  });

  it('behind a proxy, without which there is no way and no name', async () => {
    chain = await Chain.open({ route: 'proxy' });
    const { machine, internet } = chain;
    const direct = await machine.start(['getent', 'hosts', 'api.github.com'], {}, machine.folder).ended;
    expect(direct.code).not.toBe(0);
    await playChain(chain, 'serve');
    const asked = new Set(internet.proxied);
    for (const host of new Set(internet.requests.map((one) => one.host)))
      expect(asked).toContain(`${host}:443`);
    expect(asked).toContain(`${registryHost}:443`);
  });
});
