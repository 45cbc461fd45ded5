/** Certificates of a company's CA in the sandbox: found, trusted by real programs there, and shown without anything else. */
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutSandbox, needSandbox } from '../../../test/support/needs-sandbox.ts';
import { CertificateAuthority } from '../../../test/world/certificates.ts';
import { certificateVariables } from '../network/certificate-variables.ts';
import { SandboxedCommands } from './sandboxed-commands.ts';
import { showCertificates } from './show-certificates.ts';

const authority = new CertificateAuthority();
const other = new CertificateAuthority();
const server = authority.issue('localhost');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-certificates-'));
  mkdirSync(join(folder, 'work'));
  // As some keep them: a link to a file that holds a key too.
  writeFileSync(join(folder, 'all.pem'), `about this\n${server.key}${authority.pem}\ntext\n${other.pem}`);
  symlinkSync('all.pem', join(folder, 'company ca.pem'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const show = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  showCertificates(environment, join(folder, 'ca'), '/inside/ca');

describe('what is shown', () => {
  it.each(certificateVariables)('%s leads to a copy that holds certificates only', (name) => {
    expect(show({ [name]: join(folder, 'company ca.pem'), PATH: '/bin' })).toEqual({
      [name]: '/inside/ca/0-company_ca.pem',
      PATH: '/bin',
    });
    const copy = readFileSync(join(folder, 'ca', '0-company_ca.pem'), 'utf8');
    expect(copy).toBe(`${authority.pem.trim()}\n${other.pem.trim()}\n`);
    expect(copy).not.toContain('KEY');
  });

  it('is a folder where a folder is named, with names as they are', () => {
    const certificates = join(folder, 'certs');
    mkdirSync(certificates);
    writeFileSync(join(certificates, 'a.pem'), authority.pem);
    symlinkSync('a.pem', join(certificates, '0123abcd.0'));
    symlinkSync('nowhere', join(certificates, 'dead.0'));
    writeFileSync(join(certificates, 'secret.key'), server.key);
    expect(show({ SSL_CERT_DIR: certificates })).toEqual({ SSL_CERT_DIR: '/inside/ca/0-certs' });
    expect(readdirSync(join(folder, 'ca', '0-certs')).sort()).toEqual(['0123abcd.0', 'a.pem']);
  });

  it('is one copy of one file, however often it is named', () => {
    const path = join(folder, 'all.pem');
    expect(show({ NODE_EXTRA_CA_CERTS: path, GIT_SSL_CAINFO: path, SSL_CERT_FILE: '/nowhere.pem' })).toEqual({
      NODE_EXTRA_CA_CERTS: '/inside/ca/0-all.pem',
      GIT_SSL_CAINFO: '/inside/ca/0-all.pem',
    });
    expect(readdirSync(join(folder, 'ca'))).toEqual(['0-all.pem']);
  });

  it.each([
    ['a file that is not there', () => join(folder, 'none.pem')],
    ['a path that means another file elsewhere', () => 'all.pem'],
    ['nothing', () => ''],
    [
      'a file without certificates',
      () => {
        writeFileSync(join(folder, 'key.pem'), server.key);
        return join(folder, 'key.pem');
      },
    ],
    [
      'a file that is too large',
      () => {
        writeFileSync(join(folder, 'large.pem'), authority.pem + 'x'.repeat(8 * 1024 * 1024));
        return join(folder, 'large.pem');
      },
    ],
    ['a folder without certificates', () => join(folder, 'work')],
    ['a device', () => '/dev/zero'],
  ])('is not %s', (_, path) => expect(show({ SSL_CERT_FILE: path(), LANG: 'C' })).toEqual({ LANG: 'C' }));
});

describe.skipIf(isWithoutSandbox)('in the sandbox', () => {
  let site: Server;
  let port = 0;
  beforeEach(async () => {
    site = createServer(server, (_, response) => response.writeHead(404).end('reached'));
    site.on('tlsClientError', () => undefined);
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    port = (site.address() as AddressInfo).port;
  });
  afterEach(() => site.close());

  async function run(script: string, environment: Readonly<Record<string, string>>): Promise<string> {
    const commands = new SandboxedCommands(await needSandbox(), { PATH: process.env.PATH, ...environment });
    const result = await commands.run({
      ...{ folder: join(folder, 'work'), argv: ['sh', '-c', script], limitMilliseconds: 30_000 },
      network: { hosts: [`localhost:${port}`] },
    });
    return result.output;
  }
  const fetchIt = () =>
    `node -e "fetch('https://localhost:${port}/').then(r => r.text(), e => e.cause.code).then(console.log)"`;
  const gitIt = () => `git ls-remote https://localhost:${port}/some.git 2>&1`;

  it('Node.js trusts the CA that is named, wherever its file is, and no other', async () => {
    const link = join(folder, 'company ca.pem');
    expect(await run(fetchIt(), { NODE_EXTRA_CA_CERTS: link })).toContain('reached');
    expect(await run(fetchIt(), {})).toContain('UNABLE_TO_');
    expect(await run(`cat "$NODE_EXTRA_CA_CERTS"; ls ${folder}`, { NODE_EXTRA_CA_CERTS: link })).not.toMatch(
      /PRIVATE|all\.pem/u,
    );
  });

  it('git does too', async () => {
    expect(await run(gitIt(), { GIT_SSL_CAINFO: join(folder, 'all.pem') })).toMatch(/not found/u);
    expect(await run(gitIt(), {})).toMatch(/certificate/u);
  });

  it('the way out is the gate, whatever proxy there is outside', async () => {
    const said = await run('echo "$HTTPS_PROXY|$https_proxy|$ALL_PROXY|$NODE_EXTRA_CA_CERTS"', {
      HTTPS_PROXY: 'http://name:word@proxy.example:3128',
      ALL_PROXY: 'http://name:word@proxy.example:3128',
    });
    expect(said.trim()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\|http:\/\/127\.0\.0\.1:\d+\|\|$/u);
  });
});
