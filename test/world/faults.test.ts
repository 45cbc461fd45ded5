/** What goes wrong between here and there: what heals is waited out, and what does not is told in words that help. */
import { afterEach, describe, expect, it } from 'vitest';
import { Chain } from './chain.ts';
import { modelHosts } from './little-internet.ts';
import { whyNoNetwork } from './private-network.ts';
import { brief } from './story.ts';

let chain: Chain;
afterEach(() => chain.close());

const hosts = ['api.github.com', modelHosts.google, modelHosts.anthropic] as const;
const begin = ['issue', '--brief', brief, '--auto'] as const;

/** Whatever stopped it, the run goes on with the command that is shown, and one issue is filed. */
async function expectContinued(shown: string): Promise<void> {
  const status = await chain.machine.run('status');
  const named = /continue: gatewright (.+)/u.exec(`${status.stdout}\n${shown}`)?.[1];
  const words = named === undefined ? [...begin] : [...named.trim().split(' '), '--auto'];
  await chain.finish(...words);
  expect(chain.issues).toHaveLength(1);
}

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 240_000 }, () => {
  it.each(hosts)('a name that is not found once, %s', async (host) => {
    chain = await Chain.open({ names: 'server', missingLabels: 0 });
    await chain.setUp();
    await chain.internet.network.failName({ name: host, questions: 2 });
    const result = await chain.machine.run(...begin);
    console.log(host, result.code, result.all);
  });

  it.each(hosts)('a connection that is reset once, %s', async (host) => {
    chain = await Chain.open({ missingLabels: 0 });
    await chain.setUp();
    chain.internet.resets.set(host, 1);
    const result = await chain.machine.run(...begin);
    console.log(host, result.code, result.all);
  });

  it.each(hosts)('connections that are always reset, %s', async (host) => {
    chain = await Chain.open({ missingLabels: 0 });
    await chain.setUp();
    chain.internet.resets.set(host, 10_000);
    const result = await chain.machine.run(...begin);
    console.log(host, result.code, result.all);
    chain.internet.resets.clear();
    await expectContinued(result.all);
  });

  it.each(hosts)('a certificate of another host, %s', async (host) => {
    chain = await Chain.open({ wrongCertificates: [host], missingLabels: 0 });
    await chain.clone();
    const init = await chain.machine.run('init', '--yes');
    console.log(host, init.code, init.all);
    const doctor = await chain.machine.run('doctor');
    console.log(host, doctor.code, doctor.all);
    const result = await chain.machine.run(...begin);
    console.log(host, result.code, result.all);
  });
});
