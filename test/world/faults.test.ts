/** What goes wrong between here and there: what heals is waited out, and what does not is told in words that help. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Result } from '../support/playground.ts';
import { Chain } from './chain.ts';
import { modelHosts } from './little-internet.ts';
import { registryHost } from './package-registry.ts';
import { playAuthoring } from './play-chain.ts';
import { whyNoNetwork } from './private-network.ts';
import { brief } from './story.ts';
import { keys } from './user-machine.ts';

let chain: Chain;
afterEach(() => chain.close());

const begin = ['issue', '--brief', brief, '--auto'] as const;
const forge = 'api.github.com';
const { google, anthropic } = modelHosts;

function expectNoKeys({ all }: Result): void {
  for (const key of Object.values(keys)) expect(all).not.toContain(key);
}

/** Filed, at once or with the command that was shown when it stopped; what was paid before is not paid again. */
async function expectFiled(first: Result): Promise<void> {
  if (first.code !== 0) {
    const shown = /Continue with: gatewright (.+)/u.exec(first.all)?.[1];
    await chain.finish(...(shown === undefined ? begin : [...shown.trim().split(' '), '--auto']));
  }
  expect(chain.issues).toHaveLength(1);
  const asked = chain.internet.models.seen.map(({ provider }) => provider);
  expect(asked).toEqual(['anthropic', 'google']);
  expectNoKeys(first);
}

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 240_000 }, () => {
  it.each([forge, google, anthropic])('a name that is not found once: %s', async (host) => {
    chain = await Chain.open({ names: 'server', missingLabels: 0 });
    const { network } = chain.internet;
    await chain.setUp();
    await network.failName({ name: host, questions: 4 });
    const result = await chain.machine.run(...begin);
    expect(await network.failName({ name: host, questions: 0 })).toBeGreaterThanOrEqual(2);
    if (result.code !== 0) expect(result.stderr).toMatch(/the name server did not answer|EAI_AGAIN/u);
    await expectFiled(result);
  });

  it('a name that nobody knows is told with what to do', async () => {
    chain = await Chain.open({ route: 'proxy' });
    await chain.clone();
    const without = { HTTPS_PROXY: '' };
    const result = await chain.machine.start(['gatewright', 'init', '--yes'], without).ended;
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('api.github.com did not answer (who am I): the name does not resolve');
    expect(result.stderr).toContain('set HTTPS_PROXY');
  });

  it.each([forge, google, anthropic])('a connection that is reset once: %s', async (host) => {
    chain = await Chain.open({ missingLabels: 0 });
    await chain.setUp();
    chain.internet.resets.set(host, 1);
    const result = await chain.machine.run(...begin);
    expect(chain.internet.resets.get(host)).toBeLessThanOrEqual(0);
    if (result.code !== 0) expect(result.stderr).toContain('the connection was cut off');
    await expectFiled(result);
  });

  it('a provider whose connection is reset is asked again without a person, which is on the ledger', async () => {
    chain = await Chain.open({ missingLabels: 0 });
    await chain.setUp();
    chain.internet.resets.set(google, 2);
    expectNoKeys(await chain.fileIssue());
    expect(chain.internet.resets.get(google)).toBeLessThanOrEqual(0);
    expect(chain.issues).toHaveLength(1);
    const shown = await chain.finish('ledger', 'show', brief, '--json');
    const failed = shown.stdout.match(/"kind": ?"model-failed"/gu) ?? [];
    expect(failed).toHaveLength(2);
    expect(shown.stdout).toContain('"model-unavailable"');
  });

  it.each([forge, google])('connections that are always reset: %s', async (host) => {
    chain = await Chain.open({ missingLabels: 0 });
    await chain.setUp();
    chain.internet.resets.set(host, 10_000);
    const result = await chain.machine.run(...begin);
    // A check before the run fails with 1, as document 001 says; a model that cannot be reached blocks the run.
    expect(result.code).toBe(host === forge ? 1 : 11);
    expect(result.stderr).toContain('the connection was cut off');
    expect(result.stderr).toContain('A firewall or a proxy in between may do that');
    chain.internet.resets.clear();
    await expectFiled(result);
  });

  it.each([forge, google, anthropic])('a certificate of another host: %s', async (host) => {
    chain = await Chain.open({ wrongCertificates: [host], missingLabels: 0 });
    await chain.clone();
    const words = host === forge ? ['init', '--yes'] : begin;
    if (host !== forge) await chain.finish('init', '--yes');
    const result = await chain.machine.run(...words);
    expect(result.code).toBe(host === forge ? 1 : 11);
    expect(result.stderr).toMatch(/certificate is for another name \(other\.example\)|certificate hostname/u);
    // What the CLI met, it tells in its own words only.
    const told =
      host === anthropic
        ? ['got no answer from its provider', 'gatewright doctor']
        : ['(certificate-rejected)', 'NODE_EXTRA_CA_CERTS'];
    for (const words of told) expect(result.stderr).toContain(words);
    expect(chain.issues).toEqual([]);
    expectNoKeys(result);
  });

  it('git is told of a certificate of another host in its own words, and nothing is pushed', async () => {
    chain = await Chain.open({ wrongCertificates: ['github.com'] });
    await expect(chain.clone()).rejects.toThrow(/certificate/iu);
  });

  it('a registry that shows the certificate of another host stops the work, and its issue says why', async () => {
    chain = await Chain.open({ wrongCertificates: [registryHost] });
    await playAuthoring(
      chain,
      `${registryHost}:443 (fleet.setup) is not reached from the sandbox: its certificate is for another name`,
    );
    chain.mention();
    await chain.dispatchAll(async (words) => chain.machine.run(...words));
    const said = chain.issues[0]?.comments.map(({ body }) => body).join('\n') ?? '';
    expect(said).toContain('`setup-failed`');
    expect(said).toContain('ended with 1 in a copy of the repository');
    expect(said).toContain('npm error code ERR_TLS_CERT_ALTNAME_INVALID');
    expect(chain.pulls).toEqual([]);
    const explained = await chain.finish('explain', '1');
    expect(explained.stdout).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    // No model was asked to work on a copy that cannot be built.
    expect(chain.internet.models.seen).toHaveLength(4);
  });
});
