/** All tasks passed: everything is verified once more, a person tests it, and what they find is mended. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { GatewrightError } from '../../../errors.ts';
import { moveLabel, pushTree, say } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import {
  writeDebugBlocked,
  writeDebugFixed,
  writeDebugSession,
  writeTestingCheckpoint,
} from '../rules/comments/checkpoint-comments.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { stateMessage } from '../rules/commit-message.ts';
import { fullLines } from '../rules/planning/verify-tiers.ts';
import type { LoopState } from '../state.ts';
import { findAnswerer } from './find-answerer.ts';
import { headOf, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';
import { pushDebugState } from './stop-for-person.ts';
import { verifyLines } from './verify-lines.ts';
import { tryTask } from './work-task.ts';

/** All commands of the branch, on its head. */
async function verifyAll(context: LoopContext, state: LoopState, commit: string) {
  const prd = parsePrd(await readPrdText(context, state));
  const config = await readConfig(context, state);
  const { commands: granted } = await readGrants(context, state);
  return verifyLines(context, state, config, { commit, lines: fullLines({ prd, config, granted }, null) });
}

export async function checkWhole(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const verified = await verifyAll(context, state, headOf(state));
  const failed = verified.filter(({ isPassed }) => !isPassed);
  if (failed.length > 0) {
    const because = `Every task passed, but on the whole branch this fails: ${failed.map(({ command }) => command).join('; ')}`;
    await moveLabel(context, `check-${state.step}`, labelNames.loopBlocked);
    return { because, route: 'blocked' };
  }
  const pushed = await pushDebugState(context, state, `testing-${state.step}`, { status: 'testing' });
  const prd = parsePrd(await readPrdText(context, state));
  const { commentPrefixes } = await readConfig(context, state);
  const text = writeTestingCheckpoint(
    {
      ...{ prd, branch: state.branch, issue: context.request.number, verified },
      handle: context.settings.handle,
    },
    choosePrefixes(commentPrefixes),
  );
  await say(context, `testing-${state.step}/comment`, text);
  await moveLabel(context, `testing-${state.step}`, labelNames.loopTesting);
  return { ...pushed, because: '', route: 'testing' };
}

export async function debugReport(context: LoopContext, begun: LoopState): Promise<Partial<LoopState>> {
  const { report } = begun;
  if (report === null) throw new GatewrightError('internal', 'There is nothing to debug.');
  const by = report.by === '' ? await findAnswerer(context) : report.by;
  const config = await readConfig(context, begun);
  const prefixes = choosePrefixes(config.commentPrefixes);
  const attempt = begun.debugAttempts + 1;
  const most = config.maxDebugAttempts;
  const call = begun.calls + 1;
  await say(context, `debug-${call}`, writeDebugSession({ ...report, by, attempt, most }, prefixes));
  const tried = await tryTask(
    context,
    begun,
    { id: 'debug', call },
    {
      ...{ task: report.location, debug: { ...report, by }, role: 'loop-debugger', prompt: 'loop-debug' },
      purpose: 'mending what testing found in the work',
      message: stateMessage(config.commitPrefixes.debug, 'mend what testing found', context.request.number),
    },
  );
  const state = { ...begun, head: tried.head, prd: tried.prd };
  const verified = tried.commit === null ? [] : await verifyAll(context, state, tried.commit);
  const failures = [
    ...tried.obstacles,
    ...verified.filter(({ isPassed }) => !isPassed).map(({ command }) => `"${command}" fails.`),
  ];
  const { type, location, description } = report;
  // The time of the call that was judged: the same after a crash.
  const asked = `${context.runId}/loop-debugger#${call}`;
  const timestamp = (await context.ledger.find('model-answered', asked))?.at ?? '';
  const entry = { attempt, type, location, description, timestamp };
  const common = { calls: call, debugAttempts: attempt };
  if (failures.length === 0 && tried.commit !== null) {
    const head = headOf(state);
    const fixed = await pushTree(context, `fix-${call}`, {
      ...{ branch: state.branch, parent: head, expected: head },
      tree: await context.trees.treeOf(tried.commit),
      message: stateMessage(config.commitPrefixes.debug, 'mend what testing found', context.request.number),
    });
    const after = { ...state, ...common, head: fixed };
    const pushed = await pushDebugState(context, after, `debugged-${call}`, { status: 'testing', entry });
    const summary = tried.report?.summary ?? '';
    await say(
      context,
      `fixed-${call}`,
      writeDebugFixed(
        {
          ...{ attempt, commit: fixed, summary, verified },
          ...{ handle: context.settings.handle, issue: context.request.number },
        },
        prefixes,
      ),
    );
    return { ...common, ...pushed, left: null, report: null, route: 'testing' };
  }
  const left = tried.commit === null ? null : { id: 'debug', commit: tried.commit };
  if (attempt < most) {
    const pushed = await pushDebugState(context, { ...state, ...common }, `debugging-${call}`, {
      status: 'debugging',
      entry,
    });
    return { ...common, ...pushed, left, report: { ...report, by }, route: 'debug' };
  }
  const pushed = await pushDebugState(context, { ...state, ...common }, `debug-blocked-${call}`, {
    status: 'blocked',
    entry,
  });
  await say(
    context,
    `debug-blocked-${call}`,
    writeDebugBlocked({ attempts: attempt, failures, handle: context.settings.handle }, prefixes),
  );
  await moveLabel(context, `debug-blocked-${call}`, labelNames.loopBlocked);
  return {
    ...common,
    ...pushed,
    left: null,
    because: `debugging failed ${attempt} times: ${failures.join(' ')}`,
    route: 'blocked',
  };
}

export async function markVerified(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const pushed = await pushDebugState(context, state, `verified-${state.step}`, { status: 'verified' });
  await moveLabel(context, `verified-${state.step}`, labelNames.loopReview);
  return { ...pushed, route: 'ask-close' };
}
