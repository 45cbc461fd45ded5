/** Tokens of jobs of GitHub Actions: each is good for one repository, for what its job declares, and until the job ends. */
import type { Limits } from './github-grants.ts';

/** Whom every job acts as, whatever its workflow. */
export const jobLogin = 'github-actions[bot]';

interface JobToken {
  readonly repository: string;
  readonly limits: Limits | undefined;
}

export class JobTokens {
  readonly #tokens = new Map<string, JobToken>();

  /** @param granted as a workflow declares it; a token without may do everything */
  add(token: string, repository: string, granted?: Readonly<Record<string, 'read' | 'write'>>): void {
    const entries = Object.entries(granted ?? {}).map(([name, level]) => [name.replaceAll('-', '_'), level]);
    const limits: Limits = { holder: 'integration', granted: Object.fromEntries(entries) };
    this.#tokens.set(token, { repository, limits: granted === undefined ? undefined : limits });
  }

  drop(token: string): void {
    this.#tokens.delete(token);
  }

  find(token: string): JobToken | undefined {
    return this.#tokens.get(token);
  }
}
