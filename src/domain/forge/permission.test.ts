/** Each grade against each other: one that is taken for a higher one lets an outsider give orders. */
import { describe, expect, it } from 'vitest';
import { describeMissingWrite, howToGetWrite, isAtLeast, type Permission } from './permission.ts';

const fromLowToHigh: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

describe('isAtLeast', () => {
  const pairs = fromLowToHigh.flatMap((had, has) =>
    fromLowToHigh.map((needed, needs) => [had, needed, has >= needs] as const),
  );
  it.each(pairs)('"%s" where "%s" is needed: %s', (had, needed, isEnough) =>
    expect(isAtLeast(had, needed)).toBe(isEnough),
  );
});

describe('what is said to somebody who may not', () => {
  it('names the account, what it has, where, and what is needed', () => {
    expect(describeMissingWrite('bob', 'triage', 'alice/project')).toBe(
      'bob has "triage" permission on alice/project; "write" is needed',
    );
  });

  it('says how to get it on each forge', () => {
    expect(howToGetWrite('local', 'bob', 'alice/project')).toContain(
      'gatewright forge permission set bob write --repo alice/project',
    );
    const onGitHub = howToGetWrite('github', 'bob', 'alice/project');
    expect(onGitHub).toContain('an administrator of alice/project');
    expect(onGitHub).not.toContain('gatewright forge');
  });
});
