/** Takes over what people pushed to the branch, and chooses the next task; or says why there is none. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { GatewrightError } from '../../../errors.ts';
import { moveLabel, say } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeTaskBlocked } from '../rules/comments/checkpoint-comments.ts';
import { chooseTask } from '../rules/document/choose-task.ts';
import type { Prd } from '../rules/document/prd.ts';
import { verifyCommandsOf } from '../rules/planning/plan-proposal.ts';
import type { LoopState } from '../state.ts';
import { adoptBranch } from './adopt-branch.ts';
import { headOf, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';

/** Commands that no approved plan holds: nothing of the file is used until a person approves a plan with them. */
async function requireGranted(context: LoopContext, state: LoopState, prd: Prd): Promise<void> {
  const { commands } = await readGrants(context, state);
  const known = new Set(commands);
  const unknown = verifyCommandsOf(prd).filter((command) => !known.has(command));
  if (unknown.length === 0) return;
  throw new GatewrightError(
    'prd-not-approved',
    `prd.json on ${state.branch} holds commands that no approved plan has: ${unknown.length}.`,
    { details: unknown.map((command) => command.slice(0, 200)) },
  );
}

/** A task that was passed by hand is the word of the person who pushed it. */
async function recordByHand(context: LoopContext, head: string, before: Prd, now: Prd): Promise<void> {
  const open = new Set(before.userStories.filter(({ passes }) => !passes).map(({ uid }) => uid));
  for (const { id, uid, passes } of now.userStories) {
    if (!passes || !open.has(uid)) continue;
    const why = `prd.json says so in the commit ${head.slice(0, 12)}, which was pushed to the branch`;
    const data = { task: id, by: 'the branch', why };
    await context.record({ kind: 'task-skipped', key: `${context.runId}/skip/${uid}`, data });
  }
}

/** What the branch is at now. Our own pushes are known; any other commit came from a person. */
async function takeOverBranch(
  context: LoopContext,
  state: LoopState,
): Promise<Pick<LoopState, 'head' | 'prd'>> {
  const { forge, ledger, repository, workspaces } = context;
  const known = headOf(state);
  const now = await forge.getBranch(repository, state.branch);
  if (now === null) throw new GatewrightError('branch-gone', `The branch ${state.branch} is gone.`);
  if (now.sha === known) return { head: known, prd: state.prd };
  const head = await adoptBranch(context, state.branch, now.sha);
  const { prdLocation } = await readConfig(context, state);
  const text = await workspaces.readFile(head, prdLocation);
  if (text === null)
    throw new GatewrightError('prd-invalid', `${prdLocation} is gone from ${state.branch}, or is no text.`);
  const prd = parsePrd(text);
  await requireGranted(context, state, prd);
  await recordByHand(context, head, parsePrd(await readPrdText(context, state)), prd);
  return { head, prd: await ledger.putText(text) };
}

export async function selectTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { head, prd: hash } = await takeOverBranch(context, state);
  const prd = parsePrd(await context.ledger.getText(hash ?? ''));
  const choice = chooseTask(prd, state.ceiling);
  const taken = { head, prd: hash };
  if (choice.kind === 'all-passed') return { ...taken, attempt: null, route: 'check' };
  if (choice.kind === 'blocked') {
    const because = describeBlocked(choice);
    await say(
      context,
      `blocked-${state.step}`,
      writeTaskBlocked({ ...choice, handle: context.settings.handle }),
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
