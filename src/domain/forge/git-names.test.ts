/** A name that passes here is handed to git, so git itself is asked whether it agrees. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { checkBranchName, checkCommitName } from './git-names.ts';

const accepts = (name: string): boolean => {
  try {
    return checkBranchName(name) === name;
  } catch {
    return false;
  }
};

const gitAccepts = (name: string): boolean => {
  try {
    execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('checkBranchName', () => {
  it.each(['main', 'agent/issue-42', 'feature/Export_CSV.v2', 'übung', 'a@b', 'x/y/z'])(
    'takes %s',
    (name) => {
      expect(checkBranchName(name)).toBe(name);
    },
  );

  it('takes nothing that git would refuse', () => {
    const letters = [...'ab-./@{}~^:?*[\\ \t\u0007lock', '..', '.lock', '@{', '//', 'refs/heads/', 'HEAD'];
    const names = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, (parts) => {
        const name = parts.join('');
        return !accepts(name) || gitAccepts(name);
      }),
      { numRuns: 150 },
    );
  });
});

describe('checkCommitName', () => {
  it('takes whole hashes only', () => {
    expect(checkCommitName('a'.repeat(40))).toBe('a'.repeat(40));
    expect(checkCommitName('0'.repeat(64))).toBe('0'.repeat(64));
    for (const sha of ['', 'HEAD', 'a'.repeat(39), 'A'.repeat(40), `${'a'.repeat(40)}\n`, '-x'])
      expect(thrownCode(() => checkCommitName(sha))).toBe('forge-rejected');
  });
});
