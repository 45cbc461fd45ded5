/** Commits to GitHub and from it, with git over HTTPS. */
import { checkBranchName, checkCommitName } from '../../domain/forge/git-names.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Transport } from '../../ports/transport.ts';
import type { BareGit } from '../git/bare-git.ts';
import { holdCommit } from '../git/kept-commits.ts';
import { PlainGit, protocolOf } from '../git/plain-git.ts';
import type { GitResult } from '../git/run-git.ts';
import { checkNumber, type GithubCalls, type Place, placeOf } from './client/github-calls.ts';
import { findRefusal, GithubGit, type GitService } from './github-git.ts';

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

const pauseMilliseconds = 300;

export class GithubTransport implements Transport {
  readonly #calls: GithubCalls;
  readonly #git: BareGit;
  readonly #scratch: string;
  readonly #server: GithubGit;

  constructor({ calls, git, scratch }: GithubTransportOptions) {
    this.#calls = calls;
    this.#server = new GithubGit(calls);
    this.#git = git;
    this.#scratch = scratch;
  }

  #ask(
    plain: PlainGit,
    place: Place,
    service: GitService,
    words: (address: string) => readonly string[],
  ): Promise<GitResult> {
    return this.#server.ask(place, service, (address, settings) =>
      plain.try(words(address), { protocol: protocolOf(address), settings }),
    );
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

  #explainRefusal(repository: string, branch: string, result: GitResult): GatewrightError {
    const readable = (text: string): string => escapeForLine(this.#server.hide(text), 300);
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
