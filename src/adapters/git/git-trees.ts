/** Trees over the repository's real git. */
import type { ChangedPath } from '../../domain/changes/change-risk.ts';
import type { UnsafeFile } from '../../domain/changes/judge-tree.ts';
import type { TreeFile } from '../../domain/changes/tree-file.ts';
import { checkCommitName } from '../../domain/forge/git-names.ts';
import { GatewrightError } from '../../errors.ts';
import type { Trees } from '../../ports/trees.ts';
import { BareGit } from './bare-git.ts';
import type { Environment } from './git-environment.ts';
import { writeText, writeTree } from './objects/write-tree.ts';
import { countChanges } from './reading/read-changes.ts';
import { findUnsafe, listTree, modes } from './tree-files.ts';

/** For commits that are made only to be merged and are never shown. */
const nobody = {
  GIT_AUTHOR_NAME: 'gatewright',
  GIT_AUTHOR_EMAIL: 'gatewright@localhost',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_NAME: 'gatewright',
  GIT_COMMITTER_EMAIL: 'gatewright@localhost',
  GIT_COMMITTER_DATE: '1700000000 +0000',
};

export class GitTrees implements Trees {
  readonly #git: BareGit;

  constructor(root: string, environment: Environment) {
    this.#git = new BareGit(root, environment);
  }

  async listFiles(treeish: string): Promise<TreeFile[]> {
    return listTree(this.#git, treeish);
  }

  async listChanges(from: string, to: string): Promise<ChangedPath[]> {
    const files = await countChanges(this.#git, from, to);
    return files.map(({ isTypeChange: _, ...file }) => file);
  }

  findUnsafe(treeish: string, than: string | null): Promise<UnsafeFile[]> {
    return findUnsafe(this.#git, treeish, than);
  }

  async takePaths(base: string, from: string, paths: readonly string[]): Promise<string> {
    const wanted = new Set(paths);
    const files = (await this.listFiles(from)).filter(({ path }) => wanted.has(path));
    return this.#writeTree(base, paths, files);
  }

  async putFiles(
    base: string,
    files: readonly { readonly path: string; readonly text: string | null }[],
  ): Promise<string> {
    const added: TreeFile[] = [];
    for (const { path, text } of files)
      if (text !== null) added.push({ path, kind: 'file', object: await writeText(this.#git, text) });
    const removed = files.filter(({ text }) => text === null).map(({ path }) => path);
    return this.#writeTree(base, removed, added);
  }

  #writeTree(base: string | null, removed: readonly string[], files: readonly TreeFile[]): Promise<string> {
    const added = files.map(({ kind, object, path }) => ({ mode: modes[kind], object, path }));
    return writeTree(this.#git, { base, removed, added });
  }

  /** Of these paths alone, as a commit: git merges commits. */
  async #commitOf(treeish: string, paths: ReadonlySet<string>, parent: string | null): Promise<string> {
    const files = (await this.listFiles(treeish)).filter(({ path }) => paths.has(path));
    const tree = await this.#writeTree(null, [], files);
    const parents = parent === null ? [] : ['-p', parent];
    return (
      await this.#git.run(['commit-tree', '--no-gpg-sign', ...parents, tree], { environment: nobody })
    ).trim();
  }

  async mergePaths(
    base: string,
    ours: string,
    theirs: string,
    paths: readonly string[],
  ): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }> {
    const wanted = new Set(paths);
    const root = await this.#commitOf(base, wanted, null);
    const [one, other] = [
      await this.#commitOf(ours, wanted, root),
      await this.#commitOf(theirs, wanted, root),
    ];
    // A file that was moved is one that is gone and one that is new: nothing is guessed.
    const settings = ['-c', 'merge.renames=false', '-c', 'merge.directoryRenames=false'];
    const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, other];
    const merged = await this.#git.try([...settings, ...words]);
    if (merged.code > 1)
      throw new GatewrightError(
        'git-failed',
        `git merge-tree failed: ${merged.errors.trim().slice(0, 500)}`,
        {
          hint: 'Merging needs git 2.38 or newer: update git and try again.',
        },
      );
    const [tree = '', ...named] = merged.output.split('\0').map((word) => word.trim());
    const conflicts = [...new Set(named.filter((name) => name !== ''))];
    const files = (await this.listFiles(tree)).filter(
      ({ path }) => wanted.has(path) && !conflicts.includes(path),
    );
    return { tree: await this.#writeTree(null, [], files), conflicts };
  }

  treeOf(commit: string): Promise<string> {
    return this.#git.readTree(checkCommitName(commit));
  }

  hasCommit(commit: string): Promise<boolean> {
    return this.#git.hasCommit(commit);
  }

  findMergeBase(one: string, other: string): Promise<string | null> {
    return this.#git.findMergeBase(one, other);
  }
}
