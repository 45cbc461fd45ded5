/** Points around every request to GitHub, in the process that makes it; and GitHub without the pauses that it asks for. */
import { join } from 'node:path';
import { DiskAnswerCache } from '../../src/adapters/github/client/disk-answer-cache.ts';
import { type GithubForge, makeGithubForge } from '../../src/adapters/github/github-forge.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';

/**
 * Before each request, and after each write: when the answer is there and nobody has read it, so that for whoever is
 * killed it is lost. What is left by whoever is killed after a read is what was left before whatever comes next.
 */
export function watchRequests(point: (name: string) => void): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const what = `${init?.method ?? 'GET'} ${url.pathname}`;
    point(`before ${what}`);
    const response = await send(input, init);
    if (!what.startsWith('GET ')) point(`after ${what}`);
    return response;
  };
}

/** As the program composes it, answers kept on the disk included. */
export function hurryGithub(environment: Readonly<Record<string, string | undefined>>): GithubForge {
  const { GATEWRIGHT_GITHUB_URL: apiUrl = '', GITHUB_TOKEN: token = '', HOME = '' } = environment;
  return makeGithubForge({
    apiUrl,
    credential: { kind: 'token', token },
    clock: systemClock,
    userAgent: 'gatewright',
    isHurried: true,
    makeCache: (lock) => new DiskAnswerCache(join(HOME, '.cache', 'gatewright', 'github'), lock),
  });
}
