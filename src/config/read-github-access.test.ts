import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGithubAccess } from './read-github-access.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-access-'));
  file = join(folder, 'key.pem');
  writeFileSync(file, 'canary-key\n', { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const id = { GATEWRIGHT_GITHUB_APP_ID: '7' };

function refusal(environment: Record<string, string>): string {
  try {
    readGithubAccess(environment);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config-invalid' });
    expect(String(error)).not.toContain('canary-key');
    return String(error);
  }
  throw new Error('was not refused');
}

describe('a GitHub App in the environment', () => {
  it('is there when its number is', () => {
    expect(readGithubAccess({}).app).toBeNull();
    const key = { ...id, GATEWRIGHT_GITHUB_APP_KEY: ' canary-key ' };
    expect(readGithubAccess(key).app).toEqual({ id: '7', privateKey: 'canary-key', installation: null });
    const more = { ...id, GATEWRIGHT_GITHUB_APP_KEY_FILE: file, GATEWRIGHT_GITHUB_INSTALLATION_ID: '12' };
    expect(readGithubAccess(more).app).toEqual({ id: '7', privateKey: 'canary-key\n', installation: 12 });
  });

  it.each<[string, () => Record<string, string>, string]>([
    ['no key', () => id, 'GATEWRIGHT_GITHUB_APP_KEY_FILE'],
    ['no number', () => ({ GATEWRIGHT_GITHUB_APP_KEY: 'canary-key' }), 'GATEWRIGHT_GITHUB_APP_ID'],
    ['only an installation', () => ({ GATEWRIGHT_GITHUB_INSTALLATION_ID: '1' }), 'GATEWRIGHT_GITHUB_APP_ID'],
    [
      'two keys',
      () => ({ ...id, GATEWRIGHT_GITHUB_APP_KEY: 'canary-key', GATEWRIGHT_GITHUB_APP_KEY_FILE: file }),
      'both',
    ],
    ['a number that is none', () => ({ GATEWRIGHT_GITHUB_APP_ID: '../7' }), 'GATEWRIGHT_GITHUB_APP_ID'],
    [
      'an installation that is none',
      () => ({ ...id, GATEWRIGHT_GITHUB_APP_KEY: 'canary-key', GATEWRIGHT_GITHUB_INSTALLATION_ID: '0x1' }),
      'GATEWRIGHT_GITHUB_INSTALLATION_ID',
    ],
    [
      'a file that is missing',
      () => ({ ...id, GATEWRIGHT_GITHUB_APP_KEY_FILE: `${file}x` }),
      'does not exist',
    ],
    ['a folder', () => ({ ...id, GATEWRIGHT_GITHUB_APP_KEY_FILE: closed(folder) }), 'cannot be read'],
  ])('is refused: %s', (_, environment, said) => {
    expect(refusal(environment())).toContain(said);
  });

  const closed = (path: string) => {
    chmodSync(path, 0o700);
    return path;
  };

  it.each([0o644, 0o640, 0o604, 0o666])('is refused when others could read its key: %o', (mode) => {
    chmodSync(file, mode);
    expect(refusal({ ...id, GATEWRIGHT_GITHUB_APP_KEY_FILE: file })).toContain('open to other users');
  });
});

describe('what is remembered of GitHub', () => {
  it('is kept in the cache folder of the user unless told otherwise', () => {
    expect(readGithubAccess({ HOME: '/home/you' })).toMatchObject({
      cache: 'disk',
      cacheFolder: '/home/you/.cache/gatewright/github',
    });
    expect(readGithubAccess({ HOME: '/home/you', XDG_CACHE_HOME: '/tmp/c' }).cacheFolder).toBe(
      '/tmp/c/gatewright/github',
    );
    expect(readGithubAccess({ HOME: '/home/you', XDG_CACHE_HOME: 'relative' }).cacheFolder).toBe(
      '/home/you/.cache/gatewright/github',
    );
    for (const cache of ['memory', 'off'])
      expect(readGithubAccess({ GATEWRIGHT_GITHUB_CACHE: cache })).toMatchObject({
        cache,
        cacheFolder: null,
      });
    expect(refusal({ GATEWRIGHT_GITHUB_CACHE: 'yes' })).toContain('disk, memory or off');
  });
});
