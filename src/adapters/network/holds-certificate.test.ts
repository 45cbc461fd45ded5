/** A file of certificates is told from one that only is called so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdsCertificate } from './holds-certificate.ts';

const [root = ''] = rootCertificates;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatewright-ca-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['a certificate', root, true],
  ['a remark and a certificate', `# ours\r\n${root}\n`, true],
  ['a broken one before a good one', `${root.replace(/\n[^\n]{20}/u, '\n')}\n${root}`, true],
  ['nothing', '', false],
  ['a word', 'junk\n', false],
  ['a frame around nothing', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', false],
])('%s', (_, text, holds) => {
  writeFileSync(join(folder, 'ca.pem'), text);
  expect(holdsCertificate(join(folder, 'ca.pem'))).toBe(holds);
});

it('says nothing of a folder, and of what is not there', () => {
  expect([holdsCertificate(folder), holdsCertificate(join(folder, 'gone'))]).toEqual([null, null]);
});
