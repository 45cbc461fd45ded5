/**
 * Trees of files as packs of git. A pack from elsewhere is opened in a folder of its own, so that nothing of it is among
 * the objects of the repository before it was looked at as any work of an agent is.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSteeringPath } from '../../../domain/changes/path-class.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { LeftTree, OpenParcel, Parcels } from '../../../ports/proposals/parcels.ts';
import { BareGit } from '../bare-git.ts';
import { changeLimits } from '../fit-change.ts';
import type { Environment } from '../git-environment.ts';
import { onlyOwnSettings } from '../plain-git.ts';
import { removeFolder } from '../remove-folder.ts';
import { tryGit } from '../run-git.ts';
import { findUnsafe } from '../tree-files.ts';
import { restoreTree } from './restore-tree.ts';

/** Of the pack as it travels; more is no change that people could look through. */
const largestPack = changeLimits.change;

/**
 * A few kilobytes can unfold into any number of files and into files of any size. Git stops when one object takes more
 * memory than this, and is stopped after this long. In milliseconds.
 */
const mostMemory = '256m';
const longestLook = 120_000;

function refuse(why: string): GatewrightError {
  return new GatewrightError('proposal-refused', `The proposal is refused: ${why}.`);
}

type Run = (args: readonly string[]) => Promise<string>;

/** In bytes, by path; what is no file has none. */
async function readSizes(run: Run, tree: string): Promise<Map<string, number>> {
  const lines = (await run(['ls-tree', '-r', '-l', '-z', '--full-tree', tree])).split('\0');
  return new Map(
    lines.flatMap((line) => {
      const tab = line.indexOf('\t');
      const size = Number(line.slice(0, tab).split(/ +/u)[3]);
      return tab > 0 && Number.isSafeInteger(size) ? [[line.slice(tab + 1), size] as const] : [];
    }),
  );
}

export class GitParcels implements Parcels {
  readonly #git: BareGit;
  readonly #environment: Environment;

  constructor(root: string, environment: Environment) {
    this.#git = new BareGit(root, environment);
    this.#environment = environment;
  }

