/**
 * The answers that are on the screen. Each question is asked once however many parts show its answer, and again when the
 * ledger got an entry that it is about; until the new answer is there the old one stays, so that nothing flickers.
 */
import type { News, Problem } from './answers.ts';
import { toProblem } from './ask-api.ts';

/** What a part shows: never changed, so that the same object means the same picture. */
export interface Shown<T> {
  readonly data: T | null;
  /** Why there is no newer answer. */
  readonly problem: Problem | null;
}

export type Concern = (news: News) => boolean;

interface Question {
  shown: Shown<unknown>;
  readonly parts: Map<() => void, Concern>;
  state: 'idle' | 'asking' | 'asking-again-later';
  askedAt: number;
  /** How long the last answer took. */
  took: number;
  timer: ReturnType<typeof setTimeout> | null;
}

interface StoreOptions {
  readonly get: (path: string) => Promise<unknown>;
  readonly now: () => number;
  /** The session ended: no further question makes sense. */
  readonly onSignedOut: () => void;
}

const nothing: Shown<never> = { data: null, problem: null };
/** A run can write ten entries a second; a page asks twice. */
const betweenQuestions = 500;
/** What is slow to answer is asked less often: a page keeps the server busy for a tenth of the time at most. */
const restAfterWork = 10;
const longestRest = 5_000;
const betweenTries = 3_000;
/** Of pages that were left, for those who come back. */
const mostKept = 60;

export class AnswerStore {
  readonly #options: StoreOptions;
  readonly #questions = new Map<string, Question>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  read<T>(path: string): Shown<T> {
    return (this.#questions.get(path)?.shown ?? nothing) as Shown<T>;
  }

  /** Shows the answer from now on. Returns how to stop. */
  watch(path: string, concern: Concern, onChange: () => void): () => void {
    const question = this.#find(path);
    const part = (): void => onChange();
    question.parts.set(part, concern);
    if (question.state === 'idle') this.#ask(path, question);
    return () => {
      question.parts.delete(part);
    };
  }

  /** Something is on the ledger. */
  hear(news: News): void {
    for (const [path, question] of this.#questions)
      if ([...question.parts.values()].some((concern) => concern(news))) this.#ask(path, question);
  }

  /** Asks everything on the screen again. */
  refresh(): void {
    for (const [path, question] of this.#questions) if (question.parts.size > 0) this.#ask(path, question);
  }

  /** Resolves with the newest answer, or throws. */
  async renew(path: string): Promise<unknown> {
    const data = await this.#options.get(path);
    this.#show(this.#find(path), { data, problem: null });
    return data;
  }

  #find(path: string): Question {
    const found = this.#questions.get(path);
    if (found !== undefined) return found;
    const question: Question = {
      ...{
        shown: nothing,
        parts: new Map(),
        state: 'idle',
        askedAt: Number.NEGATIVE_INFINITY,
        took: 0,
        timer: null,
      },
    };
    this.#questions.set(path, question);
    for (const [old, { parts }] of this.#questions)
      if (this.#questions.size > mostKept && parts.size === 0 && old !== path) this.#questions.delete(old);
    return question;
  }

  #ask(path: string, question: Question): void {
    if (question.state !== 'idle') {
      question.state = 'asking-again-later';
      return;
    }
    if (question.timer !== null) return;
    const rest = Math.min(longestRest, Math.max(betweenQuestions, restAfterWork * question.took));
    const wait = question.askedAt + rest - this.#options.now();
    if (wait > 0) this.#askLater(path, question, wait);
    else void this.#askNow(path, question);
  }

  #askLater(path: string, question: Question, wait: number): void {
    question.timer = setTimeout(() => {
      question.timer = null;
      if (question.parts.size > 0) void this.#askNow(path, question);
    }, wait);
  }

  async #askNow(path: string, question: Question): Promise<void> {
    question.state = 'asking';
    question.askedAt = this.#options.now();
    let isTriedAgain = false;
    try {
      this.#show(question, { data: await this.#options.get(path), problem: null });
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 401) this.#options.onSignedOut();
      isTriedAgain = problem.status === 0 || problem.status === 429 || problem.status >= 502;
      this.#show(question, { data: question.shown.data, problem });
    }
    question.took = this.#options.now() - question.askedAt;
    // News may have come in between, which changes what is known here of the state.
    const isAskedAgain = (question.state as Question['state']) === 'asking-again-later';
    question.state = 'idle';
    if (isAskedAgain) this.#ask(path, question);
    else if (isTriedAgain && question.timer === null) this.#askLater(path, question, betweenTries);
  }

  #show(question: Question, shown: Shown<unknown>): void {
    // The same answer as before is the same object, and nothing is drawn again.
    const isSame =
      question.shown.problem === shown.problem &&
      JSON.stringify(question.shown.data) === JSON.stringify(shown.data);
    if (isSame) return;
    question.shown = shown;
    for (const part of question.parts.keys()) part();
  }
}
