/** Paths in the state document. A model writes them, and later stages open them: they may lead nowhere but into the tree. */
import { z } from 'zod';
import { isGitFolder, isPlainPath, isShortGitName } from '../../../../domain/changes/plain-path.ts';
import { said } from '../../../documents/field-forms.ts';

export function isTreePath(path: string): boolean {
  return (
    isPlainPath(path) &&
    // Tabs and line breaks can be seen, but no tool shows a name with them on one line.
    !/[\u0000-\u001F]/u.test(path) &&
    // From the root of a drive on Windows.
    !/^[A-Za-z]:/u.test(path) &&
    !path.split('/').some((part) => isGitFolder(part) || isShortGitName(part))
  );
}

export const treePath = z
  .string(said('has to be a path'))
  .refine(
    isTreePath,
    'has to be a plain path inside the tree, such as src/app.ts: without "..", backslashes and control characters, not absolute and not in .git',
  );
