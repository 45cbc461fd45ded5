/** git and a certificate of a company's CA: trusted when it is named, and told what to name when it is not. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isGatewrightError } from '../../src/errors.ts';
import { CertificateAuthority } from '../world/certificates.ts';
import { type GithubTransportWorld, makeGithubTransportWorld } from './github-transport-world.ts';
import { openForge, tokenOf } from './github-world.ts';

const authority = new CertificateAuthority();
const usual = getCACertificates('default');
let world: GithubTransportWorld;
let front: Server;
let apiUrl = '';
let authorityFile = '';

beforeEach(async () => {
  world = await makeGithubTransportWorld();
  const port = Number(new URL(world.server.url).port);
  front = createServer(authority.issue('localhost'), (socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const one of [socket, behind]) one.on('error', () => one.destroy());
    socket.pipe(behind).pipe(socket);
  });
  front.on('tlsClientError', () => undefined);
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  apiUrl = `https://localhost:${(front.address() as AddressInfo).port}`;
  authorityFile = join(world.folder, 'company-ca.pem');
  writeFileSync(authorityFile, authority.pem);
});
afterEach(async () => {
  setDefaultCACertificates(usual);
  front.close();
  await world.close();
});

async function push(environment: Readonly<Record<string, string>>): Promise<string | null> {
  const forge = openForge(apiUrl, { kind: 'token', token: tokenOf(world.actors.write) });
  const start = world.clone.resolve('main') ?? '';
  const commit = world.clone.run('commit-tree', `${start}^{tree}`, '-p', start, '-m', 'One');
  await world
    .open(forge, environment)
    .pushBranch(world.repository, { branch: 'work', commit, expected: null });
  return world.git.resolve('refs/heads/work');
}

describe('a server with a certificate of a company', () => {
  // Which variable git reads depends on how its TLS was built; this one it reads always.
  it('is pushed to when git is told the CA', async () => {
    expect(await push({ GIT_SSL_CAINFO: authorityFile })).toMatch(/^[0-9a-f]{40}$/u);
  });

  it('is not trusted by git alone', async () => {
    setDefaultCACertificates([...usual, authority.pem]);
    const error = await push({}).catch((thrown: unknown) => thrown);
    if (!isGatewrightError(error, 'certificate-rejected')) throw error;
    expect(error.message).toMatch(/^git does not trust the certificate of localhost:\d+ \(pushing to /u);
    expect(error.hint).toContain('GIT_SSL_CAINFO');
  });

  it('is not trusted by anybody when nobody was told the CA', async () => {
    const error = await push({}).catch((thrown: unknown) => thrown);
    if (!isGatewrightError(error, 'certificate-rejected')) throw error;
    expect(error.message).toMatch(
      /^localhost:\d+ did not answer .*signed by a CA that this machine does not trust\.$/u,
    );
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  });
});
