/**
 * Makes the repository of a copy: the last commits of the original with all that they hold, no remote, no hooks, and no
 * link to the original. `git fetch` would start five processes for it, and `git init` one more for each copy.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemErrorCode } from '../../../errors.ts';

/** Runs git in a folder with these words, input and variables; throws if it fails. */
type RunGit = (
  folder: string,
  args: readonly string[],
  input?: string,
  variables?: Readonly<Record<string, string>>,
) => Promise<string>;

interface Original {
  readonly root: string;
  /** Where git keeps its files; of a linked work tree the files of its own. */
  readonly gitFolder: string;
}

/** A copy has what was committed: replaced objects are the person's own view of it. */
const asCommitted = { GIT_NO_REPLACE_OBJECTS: '1', GIT_DEFAULT_REF_FORMAT: 'files' };

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Where an original keeps what its work trees share, such as the commits at which its own history is cut off. */
function readOwnEnds(gitFolder: string): string[] {
  const [shared = '.'] = readLines(join(gitFolder, 'commondir'));
  return readLines(join(resolve(gitFolder, shared), 'shallow'));
}

/** A commit and what it follows from, both as they were committed. */
type Parents = readonly string[];

/** The commits of a list at which its history is cut off: with a parent that is not in it. */
function findEnds(commits: ReadonlyMap<string, Parents>, cutBefore: readonly string[]): string[] {
  const isEnd = ([commit, parents]: [string, Parents]): boolean =>
    cutBefore.includes(commit) || parents.some((parent) => !commits.has(parent));
  return [...commits].filter(isEnd).map(([commit]) => commit);
}

export class HistoryCopier {
  readonly #run: RunGit;
  readonly #longest: number;
  /** What git finds out about the file system when it makes a repository, by the length of a commit's name. */
  readonly #settings = new Map<number, string>();
  readonly #findParents: (commit: string) => Promise<Parents | null>;
  /** What was listed from a commit on, by that commit and the ends of the original; the last ones. */
  readonly #listed = new Map<string, readonly (readonly [string, Parents])[]>();

  /**
   * @param longest how many commits a copy has at most
   * @param findParents of a commit, as it was committed; null if git has to tell
   */
  constructor(
    run: RunGit,
    longest: number,
    findParents: (commit: string) => Promise<Parents | null> = async () => null,
  ) {
    this.#run = run;
    this.#longest = longest;
    this.#findParents = findParents;
  }

  /** A repository in an empty folder, on no branch yet. */
  async copy({ root, gitFolder }: Original, commit: string, folder: string): Promise<void> {
    await this.#begin(folder, commit);
    const ownEnds = readOwnEnds(gitFolder);
    const commits = await this.#list(root, commit, ownEnds);
    const ends = findEnds(commits, ownEnds);
    // With an empty list of its own git takes just the ends that it is given here.
    const input = [...ends.map((end) => `--shallow ${end}`), commit, ''].join('\n');
    const pack = join(folder, '.git', 'objects', 'pack', 'pack');
    // A copy that a power cut damages is made anew, so nothing waits for the disk.
    const settings = ['-c', 'core.fsync=none', '--shallow-file', ''];
    const words = [...settings, 'pack-objects', '--quiet', '--revs', '--delta-base-offset', pack];
    await this.#run(root, words, input, asCommitted);
    if (ends.length > 0) writeFileSync(join(folder, '.git', 'shallow'), `${ends.join('\n')}\n`);
  }

  /**
   * The last commits, newest first. A commit with one parent is followed by what its parent is the first of, so that of
   * commits that follow from the same one only the first is asked about.
   */
  async #list(root: string, commit: string, ownEnds: readonly string[]): Promise<Map<string, Parents>> {
    const keyOf = (one: string): string => [root, one, ...ownEnds].join('\n');
    const remember = (list: readonly (readonly [string, Parents])[]): void => {
      const [[first, parents] = ['', []], ...rest] = list;
      if (this.#listed.size > 20) this.#listed.clear();
      this.#listed.set(keyOf(first), list);
      const [parent = '', ...others] = parents;
      // One commit less than a copy has: just as many as follow another commit.
      if (others.length === 0 && rest[0]?.[0] === parent) this.#listed.set(keyOf(parent), rest);
    };
    const parents = ownEnds.includes(commit) ? null : await this.#findParents(commit);
    const before = parents?.length === 1 ? this.#listed.get(keyOf(parents[0] ?? '')) : undefined;
    const known =
      before === undefined || parents === null
        ? null
        : ([[commit, parents], ...before] as const).slice(0, this.#longest);
    const list = known ?? (await this.#ask(root, commit));
    remember(list);
    return new Map(list);
  }

  async #ask(root: string, commit: string): Promise<(readonly [string, Parents])[]> {
    const words = ['rev-list', '--parents', `--max-count=${this.#longest}`, commit];
    const listed = await this.#run(root, words, '', asCommitted);
    return listed
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '))
      .map(([own = '', ...parents]) => [own, parents] as const);
  }

  /** The first time with git, so that it looks at the file system; then with what it found. */
  async #begin(folder: string, commit: string): Promise<void> {
    const own = join(folder, '.git');
    const settings = this.#settings.get(commit.length);
    if (settings === undefined) {
      const format = `--object-format=${commit.length === 64 ? 'sha256' : 'sha1'}`;
      await this.#run(
        folder,
        ['init', '--quiet', '--template=', '--initial-branch=work', format],
        '',
        asCommitted,
      );
      this.#settings.set(commit.length, readFileSync(join(own, 'config'), 'utf8'));
    } else {
      for (const part of ['objects/info', 'refs/heads', 'refs/tags'])
        mkdirSync(join(own, part), { recursive: true });
      writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/work\n');
      writeFileSync(join(own, 'config'), settings);
    }
    // Tools such as pre-commit put their files into the folder of hooks.
    for (const part of ['objects/pack', 'info', 'hooks']) mkdirSync(join(own, part), { recursive: true });
  }
}
