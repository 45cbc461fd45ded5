/**
 * Commits to GitHub and from it, with git over HTTPS. The token is handed to git in its environment, bound to the address
 * of the repository; git follows no redirect with it. What went wrong is found out by asking, not from git's words.
 */
import { checkBranchName, checkCommitName } from '../../domain/forge/git-names.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Transport } from '../../ports/transport.ts';
import type { BareGit } from '../git/bare-git.ts';
import { holdCommit } from '../git/kept-commits.ts';
import { PlainGit } from '../git/plain-git.ts';
import type { GitResult } from '../git/run-git.ts';
import { hideSecrets } from './client/explain-github-error.ts';
import { checkNumber, type GithubCalls, type Place, placeOf } from './client/github-calls.ts';
import { webBaseOf } from './client/web-base.ts';

type Service = 'git-upload-pack' | 'git-receive-pack';

interface GithubTransportOptions {
  readonly calls: GithubCalls;
  /** The repository that commits are brought to and taken from. */
  readonly git: BareGit;
  /** For what is needed during one command. */
  readonly scratch: string;
}

const fetchWords = [
  ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
  ...['--no-auto-maintenance', '--no-show-forced-updates'],
];
const pushWords = [
  ...['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-recurse-submodules', '--no-signed'],
];

/** Beyond this silence GitHub is taken for gone; it may think about a large push for a while. */
const slowSeconds = 60;
const probeMilliseconds = 30_000;
const pauseMilliseconds = 300;

/** The form in which git and servers get a token. */
function encodeToken(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}

