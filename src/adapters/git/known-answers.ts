/**
 * Answers of git that follow from the ids of objects alone, kept for a while: an id stands for the same content for ever,
 * and the steps of one chain ask about the same few commits again and again.
 */

/** Longer answers are not kept: each would push all others out. */
const longestAnswer = 262_144;
const longestTogether = 8_388_608;

const wholeId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;

export function areIds(words: readonly string[]): boolean {
  return words.every((word) => wholeId.test(word));
}

/** Options that say how something is shown, and not what. */
const shownBy: ReadonlySet<string> = new Set([
  ...['-r', '-l', '-z', '-p', '-M', '-U3', '--raw', '--numstat', '--full-tree', '--end-of-options'],
  ...['--no-ext-diff', '--no-textconv', '--no-color'],
]);
const idsOf: Readonly<Record<string, number>> = { 'diff-tree': 2, diff: 2, 'ls-tree': 1 };

/** Whether the answer is the same for ever: a known question about ids, with nothing else that could mean something. */
export function isSettled(args: readonly string[]): boolean {
  const [command = '', ...rest] = args;
  const meant = rest.filter((word) => !shownBy.has(word));
  return meant.length === idsOf[command] && areIds(meant);
}

const mostRepositories = 20;
const repositories = new Map<string, KnownAnswers>();

/** One for each repository, however many objects work with it. */
export function knownAnswersOf(gitFolder: string): KnownAnswers {
  const known = repositories.get(gitFolder) ?? new KnownAnswers();
  if (!repositories.has(gitFolder) && repositories.size >= mostRepositories) repositories.clear();
  repositories.set(gitFolder, known);
  return known;
}

class KnownAnswers {
  /** The one that was used last is the last. */
  readonly #answers = new Map<string, string>();
  #length = 0;

  /** Null is no answer: what is not there now may come later. */
  async ask<T extends string | null>(args: readonly string[], run: () => Promise<T>): Promise<T | string> {
    const key = args.join('\0');
    const known = this.#answers.get(key);
    if (known !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known;
    }
    const answer = await run();
    if (answer !== null) this.#keep(key, answer);
    return answer;
  }

  #keep(key: string, answer: string): void {
    if (answer.length > longestAnswer || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#length += answer.length + key.length;
    for (const [oldest, text] of this.#answers) {
      if (this.#length <= longestTogether) return;
      this.#answers.delete(oldest);
      this.#length -= text.length + oldest.length;
    }
  }
}
