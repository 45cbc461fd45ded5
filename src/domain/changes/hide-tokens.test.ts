/** What looks like a secret is gone from a log; what people need of it stays. */
import { describe, expect, it } from 'vitest';
import { processorMilliseconds } from '../../../test/support/processor-time.ts';
import { hideTokens } from './hide-tokens.ts';

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ';

describe('hideTokens', () => {
  it.each([
    ['a GitHub token', `fatal: ghp_${letters}1234567890`, `ghp_${letters}`],
    ['a fine-grained one', `github_pat_${letters}_${letters}`, letters],
    ['an AWS key', 'id AKIAIOSFODNN7EXAMPLE', 'AKIA'],
    ['a key of a model', `ANTHROPIC said sk-ant-api03-${letters}`, letters],
    ['a Slack token', 'xoxb-123456789-abcdefghij', 'abcdefghij'],
    ['a web token', 'eyJhbGciOi.eyJzdWIiOiI.c2lnbmF0dXJl', 'eyJzdWIi'],
    ['a header', 'curl -H "Authorization: Bearer abc.def-123"', 'abc.def'],
    ['a basic header', 'authorization: Basic dXNlcjpwYXNz', 'dXNlcjpw'],
    ['a variable', 'DB_PASSWORD=hunter2secret next', 'hunter2'],
    ['JSON', '{"client_secret": "hunter2secret"}', 'hunter2'],
    ['an address', 'postgres://admin:hunter2@db/x', 'hunter2'],
    ['a bare long key', `using ${letters}${letters}`, letters],
    [
      'a private key with times before each line',
      `2026 -----BEGIN RSA PRIVATE KEY-----\n2026 ${letters}\n2026 -----END RSA PRIVATE KEY-----\nafter`,
      letters,
    ],
    ['a private key that was cut', `x\n-----BEGIN PRIVATE KEY-----\n${letters}`, letters],
  ])('%s', (_, text, secret) => {
    const shown = hideTokens(text);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('[hidden]');
  });

  it.each([
    'Error: Cannot find module ./src/report.ts',
    'expected 3 to be 4 at /home/runner/work/project/project/packages/server/src/index.test.ts:12:4',
    'commit 5a85dd0f0e0a5a85dd0f0e0a5a85dd0f0e0a5a85',
    'npm error code ELIFECYCLE',
    'TypeError: token is not a function',
  ])('leaves %s', (text) => {
    expect(hideTokens(text)).toBe(text);
  });

  it('takes no time on a long line made to take it', () => {
    const texts = [
      'a'.repeat(60_000),
      'password'.repeat(8_000),
      'a1B/'.repeat(16_000),
      'x://a:'.repeat(10_000),
    ];
    expect(processorMilliseconds(() => texts.map(hideTokens))).toBeLessThan(3_000);
  });
});
