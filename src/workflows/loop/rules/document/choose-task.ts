/** Which task comes next: code decides it, from prd.json alone. */
import type { Prd, UserStory } from './prd.ts';

type TaskChoice =
  | { readonly kind: 'task'; readonly story: UserStory }
  | { readonly kind: 'all-passed' }
  | {
      readonly kind: 'blocked';
      /** Tasks that used all their attempts. */
      readonly exhausted: readonly UserStory[];
      /** Tasks that depend on one that has not passed. */
      readonly waiting: readonly UserStory[];
    };

/**
 * Not passed, attempts left, everything that it depends on passed; of these the lowest priority number, and of equal ones
 * the first in the file.
 */
export function chooseTask(prd: Pick<Prd, 'userStories'>, maxAttempts: number): TaskChoice {
  const open = prd.userStories.filter(({ passes }) => !passes);
  if (open.length === 0) return { kind: 'all-passed' };
  const passed = new Set(prd.userStories.filter(({ passes }) => passes).map(({ id }) => id));
  const exhausted = open.filter(({ attempts }) => attempts >= maxAttempts);
  const willing = open.filter(({ attempts }) => attempts < maxAttempts);
  const [first, ...others] = willing.filter(({ dependsOn }) => dependsOn.every((id) => passed.has(id)));
  if (first === undefined) return { kind: 'blocked', exhausted, waiting: willing };
  const story = others.reduce((best, one) => (one.priority < best.priority ? one : best), first);
  return { kind: 'task', story };
}
