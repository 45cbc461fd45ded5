/** A loop on the local forge as a person has it in a shell: one command after the other, in a repository of its own. */
import { expect } from 'vitest';
import { loopFiles, type Work, writeLoopCassette } from './loop-cassette.ts';
import { Playground, type Result } from './playground.ts';

interface Issue {
  readonly labels: readonly string[];
  readonly comments: readonly { readonly body: string }[];
}

interface Prd {
  readonly userStories: readonly {
    readonly id: string;
    readonly title: string;
    readonly passes: boolean;
    readonly attempts: number;
    readonly verifyCommands: readonly string[];
  }[];
  readonly debugState?: { readonly status: string; readonly debugAttempts: number };
}

export class LoopShell {
  readonly playground = new Playground({ brief: null });
  env: Record<string, string> = {};

  constructor(files: Readonly<Record<string, string>> = loopFiles) {
    this.playground.commit(files);
  }

  /** What planner and coding agent do from now on. */
  work(...work: readonly Work[]): void {
    this.env = writeLoopCassette(this.playground, work);
  }

  run(...args: string[]): Promise<Result> {
    return this.playground.run([...args, '--no-input'], { env: this.env });
  }

  as(actor: string, ...args: string[]): Promise<Result> {
    return this.playground.run(args, { env: { ...this.env, GATEWRIGHT_ACTOR: actor } });
  }

  async fileIssue(title = 'More operations'): Promise<string> {
    const body =
      'Add `difference` in src/, because people subtract by hand. Only this; done when `node --test` passes.';
    const filed = await this.playground.json<{ number: number }>([
      ...['forge', 'issue', 'create', '--title', title, '--body', body],
    ]);
    return String(filed.number);
  }

  view(number: string): Promise<Issue> {
    return this.playground.json<Issue>(['forge', 'issue', 'view', number]);
  }

  async comments(number: string): Promise<string[]> {
    return (await this.view(number)).comments.map(({ body }) => body);
  }

  /** The first lines of the comments. */
  async headings(number: string): Promise<(string | undefined)[]> {
    return (await this.comments(number)).map((body) => body.split('\n')[0]);
  }

  async beginApproved(number: string): Promise<void> {
    expect((await this.run('loop', 'plan', number, '--quick')).code).toBe(10);
    expect((await this.run('loop', 'plan', number, '--approve')).code).toBe(10);
  }

  branchOf(number: string): string {
    return `ai/issue-${number}-more-operations`;
  }

  fileOf(number: string, path: string): string {
    return this.playground.git('show', `${this.branchOf(number)}:${path}`);
  }

  prdOf(number: string, path = 'prd.json'): Prd {
    return JSON.parse(this.fileOf(number, path)) as Prd;
  }

  async ledgerOf(number: string): Promise<string> {
    return (await this.playground.run(['ledger', 'show', `local/project~loop-${number}`])).stdout;
  }

  remove(): void {
    this.playground.remove();
  }
}
