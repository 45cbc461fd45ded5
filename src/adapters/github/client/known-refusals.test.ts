import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAccepted, findKnownRefusal } from './known-refusals.ts';

type Row = readonly [status: number, words: string, code: string, hint: string];
const find = (status: number, words: string, headers: Record<string, string> = {}) =>
  findKnownRefusal({ status, words, headers: new Headers(headers) });

describe('refusals with a known cause', () => {
  it.each<Row>([
    [410, 'Issues are disabled for this repo', 'forge-issues-disabled', 'turns issues on'],
    [410, 'Issues has been disabled in this repository.', 'forge-issues-disabled', 'turns issues on'],
    [403, 'Repository was archived so is read-only.', 'forge-archived', 'unarchive'],
    [403, 'This installation has been suspended', 'forge-app-refused', 'unsuspend'],
    [
      403,
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
      'forge-forbidden',
      'IP allow list',
    ],
    [
      403,
      'GitHub Actions is not permitted to create or approve pull requests.',
      'forge-forbidden',
      'Allow GitHub Actions to create and approve pull requests',
    ],
    [404, 'Integration not found', 'forge-app-refused', 'GATEWRIGHT_GITHUB_APP_ID'],
    [401, 'A JSON web token could not be decoded', 'forge-app-refused', 'private key'],
    [401, "'Issuer' claim ('iss') must be an Integer", 'forge-app-refused', 'GATEWRIGHT_GITHUB_APP_ID'],
    [
      401,
      "'Expiration time' claim ('exp') is too far in the future",
      'forge-app-refused',
      'clock of this machine',
    ],
    [403, 'Resource not accessible by integration', 'forge-forbidden', 'The App'],
    [403, 'Resource not accessible by personal access token', 'forge-forbidden', 'fine-grained token'],
  ])('%i %s', (status, words, code, hint) => {
    expect(find(status, words)).toMatchObject({ code });
    expect(find(status, words)?.hint).toContain(hint);
  });

  it.each<[number, string]>([
    [401, 'Bad credentials'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [422, 'Issues are disabled for this repo'],
    [500, 'Repository was archived so is read-only.'],
  ])('%i %s is explained by its status', (status, words) => expect(find(status, words)).toBeNull());

  it('say which permission it would take, in words', () => {
    expect(describeAccepted('issues=write')).toBe('Issues: write');
    expect(describeAccepted('contents=write,workflows=write; pull_requests=write')).toBe(
      'Contents: write and Workflows: write, or Pull requests: write',
    );
    expect(describeAccepted('something=write; <b>=read')).toBe('');
    const header = { 'x-accepted-github-permissions': 'checks=read' };
    const words = 'Resource not accessible by personal access token';
    expect(find(403, words, header)?.hint).toContain('Fine-grained tokens cannot have it');
    expect(find(403, 'Resource not accessible by integration', header)?.hint).not.toContain('Fine-grained');
  });
});

describe('single sign-on', () => {
  const sso = (link: string) =>
    find(403, 'Resource protected by organization SAML enforcement.', {
      'x-github-sso': `required; url=${link}`,
    });

  it('shows the link of GitHub', () => {
    const link =
      'https://github.com/orgs/acme/sso?authorization_request=AZSCKtL4U8yX1H3sCQIVnVgmjmon5fWxks5YrqhJgah0b2tlbl9pZM4EuMz4';
    expect(sso(link)).toMatchObject({ code: 'forge-sso-required' });
    expect(sso(link)?.hint).toContain(link);
  });

  it.each([
    'https://evil.example/orgs/acme/sso',
    'http://github.com/orgs/acme/sso',
    'https://github.com.evil.example/',
    'https://github.com@evil.example/',
    'https://user:pass@github.com/x',
    'javascript:alert(1)',
    'https://github.com:8443/x',
    'nonsense',
  ])('shows no other: %s', (link) => {
    expect(sso(link)).toMatchObject({ code: 'forge-sso-required' });
    expect(sso(link)?.hint).not.toContain('://');
  });

  it('shows nothing but an address of github.com, whatever comes', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), (url, tail) => {
        const clean = `${url}${tail}`.replace(/[^\x20-\x7e]/gu, '').trim();
        const hint = sso(clean)?.hint ?? '';
        const shown = /https?:\/\/\S*/u.exec(hint)?.[0];
        if (shown !== undefined) expect(new URL(shown).host).toBe('github.com');
      }),
    );
  });

  it('that is only reported about lists is no refusal', () => {
    expect(find(403, 'x', { 'x-github-sso': 'partial-results; organizations=1,2' })).toBeNull();
  });
});
