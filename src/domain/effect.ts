/** Everything that Gatewright may change in the world, as data. What is not in this list cannot be done. */
import type { Sha256 } from './hash.ts';

export type Effect =
  /** A new file in the repository; content by hash. Never overwrites. */
  | { readonly kind: 'write-file'; readonly path: string; readonly content: Sha256 }
  /** New content for a file that this run made, as an editor would leave it; content by hash. */
  | { readonly kind: 'edit-file'; readonly path: string; readonly content: Sha256 }
  | { readonly kind: 'move-path'; readonly from: string; readonly to: string }
  /** Removes a folder that a run of ours made. */
  | { readonly kind: 'remove-folder'; readonly path: string }
  /** One commit of exactly these paths, whatever else is changed or staged. */
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
      /** Who files it: after a crash it is looked for among what they wrote, whoever goes on. */
      readonly author: string;
    };

export type EffectKind = Effect['kind'];

export interface EffectResults {
  'write-file': { readonly path: string; readonly content: Sha256 };
  'edit-file': { readonly path: string; readonly content: Sha256 };
  'move-path': { readonly moved: boolean };
  'remove-folder': { readonly removed: boolean };
  'commit-files': { readonly commit: string };
  'make-worktree': { readonly path: string };
  'remove-worktree': { readonly removed: boolean };
  'ensure-label': { readonly created: boolean };
  'create-issue': { readonly number: number; readonly url: string };
}

export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

/** Which kinds a workflow may use, and how many of each in one run. */
export type EffectAllowance = Readonly<Partial<Record<EffectKind, number>>>;
