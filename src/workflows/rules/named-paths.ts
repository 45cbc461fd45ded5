/** Which files and folders of a repository a text names, and which paths it names that are not there. */
import { type FileTree, isUsablePath } from './file-tree.ts';

interface NamedPaths {
  /** Files of the repository. */
  readonly files: readonly string[];
  /** Folders of the repository. */
  readonly folders: readonly string[];
  /** What is written like a path and is not in the repository: a file that is to be made, or a mistake. */
  readonly absent: readonly string[];
  /** Those of them that the text says are to be made. */
  readonly made: readonly string[];
}

/** "Create `x`", "Add a new test in `x`", "in a new file called `x`": nothing but such words stands between. */
const making =
  /\b(?:new|creat(?:e|es|ing)|add(?:s|ing)?|mak(?:e|es|ing)|writ(?:e|es|ing)|introduc(?:e|es|ing))(?:\s+(?:a|an|the|new|file|files|module|script|page|test|tests|and|called|named|at|in|as|with|small|empty))*[\s:`"'(*]*$/iu;
/** "`x` (new)", "`x`, which does not exist yet". */
const toBeMade =
  /^[`"')*]*[\s,(—–-]*(?:new\b|to be (?:made|created|added|written)|(?:which |that )?(?:is new|does not exist yet|is missing)\b)/iu;
const nearby = 80;

function isToBeMade(text: string, path: string): boolean {
  const at = text.indexOf(path);
  if (at === -1) return false;
  const end = at + path.length;
  return (
    making.test(text.slice(Math.max(0, at - nearby), at)) || toBeMade.test(text.slice(end, end + nearby))
  );
}

/** What stands in quotes, back-ticks or brackets, or between blanks. */
export function tokensOf(text: string): string[] {
  return text.split(/[\s"'`“”‘’()<>[\],;|]+/u).filter((token) => token !== '');
}

/** The path in a token: without the address of the forge, a place in the file and the end of a sentence. */
export function pathInToken(token: string): string {
  return token
    .replace(/^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:blob|tree)\/[^/]+\//u, '')
    .replace(/#L\d+.*$/u, '')
    .replace(/[.:!?*]+$/u, '')
    .replace(/(?::\d+){1,2}$/u, '')
    .replace(/^(?:\.\/)+/u, '')
    .replace(/^\*+/u, '');
}

/** At least one folder and an ending: `and/or` and `1.2` are none. */
const pathLike = /^[\w@.+-]+(?:\/[\w@.+-]+)+\.[A-Za-z]\w{0,7}$/u;

function isPathLike(path: string): boolean {
  return pathLike.test(path) && isUsablePath(path);
}

export function findNamedPaths(text: string, tree: FileTree): NamedPaths {
  const found = { files: new Set<string>(), folders: new Set<string>(), absent: new Set<string>() };
  for (const token of tokensOf(text)) {
    const path = pathInToken(token);
    const folder = path.replace(/\/+$/u, '');
    const [only, ...more] = path.includes('/') || !path.includes('.') ? [] : tree.ofSameName(path);
    if (tree.files.has(path)) found.files.add(path);
    else if (path.includes('/') && folder !== '' && tree.folders.has(folder)) found.folders.add(folder);
    // A name without its folder says which file it is as long as there is one of that name.
    else if (only !== undefined && more.length === 0) found.files.add(only);
    else if (isPathLike(path)) found.absent.add(path);
  }
  return {
    files: [...found.files],
    folders: [...found.folders],
    absent: [...found.absent],
    made: [...found.absent].filter((path) => isToBeMade(text, path)),
  };
}
