/** Where the ref of a ledger is: the git folder with its objects, and how it is moved. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { BareGit } from '../git/bare-git.ts';
import type { Environment } from '../git/git-environment.ts';
import { type GitSettings, longestCommand, onlyOwnSettings, protocolOf } from '../git/plain-git.ts';
import { type GitResult, tryGit } from '../git/run-git.ts';

export const ledgerRef = 'refs/gatewright/ledger';

interface GitInput {
  readonly input?: string;
  readonly isBinary?: boolean;
}

export interface LedgerPlace {
  /** Runs git where the objects are. */
  try(args: readonly string[], more?: GitInput): Promise<GitResult>;
  /**
   * The newest commit; null when there is no ledger yet. @param known a commit that is known already; what changed since
   * then is here too, if that commit is. Otherwise the names of its files are here, and `bring` gets what they hold
   */
  fetch(known: string | null): Promise<string | null>;
  /** Whether a commit is an earlier one or comes after it; null when the earlier one is not here. */
  follows(commit: string, earlier: string): Promise<boolean | null>;
  /** Gets objects that are not here, as far as the place has them. */
  bring(objects: readonly string[]): Promise<void>;
  /** Moves the ref; false when it is not where it was expected to be. */
  push(expected: string | null, commit: string): Promise<boolean>;
}

function failed(what: string, { errors, output }: GitResult): GatewrightError {
  const said = (errors.trim() || output.trim()).slice(0, 1000);
  return new GatewrightError('git-failed', `git ${what} failed: ${said}`);
}

export async function runAt(place: LedgerPlace, args: readonly string[], more?: GitInput): Promise<string> {
  const result = await place.try(args, more);
  if (result.code !== 0) throw failed(args[0] ?? '', result);
  return result.output;
}

/** As git has it. A commit that is here and cannot be compared, since the other one is none, is not followed either. */
async function follows(place: LedgerPlace, commit: string, earlier: string): Promise<boolean | null> {
  const { code } = await place.try(['merge-base', '--is-ancestor', earlier, commit]);
  if (code === 0 || code === 1) return code === 0;
  return (await place.try(['cat-file', '-e', `${earlier}^{commit}`])).code === 0 ? false : null;
}

/** A repository on this machine, whose own ref it is. */
export class LocalLedgerPlace implements LedgerPlace {
  readonly #git: BareGit;

  constructor(git: BareGit) {
    this.#git = git;
  }

  try(args: readonly string[], more: GitInput = {}): Promise<GitResult> {
    return this.#git.try(args, more);
  }

  async fetch(): Promise<string | null> {
    const found = await this.try(['rev-parse', '--verify', '--quiet', '--end-of-options', ledgerRef]);
    return found.code === 0 ? found.output.trim() : null;
  }

  follows(commit: string, earlier: string): Promise<boolean | null> {
    return follows(this, commit, earlier);
  }

  /** All are here. */
  async bring(): Promise<void> {}

  async push(expected: string | null, commit: string): Promise<boolean> {
    const none = '0'.repeat(commit.length);
    const moved = await this.try(['update-ref', ledgerRef, commit, expected ?? none]);
    if (moved.code === 0) return true;
    // Another process may have held the lock of the ref: then it is elsewhere now, or will be in a moment.
    if ((await this.fetch()) !== expected || /\.lock|cannot lock ref/u.test(moved.errors)) return false;
    throw failed('update-ref', moved);
  }
}

/** A server with a repository. */
export interface LedgerServer {
  /**
   * Runs git with the address and with what lets it in; again where those have changed. @param service what git asks the
   * server for
   */
  talk(
    service: 'git-upload-pack' | 'git-receive-pack',
    run: (address: string, settings: GitSettings) => Promise<GitResult>,
  ): Promise<GitResult>;
}

const remote = 'ledger';

/** What is left out of a fetch until it is read. */
const textsLater = 'blob:none';

const fetchWords = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];

/** So often it is looked whether there are too many objects. */
const tidyingChance = 1 / 100;

/** Another was first, or is at it: the server will take the next push that follows what it has then. */
const outrun =
  /\[rejected\]|stale info|fetch first|non-fast-forward|cannot lock ref|failed to (?:update|lock)|incorrect old value|already exists/u;

/** Another process of this machine fetches into the same folder. */
const fetchedByAnother = /shallow\.lock|shallow file has changed|cannot lock ref/u;
const mostFetches = 30;
const mostCompletions = 3;
const longestPause = 500;

