/**
 * Follows commits to their parents in what the commits themselves say, without starting git. Null is no answer: then git is
 * asked, which also knows of histories that are cut off or shown otherwise than they were committed.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { areIds } from '../known-answers.ts';
import type { ObjectReader } from './object-reader.ts';

/** Most questions are about commits that follow each other closely. */
const mostSteps = 64;

/** By commit and repository: what follows from the id alone is kept for as long as the process lasts, up to a limit. */
const knownParents = new Map<string, readonly string[]>();
const mostKnown = 10_000;

/** What was committed, not what a ref for replacements shows in its place. */
function isItself(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`commit ${content.length}\0`).update(content).digest('hex') === id;
}

function parseParents(content: Buffer): string[] {
  const head = content.toString('latin1', 0, Math.max(0, content.indexOf('\n\n')));
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gmu)].map(([, id = '']) => id);
}

export class CommitHistory {
  readonly #gitFolder: string;
  readonly #reader: ObjectReader;

  constructor(gitFolder: string, reader: ObjectReader) {
    this.#gitFolder = gitFolder;
    this.#reader = reader;
  }

  /** As they were committed, in their order. */
  async findParents(commit: string): Promise<readonly string[] | null> {
    if (!areIds([commit])) return null;
    const key = `${commit} ${this.#gitFolder}`;
    const found = knownParents.get(key) ?? (await this.#readParents(commit));
    if (found === null || !areIds(found)) return null;
    if (knownParents.size >= mostKnown) knownParents.clear();
    knownParents.set(key, found);
    return found;
  }

  async #readParents(commit: string): Promise<string[] | null> {
    const content = await this.#reader.readCommit(commit);
    return content !== null && isItself(commit, content) ? parseParents(content) : null;
  }

  /** Whether it surely is; false also where it takes git to tell. */
  async isSurelyAncestor(older: string, newer: string): Promise<boolean> {
    if (!areIds([older, newer]) || this.#isShownOtherwise()) return false;
    const seen = new Set([newer]);
    for (const commit of seen) {
      if (commit === older) return (await this.findParents(older)) !== null;
      if (seen.size > mostSteps) return false;
      for (const parent of (await this.findParents(commit)) ?? []) seen.add(parent);
    }
    return false;
  }

  /** Cut off, or with other parents. */
  #isShownOtherwise(): boolean {
    return ['shallow', 'info/grafts', 'refs/replace'].some((name) => existsSync(join(this.#gitFolder, name)));
  }
}
