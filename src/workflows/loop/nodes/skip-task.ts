/** A person's word that a task counts as passed. It is written down as that, and never as proven. */
import { GatewrightError } from '../../../errors.ts';
import { pushTree } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { stateMessage } from '../rules/commit-message.ts';
import { editJson } from '../rules/document/edit-json.ts';
import type { LoopState } from '../state.ts';
import { findAnswerer } from './find-answerer.ts';
import { headOf, parsePrd, readConfig, readPrdText } from './read-stored.ts';

export async function skipTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const [, task = '', why = ''] = /^\s*(US-\d{3,6})\s*:?\s*(.*)$/su.exec(state.feedback) ?? [];
  const text = await readPrdText(context, state);
  const prd = parsePrd(text);
  const place = prd.userStories.findIndex(({ id }) => id === task);
  const story = prd.userStories[place];
  const because = state.because;
  if (story === undefined || why.trim() === '')
    return {
      route: 'wait',
      feedback: '',
      because: 'To skip a task, name it and say why, such as "US-003: done by hand".',
    };
  if (story.passes) throw new GatewrightError('usage', `${task} has passed already.`);
  const by = await findAnswerer(context);
  const key = `${context.runId}/skip/${story.uid}`;
  await context.record({ kind: 'task-skipped', key, data: { task, by, why: why.trim() } });
  const next = editJson(text, [{ path: ['userStories', place, 'passes'], value: true }]);
  const head = headOf(state);
  const config = await readConfig(context, state);
  const pushed = await pushTree(context, `skip-${state.step}`, {
    ...{ branch: state.branch, parent: head, expected: head },
    tree: await context.trees.putFiles(head, [{ path: config.prdLocation, text: next }]),
    message: stateMessage(config.commitPrefixes.state, `manually skip ${task}`, context.request.number),
  });
  return { head: pushed, prd: await context.ledger.putText(next), feedback: '', because, route: 'wait' };
}