/** Where the ref of exactly this name is: a server also lists branches and others whose names end with it. */
export function tipOf(ref: string, listed: string): string | null {
  const line = listed.split('\n').find((one) => one.endsWith(`\t${ref}`));
  return line === undefined ? null : line.slice(0, line.indexOf('\t'));
}

/** Git takes the name for that of a branch or tag that is called `refs/gatewright/ledger`, beside the ref or without it. */
function isForAnotherRef({ code, output, errors }: GitResult): boolean {
  if (code === 0) return false;
  const pushed = output.split('\n').flatMap((line) => /^[ !=*+-]\t([^\t]+)\t/u.exec(line)?.[1] ?? []);
  return /matches more than one/u.test(errors) || pushed.some((one) => !one.endsWith(`:${ledgerRef}`));
}

/** A repository on a server; what was fetched from it is kept in a folder of its own. */
export class RemoteLedgerPlace implements LedgerPlace {
  readonly #folder: string;
  readonly #environment: Environment;
  readonly #server: LedgerServer;

  /** @param folder is made when it is not there; it can be removed at any time */
  constructor(folder: string, environment: Environment, server: LedgerServer) {
    this.#folder = folder;
    this.#environment = environment;
    this.#server = server;
  }

  async try(args: readonly string[], more: GitInput = {}): Promise<GitResult> {
    await this.#make();
    return tryGit(this.#folder, this.#environment, args, {
      ...more,
      timeout: longestCommand,
      variables: onlyOwnSettings(this.#folder),
    });
  }

  /** Whole or not at all: another process may look for it at any moment, or make it as well. */
  async #make(): Promise<void> {
    if (existsSync(this.#folder)) return;
    const parent = dirname(this.#folder);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const begun = mkdtempSync(join(parent, 'begun-'));
    try {
      const made = await tryGit(parent, this.#environment, ['init', '--bare', '--quiet', begun], {
        variables: { ...onlyOwnSettings(begun), GIT_DIR: '' },
      });
      if (made.code !== 0) throw failed('init', made);
      renameSync(begun, this.#folder);
    } catch (error) {
      if (!existsSync(this.#folder)) throw error;
    } finally {
      rmSync(begun, { recursive: true, force: true });
    }
  }

  async #talk(args: readonly string[], input?: string): Promise<GitResult> {
    await this.#make();
    const service = args[0] === 'push' ? 'git-receive-pack' : 'git-upload-pack';
    return this.#server.talk(service, (address, own) => {
      const settings = {
        ...own,
        [`remote.${remote}.url`]: address,
        // A push moves our own ref as a fetch does, so that the next fetch brings only what is new.
        [`remote.${remote}.fetch`]: `+${ledgerRef}:${ledgerRef}`,
        // Git would write both into the folder's settings, and then fetch by itself what any command misses.
        [`remote.${remote}.promisor`]: 'true',
        [`remote.${remote}.partialclonefilter`]: textsLater,
      };
      return tryGit(this.#folder, this.#environment, args, {
        input,
        timeout: longestCommand,
        variables: onlyOwnSettings(this.#folder, { protocol: protocolOf(address), settings }),
      });
    });
  }

  /** Each commit is a few objects more: git puts them together when they are many. What fails here is done later. */
  async #tidy(): Promise<void> {
    const limits = ['gc.auto=2000', 'gc.autoPackLimit=50', 'gc.autoDetach=false'];
    const partial = ['-c', `remote.${remote}.promisor=true`];
    await this.try([...partial, ...limits.flatMap((one) => ['-c', one]), 'gc', '--auto', '--quiet']);
  }

