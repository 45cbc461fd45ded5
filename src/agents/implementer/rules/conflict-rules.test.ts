/** Which conflicts are settled by the agent: those on a list, and no others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictByHandComment, conflictLimitComment, listByHand, mergeMessage } from './conflict-rules.ts';

const contents = (path: string) => ({ path, kinds: ['contents'], isFile: true });

describe('listByHand', () => {
  it.each([
    ['src/sum.ts', ['contents']],
    ['src/gone.ts', ['modify/delete']],
    ['src/moved.ts', ['rename/delete', 'contents']],
  ])('leaves %s to the agent (%s)', (path, kinds) => {
    expect(listByHand([{ path, kinds, isFile: true }])).toEqual([]);
  });

  it.each([
    ['a.png', ['binary', 'contents'], true, 'it is a binary file'],
    ['link', ['contents'], false, 'it is not an ordinary file on both sides'],
    ['.github/workflows/ci.yml', ['contents'], true, 'it steers builds or agents'],
    ['sub/CLAUDE.md', ['contents'], true, 'it steers builds or agents'],
    ['a.ts', ['rename/rename'], true, 'git calls it rename/rename'],
    ['a.ts', ['file/directory'], true, 'git calls it file/directory'],
    ['a.ts', ['something new'], true, 'git calls it something new'],
    ['a.ts', [], true, 'git calls it a conflict'],
  ])('leaves %s to a person (%s)', (path, kinds, isFile, why) => {
    expect(listByHand([{ path, kinds, isFile }])).toEqual([`${path}: ${why}`]);
  });

  it('lets no kind pass that is not on the list', () => {
    fc.assert(
      fc.property(fc.string(), (kind) => {
        fc.pre(!['contents', 'modify/delete', 'rename/delete'].includes(kind));
        expect(listByHand([{ path: 'a.ts', kinds: ['contents', kind], isFile: true }])).toHaveLength(1);
      }),
    );
  });
});

describe('what is said', () => {
  it('quotes names of files so that they mention no account and end no line', () => {
    const paths = ['@mallory\n# Fine', 'a`b'];
    const met = { person: 'alice', handle: 'claude', base: 'main', paths, rounds: 2 };
    for (const text of [
      conflictLimitComment(met),
      conflictByHandComment(met, listByHand(paths.map(contents))),
    ]) {
      expect(text.split('\n').some((line) => line.startsWith('#'))).toBe(false);
      expect(text).not.toMatch(/(?<!`[^`\n]*)@mallory/u);
    }
    const message = mergeMessage({ branch: 'gatewright/issue-1', base: 'main', number: 1 }, paths);
    expect(message.split('\n')[0]).toBe('Merge main into gatewright/issue-1');
    expect(message).not.toContain('\n# Fine');
  });
});
