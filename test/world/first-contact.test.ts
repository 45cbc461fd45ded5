/** The first contact with the world: the built program, its default settings, and nothing but keys, from an idea to its merge. */
import { afterEach, describe, expect, it } from 'vitest';
import { agentLogin, Chain } from './chain.ts';
import { expectNoOverrides } from './expect-no-overrides.ts';
import { modelHosts } from './little-internet.ts';
import { whyNoNetwork } from './private-network.ts';
import { issueTitle } from './story.ts';

let chain: Chain;
afterEach(() => chain.close());

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 120_000 }, () => {
  it('a brief becomes an issue on GitHub, and a design', async () => {
    chain = await Chain.open({ route: 'IPv4' });
    await chain.setUp();
    const doctor = await chain.finish('doctor');
    expect(doctor.stdout).toContain(`github.com; ${agentLogin} may write to acme/project`);
    await chain.fileIssue();
    expect(chain.issues.map(({ title, author, state }) => ({ title, author, state }))).toEqual([
      { title: issueTitle, author: agentLogin, state: 'open' },
    ]);
    await chain.design();
    await chain.push('The design');
    expect(chain.stored.git.run('ls-tree', '-r', '--name-only', 'main')).toContain(
      'docs/lld/active/LLD-1.md',
    );
    await expectNoOverrides(chain);
    const asked = chain.internet.models.seen.map(({ provider }) => provider);
    expect(asked).toEqual(['anthropic', 'google', 'anthropic', 'google']);
    const hosts = new Set(chain.internet.requests.map(({ host }) => host));
    expect([...hosts].toSorted()).toEqual(
      [modelHosts.anthropic, modelHosts.google, 'api.github.com', 'github.com'].toSorted(),
    );
  });
});
