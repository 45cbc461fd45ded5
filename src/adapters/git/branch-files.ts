/**
 * Reads branches from the files in which git keeps them, without starting git: where a branch is gets asked at every look
 * at a pull request. Only what is recognised is answered; for everything else (another storage of refs, a link, a ref to a
 * ref, a name that git would not take) the answer is `unknown`, and git is asked.
 *
 * Git replaces these files whole, and writes a ref to the packed file before it removes the loose one. So the loose file is
 * read first, as git does.
 */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isBranchName } from '../../domain/forge/git-names.ts';
import { systemErrorCode } from '../../errors.ts';

export const unknown = Symbol('unknown');
type Unknown = typeof unknown;

const prefix = 'refs/heads/';
const wholeHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
/** Deeper than any name of an allowed length can be. */
const deepest = 100;

/** Reads what is there; null when no file is. A folder is no ref: others have names that go on from this one. */
function readIfThere(file: string): string | null | Unknown {
  try {
    const status = lstatSync(file);
    if (status.isDirectory()) return null;
    return status.isFile() ? readFileSync(file, 'utf8') : unknown;
  } catch (error) {
    const code = systemErrorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : unknown;
  }
}

function isElsewhere(gitFolder: string): boolean {
  return statSync(join(gitFolder, 'reftable'), { throwIfNoEntry: false }) !== undefined;
}

interface Packed {
  readonly stamp: string;
  readonly branches: ReadonlyMap<string, string>;
}

const packedFiles = new Map<string, Packed>();
const mostPackedFiles = 20;

/** A repository may have very many packed refs; the file is read again only when it was replaced. */
function readPacked(gitFolder: string): ReadonlyMap<string, string> | Unknown {
  const file = join(gitFolder, 'packed-refs');
  const status = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return new Map();
  const stamp = `${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
  const known = packedFiles.get(file);
  if (known?.stamp === stamp) return known.branches;
  const text = readIfThere(file);
  if (typeof text !== 'string') return unknown;
  const branches = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue;
    const space = line.indexOf(' ');
    const [hash, ref] = [line.slice(0, space), line.slice(space + 1)];
    if (!wholeHash.test(hash) || !ref.startsWith('refs/')) return unknown;
    if (ref.startsWith(prefix)) branches.set(ref.slice(prefix.length), hash);
  }
  if (packedFiles.size >= mostPackedFiles) packedFiles.clear();
  packedFiles.set(file, { stamp, branches });
  return branches;
}

function readLoose(gitFolder: string, ref: string): string | null | Unknown {
  const text = readIfThere(join(gitFolder, ref));
  if (typeof text !== 'string') return text;
  const hash = text.replace(/\n$/u, '');
  return wholeHash.test(hash) ? hash : unknown;
}

/** Whether a ref of ours surely is at a commit; false when it takes git to tell. */
export function isSurelyAt(gitFolder: string, ref: string, commit: string): boolean {
  return !isElsewhere(gitFolder) && readLoose(gitFolder, ref) === commit;
}

/** Whether all refs of ours below one name surely are below one part of it; false when it takes git to tell. */
export function areSurelyBelow(gitFolder: string, parent: string, part: string): boolean {
  try {
    if (isElsewhere(gitFolder) || readdirSync(join(gitFolder, parent)).some((name) => name !== part))
      return false;
    const packed = readIfThere(join(gitFolder, 'packed-refs'));
    return packed === null || (typeof packed === 'string' && !packed.includes(` ${parent}`));
  } catch {
    return false;
  }
}

/** The commit of a branch; null when there is no such branch. */
export function readBranchFile(gitFolder: string, name: string): string | null | Unknown {
  if (!isBranchName(name) || isElsewhere(gitFolder)) return unknown;
  const loose = readLoose(gitFolder, prefix + name);
  if (loose !== null) return loose;
  const packed = readPacked(gitFolder);
  return packed === unknown ? unknown : (packed.get(name) ?? null);
}

/** Names of the loose ones, those below a folder with it. */
function listLoose(folder: string, before: string, depth: number): string[] | Unknown {
  if (depth > deepest) return unknown;
  const names: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = before + entry.name;
    if (entry.isDirectory()) {
      const below = listLoose(join(folder, entry.name), `${name}/`, depth + 1);
      if (below === unknown) return unknown;
      names.push(...below);
    } else if (!entry.name.endsWith('.lock')) names.push(name);
  }
  return names;
}

/** All branches with their commits, in the order in which git lists them. */
export function listBranchFiles(gitFolder: string): Map<string, string> | Unknown {
  if (isElsewhere(gitFolder)) return unknown;
  try {
    const found = new Map<string, string>();
    const names = listLoose(join(gitFolder, prefix), '', 0);
    if (names === unknown || !names.every(isBranchName)) return unknown;
    for (const name of names) {
      const hash = readLoose(gitFolder, prefix + name);
      if (hash === unknown) return unknown;
      if (hash !== null) found.set(name, hash);
    }
    const packed = readPacked(gitFolder);
    if (packed === unknown || ![...packed.keys()].every(isBranchName)) return unknown;
    const all = [...new Map([...packed, ...found])];
    return new Map(all.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  } catch {
    return unknown;
  }
}

/** The branch that `HEAD` of the main work tree stands on; null when it stands on a commit. */
export function readHeadFile(gitFolder: string): string | null | Unknown {
  const text = readIfThere(join(gitFolder, 'HEAD'));
  if (typeof text !== 'string' || isElsewhere(gitFolder)) return unknown;
  if (wholeHash.test(text.trimEnd())) return null;
  const name = /^ref: refs\/heads\/(?<name>[^\n]+)\n$/u.exec(text)?.groups?.name;
  return name !== undefined && isBranchName(name) ? name : unknown;
}

const originPrefix = 'refs/remotes/origin/';

/** The branch that `HEAD` of `origin` stands on; null when that is not known. Refs to refs are never in the packed file. */
export function readOriginHeadFile(gitFolder: string): string | null | Unknown {
  if (isElsewhere(gitFolder)) return unknown;
  const text = readIfThere(join(gitFolder, originPrefix, 'HEAD'));
  if (typeof text !== 'string') return text;
  const name = /^ref: refs\/remotes\/origin\/(?<name>[^\n]+)\n$/u.exec(text)?.groups?.name;
  return name !== undefined && isBranchName(name) ? name : unknown;
}
