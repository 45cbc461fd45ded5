/**
 * Refs of our own that keep git from clearing commits away. Some are kept for good, such as the heads of pull requests that
 * can be looked at later. Others were only fetched for a run: their refs carry the day of their last use and are given up
 * long after it, when no run that still goes on can need them; they can be fetched again.
 */
import { GatewrightError } from '../../errors.ts';
import type { BareGit } from './bare-git.ts';
import { areSurelyBelow, isSurelyAt } from './branch-files.ts';

const keepPrefix = 'refs/gatewright/keep/';
const fetchedPrefix = 'refs/gatewright/fetched/';

const dayMilliseconds = 24 * 3_600_000;
/** A run that waits for a person may wait for weeks. */
const heldDays = 90;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

async function setRef(git: BareGit, ref: string, sha: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { code, errors } = await git.try(['update-ref', ref, sha]);
    if (code === 0) return;
    // Another process may be setting the same ref at this moment: its name allows this commit only.
    const kept = await git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', ref]);
    if (kept.output.trim() === sha) return;
    if (attempt === 5)
      throw new GatewrightError('git-failed', `git update-ref failed: ${errors.trim().slice(0, 1000)}`);
    await new Promise((resolve) => setTimeout(resolve, 40 * attempt));
  }
}

/**
 * Git clears away what nothing refers to; this commit stays. An earlier one that is part of its history stays with it and
 * needs no ref of its own any more.
 */
export async function keepCommit(git: BareGit, sha: string, earlier: string | null = null): Promise<void> {
  await setRef(git, keepPrefix + sha, sha);
  if (earlier === null || earlier === sha || !(await git.isAncestor(earlier, sha))) return;
  // If two processes do this at the same time, one ref too many stays, and no commit is lost.
  await git.try(['update-ref', '-d', keepPrefix + earlier]);
}

const refOfDay = (sha: string, now: number): string => `${fetchedPrefix}${dayOf(now)}/${sha}`;

/** Whether it surely is there and held since today. */
export async function isHeldToday(git: BareGit, sha: string, now = Date.now()): Promise<boolean> {
  return isSurelyAt(await git.findGitFolder(), refOfDay(sha, now), sha);
}

/** This commit stays for as long as a run may need it. */
export async function holdCommit(git: BareGit, sha: string, now = Date.now()): Promise<void> {
  if (!(await isHeldToday(git, sha, now))) await setRef(git, refOfDay(sha, now), sha);
  const day = dayOf(now);
  if (swept.get(git) === day) return;
  swept.set(git, day);
  await giveUpHeld(git, now);
}

/** The day on which it was last looked for old ones; a process may run for months. */
const swept = new WeakMap<BareGit, string>();

/** Gives up commits that were last used long ago, and older refs of those that were used since; however many there are. */
async function giveUpHeld(git: BareGit, now: number): Promise<void> {
  // Nothing but what was used today: each commit has one ref there.
  if (areSurelyBelow(await git.findGitFolder(), fetchedPrefix, dayOf(now))) return;
  const { output } = await git.try(['for-each-ref', '--sort=-refname', '--format=%(refname)', fetchedPrefix]);
  const oldest = dayOf(now - heldDays * dayMilliseconds);
  const seen = new Set<string>();
  const gone = output
    .split('\n')
    .filter((ref) => ref !== '')
    .filter((ref) => {
      const [day = '', sha = ''] = ref.slice(fetchedPrefix.length).split('/');
      // Newest first: what was seen already has a younger ref.
      const isOld = day < oldest || seen.has(sha);
      seen.add(sha);
      return isOld;
    });
  if (gone.length === 0) return;
  // All or none; if another process holds a lock, the next one does it.
  await git.try(['update-ref', '--stdin'], { input: gone.map((ref) => `delete ${ref}\n`).join('') });
}
