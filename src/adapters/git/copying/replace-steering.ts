/**
 * Puts the files that steer agents and builds in a copy back to what they are in another tree, whatever stands in their
 * place: a file, a folder, a link, on either side. Links are not made: what they lead to may be changed by a pull request.
 * The files that they lead to in the other tree stand in their place.
 */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { steeringRootOf } from '../../../domain/changes/path-class.ts';
import type { TreeFile } from '../../../domain/changes/tree-file.ts';

type ReadBlob = (object: string) => Promise<string>;

/** A link to a link to a link … */
const longestChain = 5;

class SteeringTree<F extends TreeFile> {
  readonly #files: ReadonlyMap<string, F>;
  readonly #read: ReadBlob;

  constructor(files: readonly F[], read: ReadBlob) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#read = read;
  }

  /** The files to make for an entry, links followed within the tree. */
  async expand(entry: F, at = entry.path, chain = 0): Promise<{ path: string; file: F }[]> {
    if (entry.kind === 'repository' || chain > longestChain) return [];
    if (entry.kind !== 'link') return [{ path: at, file: entry }];
    const target = normalize(join(dirname(entry.path), await this.#read(entry.object))).replace(/\/$/u, '');
    const direct = this.#files.get(target);
    if (direct !== undefined) return this.expand(direct, at, chain + 1);
    const below = [...this.#files.values()].filter(({ path }) => path.startsWith(`${target}/`));
    const found = below.map((one) => this.expand(one, `${at}${one.path.slice(target.length)}`, chain + 1));
    return (await Promise.all(found)).flat();
  }
}

/** Whether all there is of the way to a file are folders; a link that the pull request brought may lead anywhere. */
function isPlainWay(root: string, path: string): boolean {
  for (let part = dirname(path); part !== '.'; part = dirname(part)) {
    const status = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (status !== undefined && !status.isDirectory()) return false;
  }
  return true;
}

/** What `replaceSteering` puts into a copy, by path. */
export async function listSteering<F extends TreeFile>(
  wanted: readonly F[],
  read: ReadBlob,
): Promise<Map<string, F>> {
  const tree = new SteeringTree(wanted, read);
  const found = new Map<string, F>();
  for (const entry of wanted.filter(({ path }) => steeringRootOf(path) !== null))
    for (const { path, file } of await tree.expand(entry)) found.set(path, file);
  return found;
}

export async function replaceSteering(
  folder: string,
  present: readonly TreeFile[],
  wanted: readonly TreeFile[],
  read: ReadBlob,
): Promise<void> {
  const roots = new Set(present.map(({ path }) => steeringRootOf(path)).filter((root) => root !== null));
  for (const root of roots) rmSync(join(folder, root), { recursive: true, force: true });
  const tree = new SteeringTree(wanted, read);
  for (const entry of wanted.filter(({ path }) => steeringRootOf(path) !== null)) {
    for (const { path, file } of await tree.expand(entry)) {
      if (!isPlainWay(folder, path)) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const mode = file.kind === 'program' ? 0o755 : 0o644;
      writeFileSync(join(folder, path), await read(file.object), { mode, flag: 'wx' });
    }
  }
}
