/** All tasks passed: everything is verified once more, and a person tests it. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeTestingCheckpoint, writeWholeBlocked } from '../rules/comments/checkpoint-comments.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { fullLines, withoutTasks } from '../rules/planning/verify-tiers.ts';
import type { LoopState } from '../state.ts';
import { headOf, listByWord, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';
import { pushDebugState } from './stop-for-person.ts';
import { verifyLines } from './verify-lines.ts';

export async function checkWhole(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const prd = parsePrd(await readPrdText(context, state));
  const config = await readConfig(context, state);
  const { commands: granted } = await readGrants(context, state);
  const verified = await verifyLines(context, state, config, {
    ...{ commit: headOf(state), lines: fullLines({ prd, config, granted }, null) },
  });
  // A task that a person skipped may have nothing to show. Its commands are run, so that people see what they say.
  const proven = withoutTasks(prd, await listByWord(context));
  const required = new Set(fullLines({ prd: proven, config, granted }, null));
  const failed = verified.filter(({ isPassed, command }) => !isPassed && required.has(command));
  if (failed.length > 0) {
    const because = `Every task passed, but on the whole branch this fails: ${failed.map(({ command }) => command).join('; ')}`;
    const told = { verified, handle: context.settings.handle, issue: context.request.number };
    await say(context, `check-${state.step}/comment`, writeWholeBlocked(told));
    await moveLabel(context, `check-${state.step}`, labelNames.loopBlocked);
    return { because, route: 'blocked' };
  }
  const pushed = await pushDebugState(context, state, `testing-${state.step}`, { status: 'testing' });
  const text = writeTestingCheckpoint(
    {
      ...{ prd, branch: state.branch, issue: context.request.number, verified },
      handle: context.settings.handle,
    },
    choosePrefixes(config.commentPrefixes),
  );
  await say(context, `testing-${state.step}/comment`, text);
  await moveLabel(context, `testing-${state.step}`, labelNames.loopTesting);
  return { ...pushed, because: '', route: 'testing' };
}

export async function markVerified(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const pushed = await pushDebugState(context, state, `verified-${state.step}`, { status: 'verified' });
  await moveLabel(context, `verified-${state.step}`, labelNames.loopReview);
  return { ...pushed, route: 'ask-close' };
}
