/** Every change that Gatewright may make outside, as data. A change that is not in this list cannot be made. */
import type { MergeMethod } from '../forge/forge-rules.ts';
import type { Sha256 } from './hash.ts';

export type Effect =
  /** A new file in the repository; content by hash. Never overwrites. */
  | {
      readonly kind: 'write-file';
      readonly path: string;
      readonly content: Sha256;
      /**
       * People are not meant to edit this file before it is committed: if it has other content, this run did not write
       * it.
       */
      readonly isFinal?: true;
    }
  /** New content for a file that this run made, as an editor would leave it; content by hash. */
  | {
      readonly kind: 'edit-file';
      readonly path: string;
      readonly content: Sha256;
      /** What a person had made of it after it was decided on; it comes back once the decided text is committed. */
      readonly replaces?: Sha256;
      /** This is such a later version: it is in the work tree, and nothing was decided on it. */
      readonly isUndecided?: true;
    }
  /** The user's settings for one repository, in its git directory, where no commit reaches them; content by hash. */
  | { readonly kind: 'write-settings'; readonly content: Sha256 }
  /**
   * What a run knows, in a file that only shows it: made, replaced, or removed where the content is null. The ledger is
   * what counts.
   */
  | { readonly kind: 'show-state'; readonly path: string; readonly content: Sha256 | null }
  | { readonly kind: 'move-path'; readonly from: string; readonly to: string }
  /** Removes a folder that a run of ours made. */
  | { readonly kind: 'remove-folder'; readonly path: string }
  /** One commit of exactly these paths, no matter what else is changed or staged. */
  | { readonly kind: 'commit-files'; readonly message: string; readonly paths: readonly string[] }
  | { readonly kind: 'make-worktree'; readonly name: string }
  | { readonly kind: 'remove-worktree'; readonly name: string }
  | {
      readonly kind: 'ensure-label';
      readonly repository: string;
      readonly name: string;
      readonly colour: string;
      readonly description?: string;
    }
  | {
      readonly kind: 'create-issue';
      readonly repository: string;
      readonly title: string;
      readonly body: Sha256;
      readonly labels: readonly string[];
      /**
       * The login that files it: after a crash, the run looks for the issue among those of this login, even if the
       * process that continues acts under another one.
       */
      readonly author: string;
    }
  | (OnForge & {
      readonly kind: 'create-comment';
      readonly body: Sha256;
      readonly author: string;
    })
  /** Adding what is there and removing what is not changes nothing. */
  | (OnForge & {
      readonly kind: 'edit-labels';
      readonly add: readonly string[];
      readonly remove: readonly string[];
    })
  | (OnForge & { readonly kind: 'close-issue' })
  | {
      readonly kind: 'create-pull-request';
      readonly repository: string;
      readonly title: string;
      readonly body: Sha256;
      readonly head: string;
      readonly base: string;
      readonly author: string;
    }
  | (OnForge & {
      readonly kind: 'create-review';
      /** The commit that was reviewed; on another head it is refused. */
      readonly commit: string;
      readonly body: Sha256;
      readonly comments: readonly { readonly path: string; readonly line: number; readonly body: Sha256 }[];
      readonly author: string;
    })
  /** Of exactly this head. */
  | (OnForge & {
      readonly kind: 'merge-pull-request';
      readonly head: string;
      readonly title: string;
      readonly body: Sha256;
      /** Where the base has to be; what was tested holds on top of it only. */
      readonly base: string;
      /** Ways of merging that are allowed, the preferred one first; squash where it does not say. */
      readonly methods?: readonly MergeMethod[];
    })
  /** Hands it to the merge queue of the forge, of exactly this head: the forge tests and merges it. */
  | (OnForge & { readonly kind: 'enqueue-pull-request'; readonly head: string })
  /** Several of them in one move: all or none. */
  | {
      readonly kind: 'merge-together';
      readonly repository: string;
      readonly base: string;
      readonly pulls: readonly {
        readonly number: number;
        readonly head: string;
        readonly title: string;
        readonly body: Sha256;
        /** What was tested: what the base holds with this one and those before it. */
        readonly tree: string;
      }[];
    }
  /** Merges the base into the branch of a pull request, which has to be at this head. */
  | (OnForge & { readonly kind: 'update-branch'; readonly head: string })
  /** Moves a branch of the forge, or makes it. */
  | {
      readonly kind: 'push-branch';
      readonly repository: string;
      readonly branch: string;
      readonly commit: string;
      /** Where it has to be, and what may be rewritten; null: it must not exist. */
      readonly expected: string | null;
    }
  | {
      readonly kind: 'delete-branch';
      readonly repository: string;
      readonly branch: string;
      /** Where it has to be; one that moved on is left. */
      readonly at: string;
    }
  /** Starts a workflow of the forge's runners by the name of its file; it handles what is open for its agents. */
  | {
      readonly kind: 'start-workflow';
      readonly repository: string;
      readonly file: string;
      readonly branch: string;
    }
  | {
      readonly kind: 'comment-commit';
      readonly repository: string;
      readonly commit: string;
      readonly body: Sha256;
      readonly author: string;
    }
  /** Tells one person through one channel what waits or has stopped. */
  | {
      readonly kind: 'send-notification';
      /** Its name in the settings; where that leads is no business of the ledger. */
      readonly channel: string;
      /** Changes when the channel leads elsewhere; says nothing about where. */
      readonly address: Sha256;
      readonly to: string;
      readonly id: string;
      /** Ids of what it tells. */
      readonly matters: readonly string[];
      readonly message: Sha256;
    };

interface OnForge {
  readonly repository: string;
  /** Of an issue or a pull request. */
  readonly number: number;
}

export type EffectKind = Effect['kind'];

export interface EffectResults {
  'write-file': { readonly path: string; readonly content: Sha256 };
  'edit-file': { readonly path: string; readonly content: Sha256 };
  'write-settings': { readonly content: Sha256 };
  'show-state': { readonly path: string; readonly content: Sha256 | null };
  'move-path': { readonly moved: boolean };
  'remove-folder': { readonly removed: boolean };
  'commit-files': { readonly commit: string };
  'make-worktree': { readonly path: string };
  'remove-worktree': { readonly removed: boolean };
  'ensure-label': { readonly created: boolean };
  'create-issue': { readonly number: number; readonly url: string };
  'create-comment': { readonly id: number; readonly url: string };
  /** With the time of the last change, by the forge's clock: every later change was made by another actor. */
  'edit-labels': { readonly labels: readonly string[]; readonly updatedAt: string };
  'close-issue': { readonly closed: boolean };
  'create-pull-request': { readonly number: number; readonly url: string };
  'create-review': { readonly id: number; readonly url: string };
  'merge-pull-request': { readonly commit: string };
  'enqueue-pull-request': { readonly queued: boolean };
  'merge-together': { readonly commits: readonly string[] };
  /** The same head when there was nothing to merge. */
  'update-branch': { readonly head: string };
  'push-branch': { readonly commit: string };
  'delete-branch': { readonly deleted: boolean };
  'comment-commit': { readonly id: number; readonly url: string };
  'start-workflow': { readonly started: boolean };
  /** What the channel answered, in our words. */
  'send-notification': { readonly answer: string };
}

export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

/** Which kinds a workflow may use, and how many of each in one run. */
export type EffectAllowance = Readonly<Partial<Record<EffectKind, number>>>;
