/**
 * What a branch and a commit may be called on a forge. Checked before anything is run or sent, because a name from
 * elsewhere could be an option, a path or a whole expression to git.
 */
import { GatewrightError } from '../../errors.ts';
import { hasUnsafeCharacters } from '../text/untrusted-text.ts';

const longestName = 200;

/** Git's own rules (git-check-ref-format), and no name that is read as something else than a branch. */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > longestName || hasUnsafeCharacters(name)) return false;
  if (name.startsWith('-') || name.startsWith('refs/') || name === 'HEAD' || name === '@') return false;
  if (/[\s~^:?*[\\]|\.\.|@\{|\/\/|\/$|^\/|\.$/u.test(name)) return false;
  return name
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.toLowerCase().endsWith('.lock'));
}

/** Returns the name; refuses what is not a plain branch name. */
export function checkBranchName(name: string): string {
  if (isBranchName(name)) return name;
  throw new GatewrightError(
    'forge-rejected',
    'A branch name has to be plain: no spaces, control characters, "..", "@{", "~^:?*[\\", no leading "-" or "refs/", no ".lock".',
    { hint: 'Use letters, digits, hyphens and slashes, for example feature/export-csv.' },
  );
}

export function isCommitName(sha: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(sha);
}

/** Returns the commit; refuses everything but a whole hash, so that nothing else can be meant by it. */
export function checkCommitName(sha: string): string {
  if (isCommitName(sha)) return sha;
  throw new GatewrightError('forge-rejected', 'A commit has to be named by its whole hash.', {
    hint: 'See it with: git rev-parse BRANCH',
  });
}
