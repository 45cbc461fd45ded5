/** The objects of a repository, read and written by git processes that last a while. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../git-environment.ts';
import { CommitHistory } from './commit-history.ts';
import { LastingGit, type Reading } from './lasting-git.ts';
import { KnownTrees, ObjectReader } from './object-reader.ts';

const commands = {
  read: ['cat-file', '--batch-command'],
  tree: ['mktree', '-z', '--batch'],
  blob: ['hash-object', '-w', '--no-filters', '--stdin-paths'],
  commit: ['hash-object', '-w', '-t', 'commit', '--no-filters', '--stdin-paths'],
} as const;
type Command = keyof typeof commands;

/** So many repositories are worked with at a time; the process of one that was used long ago ends. */
const mostProcesses = 12;

const processes = new WeakMap<Environment, Map<string, LastingGit>>();

/** Another repository may have come to where one was taken away. */
function stampOf(gitFolder: string): string {
  const status = statSync(gitFolder, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? '' : `${status.dev} ${status.ino} ${status.birthtimeNs}`;
}

function processFor(gitFolder: string, environment: Environment, command: Command): LastingGit {
  const all = processes.get(environment) ?? new Map<string, LastingGit>();
  processes.set(environment, all);
  const key = [command, gitFolder, stampOf(gitFolder)].join('\0');
  const known = all.get(key);
  all.delete(key);
  const git =
    known === undefined || known.hasEnded
      ? new LastingGit({
          folder: gitFolder,
          environment,
          args: ['--git-dir', gitFolder, ...commands[command]],
          variables: {
            GIT_IMPLICIT_WORK_TREE: '0',
            // Of a partial clone git would fetch what is missing, from where and with what the settings say.
            GIT_ALLOW_PROTOCOL: 'none',
            GIT_NO_LAZY_FETCH: '1',
          },
        })
      : known;
  // The one that was used last is the last.
  all.set(key, git);
  for (const [other, one] of all) {
    if (all.size <= mostProcesses) break;
    one.close();
    all.delete(other);
  }
  return git;
}

const knownTrees = new Map<string, KnownTrees>();

/** Of the repository that is in the folder now. */
function knownTreesOf(gitFolder: string): KnownTrees {
  const key = `${gitFolder}\0${stampOf(gitFolder)}`;
  const known = knownTrees.get(key) ?? new KnownTrees();
  if (!knownTrees.has(key) && knownTrees.size >= mostProcesses) knownTrees.clear();
  knownTrees.set(key, known);
  return known;
}

function readIds(count: number): (output: Buffer) => Reading<string[]> {
  return (output) => {
    const text = output.toString('latin1');
    const lines = text.split('\n');
    if (lines.length <= count) return { needed: output.length + 1 };
    const ids = lines.slice(0, count);
    const areGood = ids.every((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(id));
    return areGood ? { value: ids, length: ids.join('\n').length + 1 } : null;
  };
}

export class RepositoryObjects {
  readonly #gitFolder: string;
  readonly #environment: Environment;
  readonly reader: ObjectReader;
  readonly history: CommitHistory;

  constructor(gitFolder: string, environment: Environment) {
    this.#gitFolder = gitFolder;
    this.#environment = environment;
    this.reader = new ObjectReader(() => this.askTo('read'), knownTreesOf(gitFolder));
    this.history = new CommitHistory(gitFolder, this.reader);
  }

  askTo(command: Command): LastingGit {
    return processFor(this.#gitFolder, this.#environment, command);
  }

  /** Writes the contents of files as they are; null if git has to be asked anew. */
  async writeFiles(files: readonly string[], kind: 'blob' | 'commit' = 'blob'): Promise<string[] | null> {
    if (files.length === 0) return [];
    // A name in quotes would be read as an escaped one.
    if (files.some((file) => /[\n\r\0]/u.test(file) || file.startsWith('"'))) return null;
    return this.askTo(kind).ask(files.map((file) => `${file}\n`).join(''), readIds(files.length));
  }

  async writeTexts(texts: readonly string[], kind: 'blob' | 'commit' = 'blob'): Promise<string[] | null> {
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-texts-'));
    try {
      const files = texts.map((text, index) => {
        const file = join(folder, String(index));
        writeFileSync(file, text);
        return file;
      });
      return await this.writeFiles(files, kind);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
