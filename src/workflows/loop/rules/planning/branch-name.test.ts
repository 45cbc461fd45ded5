/** A branch name is made of a title that anybody can write, and is handed to git. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { thrownCode } from '../../../../../test/support/thrown-code.ts';
import { loopBranchOf } from './branch-name.ts';

describe('the branch of an issue', () => {
  it.each([
    ['Add a health check', 'ai/issue-42-add-a-health-check'],
    ['Über die Größe: prüfen!', 'ai/issue-42-uber-die-grosse-prufen'],
    ['  --force; rm -rf $(HOME) ', 'ai/issue-42-force-rm-rf-home'],
    ['feat(api): PUT /users/{id}.lock', 'ai/issue-42-feat-api-put-users-id-lock'],
    ['日本語', 'ai/issue-42-task'],
    ['', 'ai/issue-42-task'],
    ['../../refs/heads/main', 'ai/issue-42-refs-heads-main'],
    [
      'This title goes on and on until it has no more room in a name',
      'ai/issue-42-this-title-goes-on-and-on-until-it-has-no-more',
    ],
    ['x'.repeat(100), `ai/issue-42-${'x'.repeat(48)}`],
  ])('of "%s" is %s', (title, name) => {
    expect(loopBranchOf('ai/issue-', 42, title)).toBe(name);
  });

  it('has a number where there is one of that name, and never more than 60 characters', () => {
    expect(loopBranchOf('ai/issue-', 42, 'Add it', 1)).toBe('ai/issue-42-add-it-2');
    expect(loopBranchOf('ai/issue-', 42, 'Add it', 9)).toBe('ai/issue-42-add-it-10');
    const long = loopBranchOf('ai/issue-', 42, 'x'.repeat(100), 1);
    expect([long.length, long.endsWith('x-2')]).toEqual([60, true]);
  });

  it('is refused for a prefix that no branch can begin with, and for what is no issue', () => {
    for (const prefix of ['-x/', '../', 'a b/', 'refs/heads/', 'x'.repeat(70)])
      expect(['forge-rejected', 'config-invalid']).toContain(thrownCode(() => loopBranchOf(prefix, 1, 'a')));
    for (const number of [0, -1, 1.5, Number.NaN])
      expect(thrownCode(() => loopBranchOf('ai/', number, 'a'))).toBe('internal');
  });

  it('is a name that git takes, for any title', () => {
    const fragments = [
      '@{',
      '..',
      '.lock',
      '~',
      '^',
      ':',
      '\\',
      ' ',
      '-',
      '/',
      '\0',
      'ß',
      'Ä',
      '\u202E',
      '\n',
      'z9',
      'refs/',
      'HEAD',
    ];
    const names = fc.sample(
      fc
        .tuple(fc.integer({ min: 1, max: 9_999_999 }), hostileText(fragments))
        .map(([number, title]) => loopBranchOf('ai/issue-', number, title)),
      { numRuns: 300, seed: 20261115 },
    );
    for (const name of names) expect(name).toMatch(/^ai\/issue-[1-9]\d*-[a-z0-9]+(?:-[a-z0-9]+)*$/u);
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(60);
    // One process for a few of them: git itself is the judge.
    for (const name of names.slice(0, 3))
      expect(spawnSync('git', ['check-ref-format', '--branch', name]).status).toBe(0);
  });
});
