/** Compares what commits hold with what should be in them, without running filters that a repository names. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { CommittedFiles } from '../../ports/committed-files.ts';
import type { Environment } from './git-environment.ts';
import { tryGit } from './run-git.ts';

function blobOf(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const withPlainEnds = (text: string): string => text.replace(/\r\n/gu, '\n');

export class GitCommittedFiles implements CommittedFiles {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async findDiffering(
    root: string,
    commit: string,
    expected: ReadonlyMap<string, string>,
  ): Promise<readonly string[]> {
    if (expected.size === 0 || !existsSync(root) || !/^[0-9a-f]{40,64}$/u.test(commit)) return [];
    const listed = await tryGit(root, this.#environment, [
      ...['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', commit, '--', ...expected.keys()],
    ]);
    if (listed.code !== 0) return [];
    const differing: string[] = [];
    for (const entry of listed.output.split('\0')) {
      const [, , blob = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/su.exec(entry) ?? [];
      const text = expected.get(path);
      if (text === undefined || blob === blobOf(text)) continue;
      // Git may have been told to change line ends, or names its objects by other hashes: then the words decide.
      const shown = await tryGit(root, this.#environment, ['cat-file', 'blob', blob]);
      if (shown.code === 0 && withPlainEnds(shown.output) !== withPlainEnds(text)) differing.push(path);
    }
    return differing;
  }
}
