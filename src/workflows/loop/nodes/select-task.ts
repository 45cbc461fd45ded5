/** Takes over what people pushed to the branch, and chooses the next task; or says why there is none. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeTaskBlocked } from '../rules/comments/checkpoint-comments.ts';
import { chooseTask } from '../rules/document/choose-task.ts';
import type { LoopState } from '../state.ts';
import { parsePrd } from './read-stored.ts';
import { showTasks } from './show-tasks.ts';
import { takeOverBranch } from './take-over-branch.ts';

export async function selectTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { head, prd: hash } = await takeOverBranch(context, state);
  const prd = parsePrd(await context.ledger.getText(hash ?? ''));
  const choice = chooseTask(prd, state.ceiling);
  const taken = { head, prd: hash };
  showTasks(context, prd, choice.kind === 'task' ? choice.story.id : null);
  if (choice.kind === 'all-passed') return { ...taken, attempt: null, route: 'check' };
  if (choice.kind === 'blocked') {
    const because = describeBlocked(choice);
    await say(
      context,
      `blocked-${state.step}`,
      writeTaskBlocked({ ...choice, handle: context.settings.handle, issue: context.request.number }),
    );
    await moveLabel(context, `blocked-${state.step}`, labelNames.loopBlocked);
    return { ...taken, attempt: null, because, route: 'blocked' };
  }
  const { id, attempts } = choice.story;
  const attempt = { id, attempt: attempts + 1, call: state.calls + 1, context: '' };
  await moveLabel(context, `progress-${state.step}`, labelNames.loopInProgress);
  return {
    ...taken,
    calls: state.calls + 1,
    attempt: { ...attempt, report: null, commit: null, obstacles: [] },
    route: 'work',
  };
}

function describeBlocked(choice: Extract<ReturnType<typeof chooseTask>, { kind: 'blocked' }>): string {
  const failed = choice.exhausted.map(({ id, attempts }) => `${id} failed ${attempts} times`);
  const waiting = choice.waiting.map(({ id, dependsOn }) => `${id} waits for ${dependsOn.join(', ')}`);
  return [...failed, ...waiting].join('; ');
}