/** The line about the branch in what `push --porcelain` prints, when it was refused. */
function findRefusal({ output }: GitResult): string | null {
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

export class GithubTransport implements Transport {
  readonly #calls: GithubCalls;
  readonly #git: BareGit;
  readonly #scratch: string;
  /** Where a repository is that has another name now. */
  readonly #moved = new Map<string, string>();

  constructor({ calls, git, scratch }: GithubTransportOptions) {
    this.#calls = calls;
    this.#git = git;
    this.#scratch = scratch;
  }

  #addressOf({ owner, repo }: Place): string {
    const usual = `${webBaseOf(this.#calls.client.apiUrl)}/${owner}/${repo}.git`;
    return this.#moved.get(usual) ?? usual;
  }

  /**
   * Runs git against GitHub. When it fails, and not over a branch, GitHub is asked why: it throws what GitHub says, tries
   * again when there is a new token or a new address, and else returns what git said.
   */
  async #ask(
    plain: PlainGit,
    place: Place,
    service: Service,
    words: (address: string) => readonly string[],
  ): Promise<GitResult> {
    const { credential } = this.#calls.client;
    const what = `${service === 'git-upload-pack' ? 'fetching from' : 'pushing to'} ${place.owner}/${place.repo}`;
    return this.#calls.explained(what, async () => {
      const seen = new Set<string>();
      for (;;) {
        const address = this.#addressOf(place);
        const token = await credential.token();
        const result = await plain.try(words(address), {
          protocol: new URL(address).protocol.replace(/:$/u, ''),
          settings: {
            'credential.helper': '',
            'core.askPass': '',
            'http.followRedirects': 'false',
            'http.lowSpeedLimit': '1',
            'http.lowSpeedTime': String(slowSeconds),
            'gc.auto': '0',
            // Kept as a pack, which is there as a whole or not at all, also when we are killed.
            'fetch.unpackLimit': '1',
            [`http.${address}.extraHeader`]: `Authorization: Basic ${encodeToken(token)}`,
          },
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
    service: Service,
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
    const message = this.#hide((await response.text()).trim());
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

  async fetchCommit(...[repository, commit, hint]: Parameters<Transport['fetchCommit']>): Promise<string> {
    const place = placeOf(repository);
    checkCommitName(commit);
    const { pullRequest, branch } = hint;
    const wanted = [
      commit,
      ...(pullRequest === undefined ? [] : [`refs/pull/${checkNumber(repository, pullRequest)}/head`]),
      ...(branch === undefined ? [] : [`refs/heads/${checkBranchName(branch)}`]),
    ];
    return this.#with((plain) => this.#bring(plain, place, commit, wanted));
  }

  async fetchBranch(repository: string, branch: string): Promise<string> {
    const place = placeOf(repository);
    checkBranchName(branch);
    return this.#with(async (plain) => {
      const commit = await this.#readBranch(plain, place, branch);
      if (commit === null)
        throw new GatewrightError('forge-not-found', `${repository} has no branch ${branch}.`);
      return this.#bring(plain, place, commit, [commit, `refs/heads/${branch}`]);
    });
  }

  #with<T>(work: (plain: PlainGit) => Promise<T>): Promise<T> {
    return PlainGit.with(this.#git, this.#scratch, work);
  }

  async #bring(plain: PlainGit, place: Place, commit: string, wanted: readonly string[]): Promise<string> {
    if (!(await plain.hasCommit(commit))) await this.#fetch(plain, place, commit, wanted);
    await holdCommit(this.#git, commit);
    return commit;
  }

  async #fetch(plain: PlainGit, place: Place, commit: string, wanted: readonly string[]): Promise<void> {
    await plain.adoptRefs();
    for (const want of wanted) {
      await this.#ask(plain, place, 'git-upload-pack', (address) => [...fetchWords, address, want]);
      if (await plain.hasCommit(commit)) return;
    }
    const what = `the commit ${commit}`;
    const isThere = await this.#calls.explained(what, () => this.#calls.hasCommit(place, commit));
    const { host } = this.#calls.client;
    throw isThere
      ? new GatewrightError(
          'forge-unavailable',
          `${host} did not send ${what} of ${place.owner}/${place.repo}.`,
        )
      : new GatewrightError('forge-not-found', `${place.owner}/${place.repo} has no commit ${commit}.`);
  }

  async #readBranch(plain: PlainGit, place: Place, branch: string): Promise<string | null> {
    const ref = `refs/heads/${branch}`;
    const result = await this.#ask(plain, place, 'git-upload-pack', (address) => ['ls-remote', address, ref]);
    if (result.code !== 0)
      throw new GatewrightError(
        'forge-unavailable',
        `${this.#calls.client.host} did not say where ${branch} is.`,
      );
    const line = result.output.split('\n').find((one) => one.endsWith(`\t${ref}`));
    return line === undefined ? null : checkCommitName(line.slice(0, line.indexOf('\t')));
  }

  async pushBranch(...[repository, push]: Parameters<Transport['pushBranch']>): Promise<void> {
    const place = placeOf(repository);
    const branch = checkBranchName(push.branch);
    const commit = checkCommitName(push.commit);
    const expected = push.expected === null ? null : checkCommitName(push.expected);
    await this.#with(async (plain) => {
      if (!(await plain.hasCommit(commit)))
        throw new GatewrightError('forge-rejected', `There is no commit ${commit} here to push.`);
      const lease = `--force-with-lease=refs/heads/${branch}:${expected ?? ''}`;
      for (let left = 1; ; left -= 1) {
        const result = await this.#ask(plain, place, 'git-receive-pack', (address) => [
          ...[...pushWords, lease, address],
          `${commit}:refs/heads/${branch}`,
        ]);
        if (result.code === 0) {
          const { catchUp } = this.#calls.client;
          for (const name of [`${repository}:${branch}`, commit]) catchUp.noteMade(name);
          return;
        }
        const now = await this.#readBranch(plain, place, branch);
        // The push arrived although its answer was lost, or another process pushed the same commit.
        if (now === commit) return;
        if (now !== expected)
          throw new GatewrightError(
            'head-moved',
            `The branch ${branch} of ${repository} is at ${now ?? 'no commit'}, not at ${expected ?? 'none'}.`,
          );
        if (left === 0 || findRefusal(result) === null)
          throw this.#explainRefusal(repository, branch, result);
        // A refused push changed nothing. Another process may have been moving the branch at that moment, so the push
        // is tried again.
        await this.#calls.client.clock.sleep(pauseMilliseconds);
      }
    });
  }

  /** A server may repeat anything that was sent to it. */
  #hide(text: string): string {
    const { secrets } = this.#calls.client.credential;
    return hideSecrets(text, [...secrets, ...secrets.map(encodeToken)]);
  }

  #explainRefusal(repository: string, branch: string, result: GitResult): GatewrightError {
    const readable = (text: string): string => escapeForLine(this.#hide(text), 300);
    const refusal = findRefusal(result)?.split('\t')[2] ?? '';
    // Only what the server itself refused; "remote failure" is an answer that never came.
    if (!refusal.startsWith('[remote rejected]'))
      return new GatewrightError(
        'forge-unavailable',
        `${this.#calls.client.host} did not take the push to ${branch} of ${repository}.`,
      );
    const said = result.errors.split('\n').filter((line) => line.startsWith('remote:'));
    return new GatewrightError(
      'push-refused',
      `${this.#calls.client.host} refused the push to ${branch} of ${repository}: ${readable(refusal)}`,
      { details: said.slice(0, 10).map(readable) },
    );
  }
}
