/**
 * Git over HTTPS with GitHub. The token is handed to git in its environment, bound to the address of the repository; git
 * follows no redirect with it. What went wrong is found out by asking, not from git's words.
 */
import { GatewrightError } from '../../errors.ts';
import type { GitSettings } from '../git/plain-git.ts';
import type { GitResult } from '../git/run-git.ts';
import { hideSecrets } from './client/explain-github-error.ts';
import type { GithubCalls, Place } from './client/github-calls.ts';
import { webBaseOf } from './client/web-base.ts';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** Beyond this silence GitHub is taken for gone; it may think about a large push for a while. */
const slowSeconds = 60;
const probeMilliseconds = 30_000;

/** The form in which git and servers get a token. */
function encodeToken(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}

/** The line about the branch in what `push --porcelain` prints, when it was refused. */
export function findRefusal({ output }: GitResult): string | null {
  return output.split('\n').find((line) => line.startsWith('!\t')) ?? null;
}

/** What git says when it got nowhere, so that nothing was sent. */
const neverConnected = /Could not resolve (?:host|proxy)|Failed to connect to|Couldn't connect to server/u;

/** Our request reached GitHub, but git's did not: git has its own list of trusted certificate authorities. */
function requireTrust({ errors }: GitResult, address: string, what: string): void {
  if (!/\b(?:SSL|TLS)\b.*certificate|certificate.*\bverif|server certificate/iu.test(errors)) return;
  throw new GatewrightError(
    'certificate-rejected',
    `git does not trust the certificate of ${new URL(address).host} (${what}).`,
    {
      hint: 'Name the PEM file with the certificate of your CA in GIT_SSL_CAINFO too: git does not read NODE_EXTRA_CA_CERTS.',
    },
  );
}

export class GithubGit {
  readonly #calls: GithubCalls;
  /** Where a repository is that has another name now. */
  readonly #moved = new Map<string, string>();

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  #addressOf({ owner, repo }: Place): string {
    const usual = `${webBaseOf(this.#calls.client.apiUrl)}/${owner}/${repo}.git`;
    return this.#moved.get(usual) ?? usual;
  }

  /**
   * Runs git against GitHub. When it fails, and not over a branch, GitHub is asked why: it throws what GitHub says, tries
   * again when there is a new token or a new address, and else returns what git said.
   */
  async ask(
    place: Place,
    service: GitService,
    run: (address: string, settings: GitSettings) => Promise<GitResult>,
  ): Promise<GitResult> {
    const { credential } = this.#calls.client;
    const what = `${service === 'git-upload-pack' ? 'fetching from' : 'pushing to'} ${place.owner}/${place.repo}`;
    return this.#calls.explained(what, async () => {
      const seen = new Set<string>();
      for (;;) {
        const address = this.#addressOf(place);
        const token = await credential.token();
        const result = await run(address, {
          'credential.helper': '',
          'core.askPass': '',
          'http.followRedirects': 'false',
          'http.lowSpeedLimit': '1',
          'http.lowSpeedTime': String(slowSeconds),
          'gc.auto': '0',
          // Kept as a pack, which is there as a whole or not at all, also when we are killed.
          'fetch.unpackLimit': '1',
          [`http.${address}.extraHeader`]: `Authorization: Basic ${encodeToken(token)}`,
        });
        if (result.code === 0 || findRefusal(result) !== null) return result;
        // A second new token or address would be refused like the first one.
        const next = await this.#learnWhy(address, service, token, !seen.has('token'));
        if (next === null) requireTrust(result, address, what);
        const reason = next ?? (neverConnected.test(result.errors) ? 'connection' : null);
        if (reason === null || seen.has(reason)) return result;
        seen.add(reason);
      }
    });
  }

  /** What is different now, so that trying again makes sense; else null. Throws when GitHub refuses or does not answer. */
  async #learnWhy(
    address: string,
    service: GitService,
    token: string,
    mayRenew: boolean,
  ): Promise<'token' | 'address' | null> {
    const response = await this.#calls.client.fetch(`${address}/info/refs?service=${service}`, {
      headers: { authorization: `Basic ${encodeToken(token)}`, 'git-protocol': 'version=2' },
      redirect: 'manual',
      signal: AbortSignal.timeout(probeMilliseconds),
    });
    const { status, headers } = response;
    if (status === 200) {
      await response.body?.cancel();
      return null;
    }
    const message = this.hide((await response.text()).trim());
    if (status >= 300 && status < 400) {
      this.#follow(address, headers.get('location') ?? '');
      return 'address';
    }
    if (status === 401 && mayRenew && (await this.#calls.client.credential.renew(token))) return 'token';
    throw Object.assign(new Error(`status ${status}`), {
      status,
      response: { headers: Object.fromEntries(headers), data: { message } },
    });
  }

  /** A repository that was renamed; to another server nothing of ours is sent. */
  #follow(address: string, location: string): void {
    const target = URL.canParse(location, address) ? new URL(location, address) : null;
    const isHome = target?.origin === new URL(address).origin && target.pathname.endsWith('/info/refs');
    if (target === null || !isHome)
      throw new GatewrightError('forge-unavailable', `${new URL(address).host} points to another server.`, {
        hint: 'Check GATEWRIGHT_GITHUB_URL: it has to be the address that GitHub itself uses.',
      });
    const next = `${target.origin}${target.pathname.replace(/\/info\/refs$/u, '')}`;
    for (const [from, to] of this.#moved) if (to === address) this.#moved.set(from, next);
    this.#moved.set(address, next);
  }

  /** A server may repeat anything that was sent to it. */
  hide(text: string): string {
    const { secrets } = this.#calls.client.credential;
    return hideSecrets(text, [...secrets, ...secrets.map(encodeToken)]);
  }
}
