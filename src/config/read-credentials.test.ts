/** Keys from the environment and from a file that nobody else may read. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewrightError } from '../errors.ts';
import { readCredentials } from './read-credentials.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-credentials-'));
  file = join(folder, 'credentials.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(content: unknown, mode = 0o600): void {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(file, mode);
}

function failureOf(work: () => unknown): GatewrightError {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewrightError) return error;
  }
  throw new Error('expected a GatewrightError');
}

const canary = 'sk-canary-0123456789';
const first = { name: 'first', provider: 'google', key: canary };

describe('readCredentials', () => {
  it('takes the variables of all providers, then the file', () => {
    write({ credentials: [first, { name: 'off', provider: 'google', key: 'k9', enabled: false }] });
    const environment = {
      GEMINI_API_KEY: ' g1 ',
      GOOGLE_GENERATIVE_AI_API_KEY: 'g2',
      ANTHROPIC_API_KEY: 'a1',
      OPENAI_API_KEY: '',
    };
    expect(readCredentials(environment, file)).toEqual([
      { name: 'GEMINI_API_KEY', provider: 'google', key: 'g1' },
      { name: 'GOOGLE_GENERATIVE_AI_API_KEY', provider: 'google', key: 'g2' },
      { name: 'ANTHROPIC_API_KEY', provider: 'anthropic', key: 'a1' },
      first,
    ]);
  });

  it('counts a key that is there twice once', () => {
    write({ credentials: [first] });
    expect(readCredentials({ GEMINI_API_KEY: canary }, file).map(({ name }) => name)).toEqual([
      'GEMINI_API_KEY',
    ]);
  });

  it('needs no file', () => {
    expect(readCredentials({}, file)).toEqual([]);
    expect(readCredentials({}, join(file, 'deeper'))).toEqual([]);
  });

  it.each([0o640, 0o604, 0o644, 0o660, 0o602])(
    'refuses a file with mode %o, and says how to close it',
    (mode) => {
      write({ credentials: [first] }, mode);
      const failure = failureOf(() => readCredentials({}, file));
      expect(failure.code).toBe('config-invalid');
      expect(failure.hint).toContain(`chmod 600 ${file}`);
    },
  );

  it.each([
    ['no JSON', `{"credentials": [${canary}`],
    ['a list', [first]],
    ['an unknown provider', { credentials: [{ ...first, provider: canary }] }],
    ['an unknown field', { credentials: [{ ...first, secret: canary }] }],
    ['no key', { credentials: [{ name: 'x', provider: 'google', key: ' ' }] }],
    ['a key that is no text', { credentials: [{ name: canary, provider: 'google', key: 7 }] }],
    ['a name that could hold anything', { credentials: [{ ...first, name: '\u001b[31m' }] }],
  ])('refuses %s without telling a key', (_, content) => {
    write(content);
    const failure = failureOf(() => readCredentials({}, file));
    expect(failure.code).toBe('config-invalid');
    expect([failure.stack, failure.hint, ...failure.details].join()).not.toContain(canary);
  });

  it('refuses a folder', () => {
    chmodSync(folder, 0o700);
    expect(failureOf(() => readCredentials({}, folder)).code).toBe('config-invalid');
  });
});
