/**
 * Git with our own folder and our own settings over the objects of a person's repository. The settings of a repository
 * name programs, proxies and other servers, and a person's own settings name credentials: none of them is read when git
 * talks to a forge with our token. Fetched objects are in the repository at once; its refs are not touched.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BareGit } from './bare-git.ts';
import { type GitResult, tryGit } from './run-git.ts';

/** Settings for one command; they are handed over in the environment, so that no list of processes shows them. */
export type GitSettings = Readonly<Record<string, string>>;

const prefix = 'git-';
/** So many refs tell a server what is here already; more would only cost time. */
const mostRefs = 5000;
const staleAfter = 24 * 3_600_000;
export const longestCommand = 15 * 60_000;

/** How an address is reached, as git names it; a path is a file. */
export function protocolOf(address: string): string {
  return /^([a-z]+):\/\//u.exec(address)?.[1] ?? 'file';
}

/** What makes git work in a folder with nothing but these settings. */
export function onlyOwnSettings(
  folder: string,
  more: { readonly settings?: GitSettings; readonly protocol?: string } = {},
): Record<string, string> {
  const settings = Object.entries(more.settings ?? {});
  return {
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // A person's .netrc holds passwords too.
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: more.protocol ?? 'none',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

export class PlainGit {
  readonly #git: BareGit;
  readonly #folder: string;
  readonly #objects: string;

  private constructor(git: BareGit, folder: string, objects: string) {
    this.#git = git;
    this.#folder = folder;
    this.#objects = objects;
  }

  /** @param scratch where the folder is made; it is removed after the work */
  static async with<T>(git: BareGit, scratch: string, work: (plain: PlainGit) => Promise<T>): Promise<T> {
    const gitFolder = await git.findGitFolder();
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    removeStale(scratch);
    const folder = mkdtempSync(join(scratch, prefix));
    try {
      mkdirSync(join(folder, 'refs'));
      writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
      writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
      // Where the history of a shallow clone ends.
      if (existsSync(join(gitFolder, 'shallow')))
        copyFileSync(join(gitFolder, 'shallow'), join(folder, 'shallow'));
      return await work(new PlainGit(git, folder, join(gitFolder, 'objects')));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Takes over what the repository's refs lead to; without it everything would be fetched anew each time. Objects are
   * looked at with our settings only.
   */
  async adoptRefs(): Promise<void> {
    const list = async (...prefixes: readonly string[]): Promise<string[]> => {
      const words = ['--sort=-committerdate', '--format=%(objectname)', `--count=${mostRefs}`];
      const { output } = await this.#git.try(['for-each-ref', ...words, ...prefixes]);
      return output.split('\n').filter((line) => line !== '');
    };
    // Ours may be many, and what they lead to is mostly old.
    const all = [
      ...(await list('refs/heads', 'refs/remotes', 'refs/tags')),
      ...(await list('refs/gatewright')),
    ];
    const names = [...new Set(all)].slice(0, mostRefs);
    const { output } = await this.try(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
      input: names.map((name) => `${name}\n`).join(''),
    });
    const commits = output
      .split('\n')
      .filter((line) => line.endsWith(' commit'))
      .map((line) => line.slice(0, line.indexOf(' ')))
      .sort();
    const lines = commits.map((commit) => `${commit} refs/known/${commit}\n`);
    writeFileSync(join(this.#folder, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`);
  }

  try(
    args: readonly string[],
    more: { readonly input?: string; readonly settings?: GitSettings; readonly protocol?: string } = {},
  ): Promise<GitResult> {
    return tryGit(this.#folder, this.#git.environment, args, {
      input: more.input,
      timeout: longestCommand,
      variables: { ...onlyOwnSettings(this.#folder, more), GIT_OBJECT_DIRECTORY: this.#objects },
    });
  }

  async hasCommit(sha: string): Promise<boolean> {
    const found = await this.try(['cat-file', '-t', sha]);
    return found.code === 0 && found.output.trim() === 'commit';
  }
}

/** What processes that were killed have left. */
function removeStale(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    if (!name.startsWith(prefix)) continue;
    const status = statSync(join(scratch, name), { throwIfNoEntry: false });
    if (status !== undefined && Date.now() - status.mtimeMs > staleAfter)
      rmSync(join(scratch, name), { recursive: true, force: true });
  }
}