  async #readTip(): Promise<string | null> {
    const found = await this.#talk(['ls-remote', remote, ledgerRef]);
    if (found.code !== 0) throw failed('ls-remote', found);
    return tipOf(ledgerRef, found.output);
  }

  async #has(commit: string): Promise<boolean> {
    return (await this.try(['cat-file', '-e', `${commit}^{tree}`])).code === 0;
  }

  async fetch(known: string | null): Promise<string | null> {
    for (let left = mostFetches; ; left -= 1) {
      const tip = await this.#readTip();
      if (tip === null || tip === known || (await this.#has(tip))) return tip;
      const fetched = await this.#fetchSince(known, left === 1);
      if (fetched !== null) return fetched;
      await this.#leaveToAnother();
    }
  }

  /** Null when another process was at it. */
  async #fetchSince(known: string | null, isLast: boolean): Promise<string | null> {
    const isKnown = known !== null && (await this.#has(known));
    // The history before the first commit that is fetched is not needed, however long it is, and of its texts only a few.
    const scope = isKnown ? ['--no-filter'] : ['--depth=1', `--filter=${textsLater}`];
    const fetched = await this.#talk([...fetchWords, ...scope, remote]);
    if (fetched.code === 0) return (await runAt(this, ['rev-parse', '--verify', ledgerRef])).trim();
    if (!isLast && fetchedByAnother.test(fetched.errors)) return null;
    throw failed('fetch', fetched);
  }

  get #isCutOff(): boolean {
    return existsSync(join(this.#folder, 'shallow'));
  }

  /** Another process of this machine, which began with nothing, may have fetched a commit without its history. */
  async follows(commit: string, earlier: string): Promise<boolean | null> {
    let completed = 0;
    for (let left = mostFetches; ; left -= 1) {
      const wasCutOff = this.#isCutOff;
      const answer = await follows(this, commit, earlier);
      const isSure = answer !== false || !(wasCutOff || this.#isCutOff);
      // A server can have no whole history itself.
      if (isSure || completed === mostCompletions || left === 0) return answer;
      const words = [...fetchWords, '--unshallow', `--filter=${textsLater}`];
      const fetched = await this.#talk([...words, remote]);
      if (fetched.code === 0) completed += 1;
      if (fetched.code === 0 || !this.#isCutOff) continue;
      if (!fetchedByAnother.test(fetched.errors)) throw failed('fetch', fetched);
      await this.#leaveToAnother();
    }
  }

  async #leaveToAnother(): Promise<void> {
    this.#removeOldLocks();
    await sleep(Math.random() * longestPause);
  }

  /** Git leaves them when it is killed; ours runs no longer than this. */
  #removeOldLocks(): void {
    for (const name of ['shallow', 'packed-refs', ledgerRef]) {
      const file = join(this.#folder, `${name}.lock`);
      const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (Date.now() - since > longestCommand) rmSync(file, { force: true });
    }
  }

  async bring(objects: readonly string[]): Promise<void> {
    const input = objects.map((object) => `${object}\n`).join('');
    // As git itself gets what it left out: nothing is told of what is here, and each is named.
    const words = [
      '-c',
      'fetch.negotiationAlgorithm=noop',
      ...fetchWords,
      `--filter=${textsLater}`,
      '--stdin',
    ];
    const fetched = await this.#talk([...words, remote], input);
    if (fetched.code !== 0) throw failed('fetch', fetched);
  }

  /** A pattern means the very names that it makes. */
  async #pushByPattern(words: readonly string[], commit: string): Promise<GitResult> {
    const own = `refs/gatewright/pushing/${process.pid}-${randomBytes(4).toString('hex')}`;
    const name = ledgerRef.slice(ledgerRef.lastIndexOf('/') + 1);
    await runAt(this, ['update-ref', `${own}/${name}`, commit]);
    try {
      return await this.#talk([...words, remote, `${own}/*:${ledgerRef.slice(0, -name.length)}*`]);
    } finally {
      await this.try(['update-ref', '-d', `${own}/${name}`]);
    }
  }

  async push(expected: string | null, commit: string): Promise<boolean> {
    const lease = `--force-with-lease=${ledgerRef}:${expected ?? ''}`;
    const words = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', lease];
    const plainly = await this.#talk([...words, remote, `${commit}:${ledgerRef}`]);
    const pushed = isForAnotherRef(plainly) ? await this.#pushByPattern(words, commit) : plainly;
    if (pushed.code === 0) {
      if (Math.random() < tidyingChance) await this.#tidy();
      return true;
    }
    // The answer may be lost although the push arrived.
    const tip = await this.#readTip();
    if (tip === commit) return true;
    if (tip !== expected || outrun.test(pushed.output)) return false;
    const refusal = pushed.output.split('\n').find((line) => line.includes('[remote rejected]'));
    if (refusal === undefined) throw failed('push', pushed);
    throw new GatewrightError(
      'push-refused',
      `The server refused to move ${ledgerRef}: ${escapeForLine(refusal.split('\t')[2] ?? '', 300)}`,
      {
        details: pushed.errors
          .split('\n')
          .filter((line) => line.startsWith('remote:'))
          .slice(0, 10)
          .map((line) => escapeForLine(line, 300)),
        hint: `The rules of the server have to let the login of this machine write ${ledgerRef}.`,
      },
    );
  }
}
