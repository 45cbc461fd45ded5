/** What a person found while testing is mended by an agent, and judged as every other work: by code, not by its word. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { GatewrightError } from '../../../errors.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel, pushTree } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import {
  writeDebugBlocked,
  writeDebugFixed,
  writeDebugSession,
} from '../rules/comments/checkpoint-comments.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { stateMessage } from '../rules/commit-message.ts';
import { fullLines, withoutTasks } from '../rules/planning/verify-tiers.ts';
import type { LoopState } from '../state.ts';
import { findAnswerer } from './find-answerer.ts';
import { judgeCommit, readReport } from './judge-commit.ts';
import { headOf, listByWord, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';
import { editDebugState, pushDebugState } from './stop-for-person.ts';
import { pushPrdOnTop } from './take-over-branch.ts';
import { tryTask } from './work-task.ts';

const id = 'debug';

const messageOf = (prefix: string, issue: number): string =>
  stateMessage(prefix, 'mend what testing found', issue);

/** One attempt at mending it. What people pushed while it was judged brings it here again, with the same call. */
export async function debugReport(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { report } = state;
  if (report === null) throw new GatewrightError('internal', 'There is nothing to debug.');
  const by = report.by === '' ? await findAnswerer(context) : report.by;
  const config = await readConfig(context, state);
  const attempt = state.debugAttempts + 1;
  const call = state.attempt?.id === id ? state.attempt.call : state.calls + 1;
  const session = { ...report, by, attempt, most: config.maxDebugAttempts };
  await say(context, `debug-${call}`, writeDebugSession(session, choosePrefixes(config.commentPrefixes)));
  const { head, prd, ...tried } = await tryTask(
    context,
    state,
    { id, call },
    {
      ...{ task: report.location, debug: { ...report, by }, role: 'loop-debugger', prompt: 'loop-debug' },
      purpose: 'mending what testing found in the work',
      message: messageOf(config.commitPrefixes.debug, context.request.number),
    },
  );
  const told = tried.report === null ? null : await context.ledger.putText(JSON.stringify(tried.report));
  return {
    ...{ head, prd, calls: call, report: { ...report, by } },
    attempt: { id, attempt, call, ...tried, report: told },
  };
}

/** All commands of the branch on the fix, and what its tests show. */
export async function judgeFix(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { attempt: tried, report } = state;
  if (tried === null || report === null) throw new GatewrightError('internal', 'Nothing was mended.');
  const { attempt, call } = tried;
  const { request, trees } = context;
  const config = await readConfig(context, state);
  const prefixes = choosePrefixes(config.commentPrefixes);
  const said = await readReport(context, tried);
  const prd = parsePrd(await readPrdText(context, state));
  const { commands: granted } = await readGrants(context, state);
  const proven = withoutTasks(prd, await listByWord(context));
  const lines = fullLines({ prd: proven, config, granted }, null);
  const { isPassed, reasons, verified } = await judgeCommit(context, state, tried, { lines, report: said });
  const { type, location, description } = report;
  // The time of the call that was judged: the same after a crash.
  const asked = `${context.runId}/loop-debugger#${call}`;
  const timestamp = (await context.ledger.find('model-answered', asked))?.at ?? '';
  const entry = { attempt, type, location, description, timestamp };
  const common = { debugAttempts: attempt, attempt: null };
  const after = { ...state, ...common };
  if (isPassed && tried.commit !== null) {
    const head = headOf(state);
    const fixed = await pushTree(context, `fix-${call}`, {
      ...{ branch: state.branch, parent: head, expected: head },
      tree: await trees.treeOf(tried.commit),
      message: messageOf(config.commitPrefixes.debug, request.number),
    });
    const pushed = await pushPrdOnTop(context, { ...after, head: fixed }, `debugged-${call}`, (text) =>
      editDebugState(text, attempt, { status: 'testing', entry }),
    );
    const summary = said?.summary ?? '';
    const text = writeDebugFixed(
      {
        ...{ attempt, commit: fixed, summary, verified },
        ...{ handle: context.settings.handle, issue: request.number },
      },
      prefixes,
    );
    await say(context, `fixed-${call}`, text);
    return { ...common, ...pushed, left: null, report: null, route: 'testing' };
  }
  if (attempt < config.maxDebugAttempts) {
    const change = { status: 'debugging', entry } as const;
    const pushed = await pushDebugState(context, after, `debugging-${call}`, change);
    const left = tried.commit === null ? null : { id, commit: tried.commit };
    return { ...common, ...pushed, left, route: 'debug' };
  }
  const change = { status: 'blocked', entry } as const;
  const pushed = await pushDebugState(context, after, `debug-blocked-${call}`, change);
  const text = writeDebugBlocked(
    { attempts: attempt, failures: reasons, handle: context.settings.handle, issue: request.number },
    prefixes,
  );
  await say(context, `debug-blocked-${call}`, text);
  await moveLabel(context, `debug-blocked-${call}`, labelNames.loopBlocked);
  return {
    ...{ ...common, ...pushed, left: null, route: 'blocked' },
    because: `debugging failed ${attempt} times: ${reasons.join(' ')}`,
  };
}
