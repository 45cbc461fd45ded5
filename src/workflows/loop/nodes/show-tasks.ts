/** Tells the person who watches which tasks there are, and how far each is. */
import type { LoopContext } from '../loop-context.ts';
import type { Prd } from '../rules/document/prd.ts';

export function showTasks(
  { progress }: Pick<LoopContext, 'progress'>,
  { userStories }: Pick<Prd, 'userStories'>,
  current: string | null,
): void {
  const tasks = userStories.map(({ id, title, passes, attempts }) => ({ id, title, passes, attempts }));
  progress({ kind: 'tasks', tasks, current });
}
