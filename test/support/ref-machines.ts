/** Machines that share a repository with its ledger on a git ref: each has a data folder of its own. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Playground, Result } from './playground.ts';

const ledgerKey = 'c0ffee'.repeat(10).concat('beef');

export class RefMachines {
  readonly #playground: Playground;
  #count = 0;

  constructor(playground: Playground) {
    this.#playground = playground;
  }

  get count(): number {
    return this.#count;
  }

  /** The environment of one that has seen nothing yet. */
  next(): Record<string, string> {
    this.#count += 1;
    return {
      ...{ GATEWRIGHT_LEDGER: 'ref', GATEWRIGHT_LEDGER_KEY: ledgerKey },
      GATEWRIGHT_DATA_DIR: join(this.#playground.folder, `machine-${this.#count}`),
    };
  }

  async look(...args: string[]): Promise<Result> {
    const result = await this.#playground.run(args, { env: this.next() });
    expect(result.code, result.all).toBe(0);
    return result;
  }

  /** What is on the ref in a folder of it. */
  list(folder: string): string[] {
    const listed = this.#playground.git(
      'ls-tree',
      '-r',
      '--name-only',
      'refs/gatewright/ledger',
      `${folder}/`,
    );
    return listed.split('\n').filter((line) => line !== '');
  }
}
