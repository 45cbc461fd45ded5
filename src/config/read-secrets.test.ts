/** What must not be written for others is found, in whatever form a machine keeps it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from './read-config.ts';
import { readSecrets } from './read-secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pem = (line: string) => `-----BEGIN PRIVATE KEY-----\n${line}1\n${line}2\n-----END PRIVATE KEY-----\n`;

function secretsOf(environment: Record<string, string>): string[] {
  return readSecrets(readConfig({ HOME: folder, ...environment }));
}

it('a token in a variable, whatever program it is for', () => {
  expect(secretsOf({ OTHER_TOKEN: ' tok_first ', STRIPE_SECRET: 'second-one', PATH: '/bin' })).toEqual([
    'tok_first',
    'second-one',
  ]);
  // Those that Gatewright itself uses count however short they are.
  expect(secretsOf({ GH_TOKEN: 'ghp_one' })).toEqual(['ghp_one']);
});

it.each([
  ['with line ends', pem('MIIEvQab')],
  ['with line ends spelt out', pem('MIIEvQab').replaceAll('\n', '\\n')],
])('every line of a key in a variable, %s, and not what all keys begin with', (_, key) => {
  expect(secretsOf({ GATEWRIGHT_GITHUB_APP_KEY: key })).toEqual(['MIIEvQab1', 'MIIEvQab2']);
});

it('every line of the key file of an App', () => {
  const file = join(folder, 'app.pem');
  writeFileSync(file, pem('MIIFile'), { mode: 0o600 });
  expect(secretsOf({ GATEWRIGHT_GITHUB_APP_KEY_FILE: file })).toEqual(['MIIFile1', 'MIIFile2']);
});

it('nothing of a key file that is missing or open to others', () => {
  const file = join(folder, 'open.pem');
  writeFileSync(file, pem('MIIOpen'), { mode: 0o644 });
  for (const name of [file, join(folder, 'nowhere.pem')])
    expect(secretsOf({ GATEWRIGHT_GITHUB_APP_KEY_FILE: name })).toEqual([]);
});
