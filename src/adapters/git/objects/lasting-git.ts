/**
 * A git process that answers one question after another, for the commands of git that are made for it. Starting git takes
 * longer than most of its answers, above all from a large program. It ends by itself when it was not asked for a while,
 * keeps no program from ending, and ends with it however that ends: its input is closed then.
 *
 * It only saves time. Where it has no answer, for whatever reason, git is asked anew, and what that says counts.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../git-environment.ts';
import { startGitToAsk } from '../run-git.ts';

/** What is read from the beginning of the output; `needed` is how much of it there has to be before it can be read. */
export type Reading<T> =
  | { readonly value: T; readonly length: number }
  | { readonly needed: number }
  /** Output that means nothing: the process is not asked again. */
  | null;

interface Question {
  readonly read: (output: Buffer) => Reading<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly giveUp: () => void;
}

export interface LastingGitOptions {
  readonly folder: string;
  readonly environment: Environment;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const longestIdle = 5000;

export class LastingGit {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: Question[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = 1;
  #hasEnded = false;
  #idle: NodeJS.Timeout | null = null;

  constructor({ folder, environment, args, variables }: LastingGitOptions) {
    this.#child = startGitToAsk(folder, environment, args, variables);
    this.#child.on('error', () => this.#end()).on('close', () => this.#end());
    this.#child.stdin.on('error', () => this.#end());
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk)).on('error', () => this.#end());
    this.#holdProgram(false);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Null when there is no answer. Questions are answered in their order. */
  ask<T>(input: string | Buffer, read: (output: Buffer) => Reading<T>): Promise<T | null> {
    if (this.#hasEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      if (this.#idle !== null) clearTimeout(this.#idle);
      if (this.#waiting.length === 0) this.#holdProgram(true);
      this.#waiting.push({ read, resolve: (value) => resolve(value as T), giveUp: () => resolve(null) });
      this.#child.stdin.write(input);
    });
  }

  close(): void {
    if (this.#waiting.length === 0) this.#end();
  }

  /**
   * Only while a question is open does the program wait for it: also for its end, which comes after the end of its output
   * and is the answer then.
   */
  #holdProgram(isHeld: boolean): void {
    if (isHeld) this.#child.ref();
    else this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout] as (Writable | Readable)[])
      if (isHeld) (stream as Socket).ref?.();
      else (stream as Socket).unref?.();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return;
    let output = Buffer.concat(this.#chunks);
    this.#needed = 1;
    while (output.length >= this.#needed) {
      const [question] = this.#waiting;
      const reading = question?.read(output) ?? null;
      if (question === undefined || reading === null) {
        this.#end();
        return;
      }
      if ('needed' in reading) {
        this.#needed = Math.max(reading.needed, output.length + 1);
        break;
      }
      this.#waiting.shift();
      output = output.subarray(reading.length);
      question.resolve(reading.value);
    }
    this.#chunks = output.length === 0 ? [] : [output];
    this.#length = output.length;
    if (this.#waiting.length > 0) return;
    this.#holdProgram(false);
    this.#idle = setTimeout(() => this.close(), longestIdle).unref();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp();
  }
}
