import { expect, it } from 'vitest';
import { readPatchLines } from './patch-lines.ts';

it('tells which lines of the new side a patch shows, and what they say', () => {
  const patch =
    '@@ -1,3 +1,4 @@ section\n one\n-two\n+TWO\n+and\n three\n@@ -20 +21,2 @@\n x\n+@@ -1 +9 @@\n\\ No newline';
  expect([...readPatchLines(patch)]).toEqual([
    [1, 'one'],
    [2, 'TWO'],
    [3, 'and'],
    [4, 'three'],
    [21, 'x'],
    [22, '@@ -1 +9 @@'],
  ]);
  expect([...readPatchLines('')]).toEqual([]);
});
