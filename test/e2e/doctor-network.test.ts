/** `doctor` tries each host that will be needed, the way it will be reached: outside, or through the gate of the sandbox. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoctorRoom } from '../support/doctor-room.ts';
import { isWithoutSandbox } from '../support/needs-sandbox.ts';
import { CertificateAuthority } from '../world/certificates.ts';

let room: DoctorRoom;
beforeEach(() => {
  room = new DoctorRoom();
});
afterEach(() => room.playground.remove());

describe.skipIf(isWithoutSandbox)('the network', () => {
  const authority = new CertificateAuthority();
  let site: Server;
  let address = '';

  async function serve(name: string): Promise<void> {
    site = createServer(authority.issue(name), (_, response) => response.end());
    site.on('tlsClientError', () => undefined);
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    address = `localhost:${(site.address() as AddressInfo).port}`;
  }
  afterEach(() => site.close());

  /** With the CLI as coder, a model of Google that writes, and dependencies that are fetched. */
  function world(): Record<string, string> {
    room.program('claude', 'echo "9.9.9 (Claude Code)"');
    const file = join(room.playground.folder, 'company-ca.pem');
    writeFileSync(file, authority.pem);
    return {
      ...{ ANTHROPIC_API_KEY: 'x', GEMINI_API_KEY: 'x', GATEWRIGHT_WRITER: 'google:gemini-2.5-pro' },
      ...{ ANTHROPIC_BASE_URL: `https://${address}`, GOOGLE_GEMINI_BASE_URL: `https://${address}` },
      ...{ GATEWRIGHT_SETUP: 'npm ci', GATEWRIGHT_SETUP_HOSTS: `${address},localhost:9` },
      NODE_EXTRA_CA_CERTS: file,
    };
  }

  it('is tried, in the sandbox and outside, with the certificates that are named', async () => {
    await serve('localhost');
    const { of, code } = await room.diagnose(world());
    expect(of('network').map(({ state, detail }) => `${state} ${detail}`)).toEqual([
      `ok ${address} (coder, planner) is reached from the sandbox over IPv4`,
      `ok ${address} (code reviewer, writer) is reached over IPv4`,
      `ok ${address} (fleet.setup) is reached from the sandbox over IPv4`,
      'problem localhost:9 (fleet.setup) is not reached from the sandbox: the connection was refused',
    ]);
    expect(code).toBe(1);
  });

  it('a certificate that does not fit is told by its name and by who signed it', async () => {
    await serve('other.example');
    const { of, code } = await room.diagnose({ ...world(), GATEWRIGHT_SETUP_HOSTS: '' });
    const why =
      'its certificate is for another name: it is for other.example, issued by "Example Company Test Authority"';
    expect(of('network').map(({ state, detail }) => `${state} ${detail}`)).toEqual([
      `warning ${address} (coder, planner) is not reached from the sandbox: ${why}`,
      `problem ${address} (code reviewer, writer) is not reached: ${why}`,
    ]);
    expect(of('network')[0]?.fix).toContain('NODE_EXTRA_CA_CERTS');
    expect(code).toBe(1);
  });
});
