/**
 * What runs have made, on a git ref for each run beside the ledger: `refs/gatewright/work/RUN`. The ledger names commits
 * and trees by their hashes; what is fetched from such a ref counts by its hash and by nothing else.
 */
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { KeptWork, MadeWork } from '../../ports/proposals/kept-work.ts';
import type { BareGit } from '../git/bare-git.ts';
import { holdCommit } from '../git/kept-commits.ts';
import { PlainGit, protocolOf } from '../git/plain-git.ts';
import type { GitResult } from '../git/run-git.ts';
import { type LedgerServer, tipOf } from './ledger-place.ts';

interface GitKeptWorkOptions {
  /** The repository whose objects they are. */
  readonly git: BareGit;
  readonly server: LedgerServer;
  /** For what is needed during one command. */
  readonly scratch: string;
  /** False where what is made counts for nothing, as in a job that may only read. */
  readonly mayKeep: boolean;
}

const prefix = 'refs/gatewright/work/';
const author = ['-c', 'user.name=gatewright', '-c', 'user.email=gatewright@localhost'];
const fetchWords = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
const pushWords = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed'];

function refOf(run: string): string {
  if (/^[0-9A-Za-z]{1,60}$/u.test(run)) return prefix + run;
  throw new GatewrightError('internal', 'That is not the id of a run.');
}

function failed(what: string, { errors, output }: GitResult): GatewrightError {
  const said = errors.trim() || output.trim();
  return new GatewrightError('git-failed', `git ${what} failed: ${escapeForLine(said, 500)}`);
}

export class GitKeptWork implements KeptWork {
  readonly #options: GitKeptWorkOptions;
  /** Where the refs are, of the runs that this process has looked for; null where there is none. */
  readonly #tips = new Map<string, string | null>();

  constructor(options: GitKeptWorkOptions) {
    this.#options = options;
  }

  #with<T>(work: (plain: PlainGit) => Promise<T>): Promise<T> {
    return PlainGit.with(this.#options.git, this.#options.scratch, work);
  }

  #talk(plain: PlainGit, words: (address: string) => readonly string[]): Promise<GitResult> {
    const isPush = words('')[0] === 'push';
    return this.#options.server.talk(isPush ? 'git-receive-pack' : 'git-upload-pack', (address, settings) =>
      plain.try(words(address), { protocol: protocolOf(address), settings }),
    );
  }

  async #run(plain: PlainGit, args: readonly string[], input?: string): Promise<string> {
    const result = await plain.try(args, input === undefined ? {} : { input });
    if (result.code !== 0) throw failed(args.find((word) => /^[a-z]/u.test(word)) ?? '', result);
    return result.output.trim();
  }

  async bring(run: string): Promise<void> {
    const ref = refOf(run);
    if (this.#tips.has(run)) return;
    await this.#with(async (plain) => {
      const found = await this.#talk(plain, (address) => ['ls-remote', address, ref]);
      if (found.code !== 0) throw failed('ls-remote', found);
      const tip = tipOf(ref, found.output);
      if (tip !== null) {
        await plain.adoptRefs();
        const fetched = await this.#talk(plain, (address) => [...fetchWords, address, ref]);
        if (!(await plain.hasCommit(tip))) throw failed('fetch', fetched);
        await holdCommit(this.#options.git, tip);
      }
      this.#tips.set(run, tip);
    });
  }

  async keep(run: string, made: MadeWork): Promise<void> {
    if (!this.#options.mayKeep) return;
    const ref = refOf(run);
    await this.bring(run);
    const before = this.#tips.get(run) ?? null;
    await this.#with(async (plain) => {
      const parent = 'commit' in made ? made.commit : made.start;
      const startTree = await this.#run(plain, ['rev-parse', '--verify', `${parent}^{tree}`]);
      const tree = 'commit' in made ? startTree : made.tree;
      // Files that are as they were are in the commit that they follow from.
      if ('tree' in made && tree === startTree) return;
      // One ref holds all that the run has made, whichever of it the run goes on from.
      const parents = [parent, ...(before === null ? [] : [before])].flatMap((one) => ['-p', one]);
      const words = [...author, 'commit-tree', '--no-gpg-sign', ...parents, '-F', '-', tree];
      const commit = await this.#run(plain, words, `What run ${run} has made\n`);
      await plain.adoptRefs();
      const pushed = await this.#talk(plain, (address) => [...pushWords, address, `+${commit}:${ref}`]);
      if (pushed.code !== 0) throw failed('push', pushed);
      this.#tips.set(run, commit);
    });
  }

  async drop(run: string): Promise<void> {
    if (!this.#options.mayKeep || (this.#tips.get(run) ?? null) === null) return;
    const ref = refOf(run);
    // A ref that stays takes a little room, and nothing reads it any more.
    const drop = this.#with((plain) => this.#talk(plain, (address) => [...pushWords, address, `:${ref}`]));
    await drop.then(
      () => this.#tips.set(run, null),
      () => undefined,
    );
  }
}
