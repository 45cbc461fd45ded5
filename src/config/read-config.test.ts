import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../test/support/thrown-code.ts';
import type { GatewrightError } from '../errors.ts';
import { readConfig } from './read-config.ts';

const environment = { HOME: '/home/alice', USER: 'alice' };

describe('the coder', () => {
  it('is the Claude Code CLI unless told otherwise', () => {
    expect(readConfig(environment).coder).toBe('claude:default');
    expect(readConfig({ ...environment, GATEWRIGHT_CODER: 'cassette:x.json' }).coder).toBe('cassette:x.json');
  });
});

describe('the forge', () => {
  it('is local unless told otherwise; an option counts more than the environment', () => {
    expect(readConfig(environment).forge).toBe('local');
    expect(readConfig({ ...environment, GATEWRIGHT_FORGE: 'github' }).forge).toBe('github');
    expect(readConfig({ ...environment, GATEWRIGHT_FORGE: 'github' }, { forge: 'local' }).forge).toBe(
      'local',
    );
    expect(thrownCode(() => readConfig({ ...environment, GATEWRIGHT_FORGE: 'gitlab' }))).toBe(
      'config-invalid',
    );
  });

  it('is reached where the environment says', () => {
    const url = (more: Record<string, string>) =>
      readConfig({ ...environment, ...more }, { forge: 'github' }).github.apiUrl;
    expect(url({})).toBe('https://api.github.com');
    expect(url({ GITHUB_API_URL: 'https://a.example/api/v3' })).toBe('https://a.example/api/v3');
    expect(url({ GITHUB_API_URL: 'https://a.example', GATEWRIGHT_GITHUB_URL: 'http://127.0.0.1:8080' })).toBe(
      'http://127.0.0.1:8080',
    );
  });

  it.each(['http://ghe.example/api/v3', 'https://user:pa55@ghe.example', 'ghe.example', 'file:///x'])(
    'is not reached over %s, and the value is not shown',
    (address) => {
      const given = { ...environment, GITHUB_API_URL: address };
      expect(readConfig(given).forge).toBe('local');
      try {
        readConfig(given, { forge: 'github' });
        expect.unreachable();
      } catch (error) {
        const { code, details } = error as GatewrightError;
        expect(code).toBe('config-invalid');
        expect(details.join()).not.toContain('pa55');
      }
    },
  );

  it('takes a token from either variable', () => {
    expect(readConfig({ ...environment, GITHUB_TOKEN: 'a', GH_TOKEN: 'b' }).github.token).toBe('a');
    expect(readConfig({ ...environment, GITHUB_TOKEN: '', GH_TOKEN: 'b' }).github.token).toBe('b');
    expect(readConfig(environment).github.token).toBe('');
  });
});
