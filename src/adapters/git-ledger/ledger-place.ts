/** Where the ref of a ledger is: the git folder with its objects, and how it is moved. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
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

  async #make(): Promise<void> {
    if (existsSync(this.#folder)) return;
    mkdirSync(dirname(this.#folder), { recursive: true, mode: 0o700 });
    const made = await tryGit(
      dirname(this.#folder),
      this.#environment,
      ['init', '--bare', '--quiet', this.#folder],
      { variables: { ...onlyOwnSettings(this.#folder), GIT_DIR: '' } },
    );
    if (made.code !== 0) throw failed('init', made);
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
    return found.output.split('\t')[0] || null;
  }

  async #has(commit: string): Promise<boolean> {
    return (await this.try(['cat-file', '-e', `${commit}^{tree}`])).code === 0;
  }

  async fetch(known: string | null): Promise<string | null> {
    const tip = await this.#readTip();
    if (tip === null || tip === known || (await this.#has(tip))) return tip;
    const isKnown = known !== null && (await this.#has(known));
    // The history before the first commit that is fetched is not needed, however long it is, and of its texts only a few.
    const scope = isKnown ? ['--no-filter'] : ['--depth=1', `--filter=${textsLater}`];
    const fetched = await this.#talk([...fetchWords, ...scope, remote]);
    if (fetched.code !== 0) throw failed('fetch', fetched);
    return (await runAt(this, ['rev-parse', '--verify', ledgerRef])).trim();
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

  async push(expected: string | null, commit: string): Promise<boolean> {
    const lease = `--force-with-lease=${ledgerRef}:${expected ?? ''}`;
    const words = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', lease];
    const pushed = await this.#talk([...words, remote, `${commit}:${ledgerRef}`]);
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