  async checkPacking(base: string): Promise<void> {
    const head = await this.#git.try(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    const start = head.code === 0 ? head.output.trim() : base;
    if (!(await this.#git.hasCommit(start)))
      throw new GatewrightError('git-failed', 'There is no commit here that work could follow from.', {
        hint: 'Check out the default branch in this job, as the generated workflows do.',
      });
    await this.pack(base, [{ start, tree: await this.#git.readTree(start) }]);
  }

  async pack(base: string, all: readonly LeftTree[]): Promise<string | null> {
    if (all.length === 0) return null;
    const gitFolder = await this.#git.findGitFolder();
    const left = await this.#findShared(base, all);
    const trees = new Set(all.map(({ tree }) => tree));
    const wanted = [...trees, ...left.map((commit) => `^${commit}^{tree}`)].join('\n');
    const result = await tryGit(gitFolder, this.#environment, ['pack-objects', '--revs', '--stdout', '-q'], {
      input: `${wanted}\n`,
      variables: onlyOwnSettings(gitFolder),
      isBinary: true,
    });
    if (result.code !== 0)
      throw new GatewrightError('git-failed', `git pack-objects failed: ${result.errors.slice(0, 500)}`);
    return Buffer.from(result.output, 'latin1').toString('base64');
  }

  /**
   * Commits whose files need not travel: the base, or where no job has it (the merge that GitHub tries for a pull request)
   * the starts of the work. Not those that were made on the way, which the next job does not have.
   */
  async #findShared(base: string, all: readonly LeftTree[]): Promise<string[]> {
    if (await this.#git.hasCommit(base)) return [base];
    const starts = [...new Set(all.map(({ start }) => start))];
    const shared = await Promise.all(starts.map((start) => this.#isShared(start)));
    return starts.filter((_, index) => shared[index] === true);
  }

  /** Whether it came with the checkout. */
  async #isShared(commit: string): Promise<boolean> {
    if (!(await this.#git.hasCommit(commit))) return false;
    if (await this.#git.isAncestor(commit, 'HEAD')) return true;
    const refs = await this.#git.run(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes']);
    return refs.trim() !== '';
  }

  async open(base: string, parcel: string | null, all: readonly LeftTree[]): Promise<OpenParcel> {
    if ((parcel === null) !== (all.length === 0)) throw refuse('its bundle does not hold what it names');
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-parcel-'));
    const close = async (): Promise<void> => {
      await removeFolder(folder);
    };
    try {
      if (parcel !== null) await this.#unpack(folder, base, parcel, all);
    } catch (error) {
      await close();
      throw error;
    }
    return {
      restore: (left, copy) => restoreTree({ left, copy, own: folder, environment: this.#environment }),
      close,
    };
  }

  async #unpack(folder: string, base: string, parcel: string, all: readonly LeftTree[]): Promise<void> {
    const gitFolder = await this.#git.findGitFolder();
    mkdirSync(join(folder, 'refs'));
    mkdirSync(join(folder, 'objects', 'info'), { recursive: true });
    writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${join(gitFolder, 'objects')}\n`);
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    const bytes = Buffer.from(parcel, 'base64');
    if (bytes.length > largestPack) throw refuse(`its bundle has more than ${largestPack} bytes`);
    mkdirSync(join(folder, 'objects', 'pack'));
    const pack = join(folder, 'objects', 'pack', `pack-${'0'.repeat(40)}.pack`);
    writeFileSync(pack, bytes, { mode: 0o600 });
    const settings = { 'core.bigFileThreshold': '1m' };
    const variables = { ...onlyOwnSettings(folder, { settings }), GIT_ALLOC_LIMIT: mostMemory };
    const run: Run = async (args) => {
      const result = await tryGit(folder, this.#environment, args, { variables, timeout: longestLook }).catch(
        (error: unknown) => {
          // It has more to say than is read.
          if (isGatewrightError(error, 'git-failed')) throw refuse('its bundle holds too much');
          throw error;
        },
      );
      if (result.code === 0) return result.output;
      throw refuse('its bundle is damaged');
    };
    // With `--strict`, every object is whole and of its kind, names nothing that is not there, and no path leads out.
    await run(['index-pack', '--strict', pack]);
    for (const left of all) await this.#judge(run, base, left);
  }

  /** As far as it can be judged before the work is looked at in a copy. */
  async #judge(run: Run, base: string, { start, tree }: LeftTree): Promise<void> {
    if ((await run(['cat-file', '-t', tree])).trim() !== 'tree') throw refuse('it names a tree that is none');
    const isKnown = await this.#git.hasCommit(start);
    if (!isKnown && !(await this.#git.hasCommit(base)))
      throw refuse('neither the commit that its bundle follows from nor that of the workflow run is here');
    // A commit that the run makes on the way is not here yet; then the copy is looked at and nothing else.
    const than = isKnown ? start : base;
    const changed = (await run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', than, tree]))
      .split('\0')
      .filter((path) => path !== '');
    const sizes = await readSizes(run, tree);
    const total = changed.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
    if (total > changeLimits.change * (isKnown ? 1 : 8)) throw refuse('its bundle changes too much');
    if (!isKnown) return;
    if (changed.length > changeLimits.files) throw refuse('its bundle changes too many files');
    const [steering] = changed.filter(isSteeringPath);
    if (steering !== undefined) throw refuse('its bundle changes files that steer agents or builds');
    const source = {
      listTree: (treeish: string) => run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', treeish]),
      readBlob: (object: string) => run(['cat-file', 'blob', object]),
    };
    const [unsafe] = await findUnsafe(source, tree, than);
    if (unsafe !== undefined) throw refuse('its bundle holds paths or links that are not taken over');
  }
}
