/** An effect in a few words. A new kind does not compile without them. */
import type { Effect, EffectKind, EffectOf } from './effect.ts';
import { shortHash } from './hash.ts';

const ofPath = ({ path }: { readonly path: string }): string => path;
const ofNumber = ({ number }: { readonly number: number }): string => `#${number}`;
const nothingMore = (): string => '';

/** What stands after the name of its kind. */
const details: { readonly [K in EffectKind]: (effect: EffectOf<K>) => string } = {
  'write-file': ofPath,
  'edit-file': nothingMore,
  'write-settings': nothingMore,
  'show-state': ofPath,
  'move-path': ({ from, to }) => `${from} → ${to}`,
  'remove-folder': ofPath,
  'commit-files': ({ message }) => `"${message}"`,
  'make-worktree': nothingMore,
  'remove-worktree': nothingMore,
  'ensure-label': ({ name }) => name,
  'create-issue': ({ title, repository }) => `"${title}" in ${repository}`,
  'create-comment': ofNumber,
  'edit-labels': ({ number, add, remove }) =>
    [`#${number}`, ...add.map((name) => `+${name}`), ...remove.map((name) => `-${name}`)].join(' '),
  'close-issue': ofNumber,
  'create-pull-request': ({ title, head, base }) => `"${title}" from ${head} to ${base}`,
  'create-review': ofNumber,
  'merge-pull-request': ofNumber,
  'enqueue-pull-request': ofNumber,
  'merge-together': ({ pulls }) => pulls.map(ofNumber).join(' '),
  'update-branch': ofNumber,
  'push-branch': ({ branch, commit }) => `${branch} to ${shortHash(commit)}`,
  'delete-branch': ({ branch }) => branch,
  'comment-commit': ({ commit }) => shortHash(commit),
  'start-workflow': ({ file }) => file,
  'send-notification': ({ to, channel }) => `to ${to} by ${channel}`,
};

/** Every kind of effect, as the table above is complete. */
export const effectKinds: readonly string[] = Object.keys(details);

/** Names and titles are as they came: escape them on screen. */
export function describeEffect(effect: Effect): string {
  // Each kind has its own words; the compiler cannot follow that the two belong together.
  const detail = (details[effect.kind] as (effect: Effect) => string)(effect);
  return detail === '' ? effect.kind : `${effect.kind} ${detail}`;
}
