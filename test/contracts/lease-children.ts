/** Processes of their own that ask for a lease and hold it until they are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OtherProcess } from './leases.contract.ts';
import { childEnvironment } from './run-children.ts';

export class LeaseChildren {
  readonly #file: string;
  readonly #children = new Set<ReturnType<typeof spawn>>();

  /** @param script prints what it got as JSON, and then waits */
  constructor(script: URL) {
    this.#file = fileURLToPath(script);
  }

  async start(...words: readonly string[]): Promise<OtherProcess> {
    const child = spawn(process.execPath, [this.#file, ...words], {
      env: childEnvironment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#children.add(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return {
      got: JSON.parse(line.toString()) as OtherProcess['got'],
      process: child.pid ?? 0,
      kill: async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
        this.#children.delete(child);
      },
    };
  }

  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
