/** `doctor` in the little internet: each host under its real name, from the sandbox and outside, and what is wrong with it. */
import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Chain } from './chain.ts';
import { modelHosts } from './little-internet.ts';
import { registryHost } from './package-registry.ts';
import { whyNoNetwork } from './private-network.ts';

let chain: Chain;
afterEach(() => chain.close());

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string;
}

async function diagnose(
  options: Parameters<typeof Chain.open>[0],
  prepare: () => Promise<void> | void = () => chain.clone(),
): Promise<Finding[]> {
  chain = await Chain.open(options);
  await prepare();
  // The models that need a key, and a forge that has to be asked.
  const { stdout } = await chain.machine.run(
    ...['doctor', '--json', '--forge', 'github', '--reviewer', 'google:gemini-2.5-pro'],
  );
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ name }) => name === 'network');
}

const hosts = [
  ...['api.github.com', 'github.com', modelHosts.google, modelHosts.anthropic, modelHosts.anthropic],
  registryHost,
];

describe.skipIf(whyNoNetwork() !== null)('doctor', { timeout: 120_000 }, () => {
  it.each([
    ['IPv4', 'over IPv4'],
    ['IPv6', 'over IPv6'],
    ['proxy', 'through the proxy proxy.company.example:3128 (HTTPS_PROXY)'],
  ] as const)('reaches every host: %s', async (route, how) => {
    const findings = await diagnose({ route });
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(findings.map(({ detail }) => detail.split(':443')[0])).toEqual(hosts);
    for (const { detail } of findings) expect(detail).toContain(how);
    expect(findings.filter(({ detail }) => detail.includes('from the sandbox')).length).toBe(2);
  });

  it('says which certificate does not fit, which name has no address, and which host resets', async () => {
    const findings = await diagnose({ wrongCertificates: [modelHosts.anthropic] });
    const wrong = findings.filter(({ state }) => state !== 'ok');
    expect(wrong.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /^api\.anthropic\.com:443 \(.*its certificate is for another name: it is for other/u,
      ),
      expect.stringMatching(
        /^api\.anthropic\.com:443 \(.*its certificate is for another name: it is for other/u,
      ),
    ]);
    chain.internet.resets.set('github.com', 100);
    const { stdout } = await chain.machine.run('doctor', '--json', '--forge', 'github');
    expect(stdout).toContain('github.com:443 (git) is not reached: the connection was cut off');
  });

  it('asks a name server again that had no answer', async () => {
    const findings = await diagnose({ route: 'IPv4', names: 'server' }, async () => {
      mkdirSync(chain.machine.project);
      await chain.internet.network.failName({ name: 'api.github.com', questions: 1 });
    });
    expect(await chain.internet.network.failName({ name: 'api.github.com', questions: 0 })).toBe(1);
    expect(findings.length).toBe(hosts.length);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  });
});
