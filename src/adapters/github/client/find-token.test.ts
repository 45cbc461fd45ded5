import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectedCode } from '../../../../test/support/thrown-code.ts';
import { findToken } from './find-token.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-gh-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A `gh` that is a script. */
function withGh(script: string): { PATH: string } {
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: folder };
}

describe('the token', () => {
  it('is the one that was given, without the line end that files have', async () => {
    expect(await findToken('given\n', 'github.com', withGh('echo other'))).toBe('given');
  });

  it('else the one that gh has for that host', async () => {
    const environment = withGh('[ "$*" = "auth token --hostname ghe.example" ] && echo from-gh');
    expect(await findToken('', 'ghe.example', environment)).toBe('from-gh');
  });

  it.each([
    ['gh is not logged in', 'echo nothing >&2; exit 1'],
    ['gh says nothing', 'true'],
  ])('is missing: %s', async (_, script) => {
    expect(await rejectedCode(findToken('', 'github.com', withGh(script)))).toBe('forge-not-authenticated');
  });

  it('gh sees the tokens that it reads itself, and no key of a model', async () => {
    const environment = withGh(
      'echo "$GH_ENTERPRISE_TOKEN-$ANTHROPIC_API_KEY-$GATEWRIGHT_GITHUB_APP_KEY-$OTHER"',
    );
    const secrets = {
      ANTHROPIC_API_KEY: 'k',
      GATEWRIGHT_GITHUB_APP_KEY: 'p',
      GH_ENTERPRISE_TOKEN: 't',
      OTHER: 'o',
    };
    expect(await findToken('', 'github.com', { ...environment, ...secrets })).toBe('t---o');
  });

  it('is missing when there is no gh', async () => {
    expect(await rejectedCode(findToken('', 'github.com', { PATH: folder }))).toBe('forge-not-authenticated');
  });

  it('that could not be sent is refused without being shown', async () => {
    const caught = await findToken('secret\nx-other: header', 'github.com', {}).catch(
      (error: Error) => error,
    );
    expect(caught).toMatchObject({ code: 'forge-not-authenticated' });
    expect(String(caught)).not.toContain('secret');
  });
});
