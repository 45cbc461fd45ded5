/** What of a toolchain is concealed, and what has to stay for it to work. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gw-secrets-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'x');
  }
}

it('conceals settings and keys, and no code that only speaks of them', () => {
  const secret = ['etc/npmrc', '.env', 'a/token', 'a/tokens.json', 'secrets.yaml', 'x.key', 'auth.json'];
  const code = [
    'site-packages/pygments/token.py',
    'a/tokens.d.ts',
    'secrets.py',
    'a/credentials.js',
    'token.pyc',
  ];
  write(...secret, ...code);
  expect(findSecrets(root, 100)).toEqual(secret.map((path) => join(root, path)).sort());
});

it('says so when there is more than it looks through', () => {
  write('a/b', 'c/d', 'e/f');
  expect(findSecrets(root, 4)).toEqual([]);
  expect(findSecrets(root, 3)).toBeNull();
});
