/** A person's word that a task counts as passed. It is written down as that, and never as proven. */
import { pushPrd } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { editJson } from '../rules/document/edit-json.ts';
import type { LoopState } from '../state.ts';
import { findAnswerer } from './find-answerer.ts';
import { parsePrd, readPrdText } from './read-stored.ts';

export async function skipTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const [, task = '', why = ''] = /^\s*(US-\d{3,6})\s*:?\s*(.*)$/su.exec(state.feedback) ?? [];
  const text = await readPrdText(context, state);
  const prd = parsePrd(text);
  const place = prd.userStories.findIndex(({ id }) => id === task);
  const story = prd.userStories[place];
  const wait = (said: string): Partial<LoopState> => ({ route: 'wait', feedback: '', because: said });
  if (task === '' || why.trim() === '')
    return wait('To skip a task, name it and say why, such as "US-003: done by hand".');
  if (story === undefined)
    return wait(`There is no task ${task}; there are ${prd.userStories.map(({ id }) => id).join(', ')}.`);
  // A person may have pushed the same meanwhile.
  if (story.passes) return wait(`${task} has passed already.`);
  const by = await findAnswerer(context);
  const key = `${context.runId}/skip/${story.uid}`;
  await context.record({ kind: 'task-skipped', key, data: { task, by, why: why.trim() } });
  const next = editJson(text, [{ path: ['userStories', place, 'passes'], value: true }]);
  const pushed = await pushPrd(context, state, `skip-${state.step}`, {
    ...{ text: next, what: `manually skip ${task}` },
  });
  return { ...pushed, ...wait(`${task} was skipped.`) };
}
