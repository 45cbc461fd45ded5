/** A machine for `doctor` to look at: a repository, and programs of our own before those of the real machine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Playground } from './playground.ts';

interface Report {
  readonly isReady: boolean;
  readonly findings: readonly { name: string; state: string; detail: string; fix: string }[];
}

export class DoctorRoom {
  readonly playground = new Playground();
  readonly #bin = join(this.playground.folder, 'bin');

  constructor() {
    mkdirSync(this.#bin);
  }

  program(name: string, script: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** A search path with git and little else, so that the machine's own programs play no part. */
  get path(): string {
    return `${this.#bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
  }

  async diagnose(env: Record<string, string> = {}, args: readonly string[] = []) {
    const result = await this.playground.run(['doctor', ...args, '--json'], {
      // Whatever is tried is on this machine.
      env: { PATH: this.path, GATEWRIGHT_EDITOR: 'true', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ...env },
    });
    const report = JSON.parse(result.stdout) as Report;
    const of = (name: string) => report.findings.filter((one) => one.name === name);
    return { ...report, code: result.code, all: result.all, of };
  }
}
