/** Code decides whether an attempt passed: the commands of the plan on its commit, and the gates. Then it is logged. */
import { GatewrightError } from '../../../errors.ts';
import { pushTree, say } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeDiscoveryNote } from '../rules/comments/discovery-note.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { writeTaskLog } from '../rules/comments/task-log.ts';
import { writeWisp } from '../rules/comments/wisp.ts';
import { stateMessage, taskMessage } from '../rules/commit-message.ts';
import { editJson } from '../rules/document/edit-json.ts';
import { enqueueDiscovered } from '../rules/document/enqueue-discovered.ts';
import type { Prd, UserStory } from '../rules/document/prd.ts';
import { judgeGates } from '../rules/judging/gate-mode.ts';
import { judgeProof } from '../rules/judging/judge-proof.ts';
import { judgeStale } from '../rules/judging/stale-plan.ts';
import type { LoopConfig } from '../rules/planning/loop-config.ts';
import { fastLines, fullLines } from '../rules/planning/verify-tiers.ts';
import type { TaskReport } from '../rules/task-report.ts';
import type { LoopState, TaskAttempt } from '../state.ts';
import { compactLogs } from './compact-logs.ts';
import { keepPatterns, withPatterns } from './keep-patterns.ts';
import { headOf, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';
import { showTasks } from './show-tasks.ts';
import { proveLines, type VerifiedLine, verifyLines } from './verify-lines.ts';

const longestDiff = 400_000;

interface Judged {
  readonly isPassed: boolean;
  readonly reasons: readonly string[];
  readonly notes: readonly string[];
  readonly verified: readonly VerifiedLine[];
  readonly tier: 'fast' | 'full';
}

async function judge(
  context: LoopContext,
  state: LoopState,
  { config, story, prd, report }: Facts,
  attempt: TaskAttempt,
): Promise<Judged> {
  const { commit, obstacles } = attempt;
  if (commit === null || obstacles.length > 0)
    return { isPassed: false, reasons: obstacles, notes: [], verified: [], tier: 'fast' };
  if (story.verifyCommands.length === 0) {
    const why = 'The task has no command that could show that it is done; add one with a new plan.';
    return { isPassed: false, reasons: [why], notes: [], verified: [], tier: 'fast' };
  }
  const { commands: granted } = await readGrants(context, state);
  const tiers = { prd, config, granted };
  const lines = fastLines(tiers, story);
  let verified = await verifyLines(context, state, config, { commit, lines });
  // A command that was run on this commit before is not run again.
  const isFull = isFullDue(state, config) && verified.every(({ isPassed }) => isPassed);
  if (isFull)
    verified = await verifyLines(context, state, config, {
      commit,
      lines: [...lines, ...fullLines(tiers, { task: story.id, proven: await listProven(context) })],
    });
  const failed = verified.filter(({ isPassed }) => !isPassed).map(({ command }) => `"${command}" fails.`);
  const diff = await context.workspaces.diff(headOf(state), commit, longestDiff);
  const { failures, warnings } = judgeGates({ config, diff, search: report?.search ?? null });
  // Where a command fails, there is nothing to prove.
  const proof =
    failed.length > 0
      ? { failures: [], warnings: [] }
      : judgeProof(await proveLines(context, state, config, { commit, lines }), config.execution.gateMode);
  const reasons = [...failed, ...failures, ...proof.failures];
  return {
    isPassed: reasons.length === 0,
    reasons,
    notes: [...warnings, ...proof.warnings],
    verified,
    tier: isFull ? 'full' : 'fast',
  };
}

/** Tasks whose commands succeeded. */
async function listProven({ ledger, runId }: LoopContext): Promise<ReadonlySet<string>> {
  const entries = await ledger.readRun(runId);
  return new Set(
    entries.flatMap((entry) => (entry.kind === 'task-judged' && entry.data.passed ? [entry.data.task] : [])),
  );
}

/** Every few tasks that pass, all commands are run that can pass by now. */
function isFullDue({ passedSinceFull = 0 }: LoopState, { execution: { verify } }: LoopConfig): boolean {
  return passedSinceFull + 1 >= verify.fullRunEveryNPassedTasks;
}

function countSinceFull({ passedSinceFull = 0 }: LoopState, { isPassed, tier }: Judged): number {
  if (!isPassed) return passedSinceFull;
  return tier === 'full' ? 0 : passedSinceFull + 1;
}

interface Facts {
  readonly config: LoopConfig;
  readonly prd: Prd;
  readonly story: UserStory;
  readonly place: number;
  readonly report: TaskReport | null;
}

async function readFacts(context: LoopContext, state: LoopState, attempt: TaskAttempt): Promise<Facts> {
  const prd = parsePrd(await readPrdText(context, state));
  const place = prd.userStories.findIndex(({ id }) => id === attempt.id);
  const story = prd.userStories[place];
  if (story === undefined) throw new GatewrightError('internal', `${attempt.id} is not in prd.json.`);
  const report =
    attempt.report === null ? null : (JSON.parse(await context.ledger.getText(attempt.report)) as TaskReport);
  return { config: await readConfig(context, state), prd, story, place, report };
}

/** prd.json after the attempt: its counters, and tasks that were discovered with commands of the approved plan. */
async function updatePrd(
  context: LoopContext,
  state: LoopState,
  { story, place, report }: Facts,
  { isPassed }: Judged,
  at: string,
) {
  const path = (field: string) => ['userStories', place, field];
  const edited = editJson(await readPrdText(context, state), [
    { path: path('passes'), value: isPassed },
    { path: path('attempts'), value: story.attempts + 1 },
    { path: path('lastAttempt'), value: at },
  ]);
  const { commands } = await readGrants(context, state);
  return enqueueDiscovered(edited, story, report?.discovered ?? [], commands);
}

export async function judgeTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { attempt } = state;
  if (attempt === null) throw new GatewrightError('internal', 'No task was tried.');
  const { ledger, request, runId, trees } = context;
  const facts = await readFacts(context, state, attempt);
  const { config, story, report } = facts;
  const judged = await judge(context, state, facts, attempt);
  const { isPassed, reasons, notes, verified, tier } = judged;
  // A person may set the attempts of a task back; the number of the call never comes again.
  const key = `${attempt.id}-${attempt.call}`;
  // The time of the call that was judged: the same after a crash.
  const at = (await ledger.find('model-answered', `${runId}/loop-coder#${attempt.call}`))?.at ?? '';
  const { text: counted, added, needsApproval } = await updatePrd(context, state, facts, judged, at);
  const { branch } = state;
  let head = headOf(state);
  if (isPassed)
    head = await pushTree(context, `task-${key}`, {
      ...{ branch, parent: head, expected: head },
      tree: await trees.treeOf(attempt.commit ?? ''),
      message: taskMessage(config.commitPrefixes.task, story, request.number),
    });
  const commit = isPassed ? head : null;
  const what = `update prd.json - ${story.id} ${isPassed ? 'passed' : `failed, attempt ${attempt.attempt}`}`;
  const kept = await keepPatterns(context, config, head, isPassed ? (report?.patterns ?? []) : []);
  const text = withPatterns(counted, kept, {
    ...{ issue: request.number, taskId: story.id, taskUid: story.uid, commit: commit ?? '', createdAt: at },
  });
  head = await pushTree(context, `state-${key}`, {
    ...{ branch, parent: head, expected: head },
    tree: await trees.putFiles(head, [{ path: config.prdLocation, text }, ...kept.files]),
    message: stateMessage(config.commitPrefixes.state, what, request.number),
  });
  await say(
    context,
    `log-${key}`,
    writeTaskLog(
      {
        event: {
          ...{ v: 1, type: 'task_log', issue: request.number, taskId: story.id, taskUid: story.uid },
          ...{ status: isPassed ? 'pass' : 'fail', attempt: attempt.attempt, commit: commit ?? '' },
          verify: {
            passed: verified.filter((line) => line.isPassed).map(({ command }) => command),
            failed: verified.filter((line) => !line.isPassed).map(({ command }) => command),
          },
          ...(report === null ? {} : { search: report.search }),
          discovered: added.map(({ title, description, acceptanceCriteria, verifyCommands }) => ({
            ...{ title, description },
            acceptanceCriteria: [...acceptanceCriteria],
            verifyCommands: [...verifyCommands],
          })),
          ts: at,
          verifyTier: tier,
          contextManifest: { hash: attempt.context, algorithm: 'sha256' },
          ...(kept.patterns.length === 0
            ? {}
            : { patterns: kept.patterns.map((one) => ({ ...one, files: [...one.files] })) }),
        },
        title: story.title,
        summary: report?.summary ?? 'The agent did not come to an end.',
        changes: report?.changes ?? [],
        verification: verified,
        learnings: report?.learnings ?? '',
        nextAttempt: [...reasons, report?.nextAttempt ?? ''].filter((line) => line !== '').join('\n'),
        notes: [
          ...(isPassed ? [] : reasons),
          ...notes,
          ...kept.notes,
          ...needsApproval.map(
            ({ task: { title } }) =>
              `"${title}" was found and needs a new plan: its commands are not approved.`,
          ),
        ],
      },
      choosePrefixes(config.commentPrefixes),
    ),
  );
  await sayMore(context, key, facts, at);
  const data = {
    task: story.id,
    attempt: attempt.attempt,
    passed: isPassed,
    commit,
    context: attempt.context,
    reasons,
  };
  await context.record({ kind: 'task-judged', key: `${runId}/judged/${key}`, data });
  showTasks(context, parsePrd(text), null);
  const left = isPassed || attempt.commit === null ? null : { id: story.id, commit: attempt.commit };
  const passedSinceFull = countSinceFull(state, judged);
  const next = { head, prd: await ledger.putText(text), left, attempt: null, passedSinceFull };
  return { ...next, ...(await compactLogs(context, state)), ...routeAfter(state, config, story, isPassed) };
}

/** On to the next task, or to a person where one task only was asked for, or where retrying does not help any more. */
function routeAfter(
  state: LoopState,
  config: LoopConfig,
  { id: task, attempts }: UserStory,
  isPassed: boolean,
): Partial<LoopState> {
  const isExhausted = attempts + 1 >= state.ceiling;
  const { counters, replan } = judgeStale(state.retries, { task, isPassed, isExhausted }, config);
  if (replan !== null) return { retries: counters, because: replan, route: 'replan' };
  return { retries: counters, route: state.pace === 'loop' ? 'select' : 'wait' };
}

/** What the agent wants others to know, each in its own kind of comment. */
async function sayMore(
  context: LoopContext,
  key: string,
  { config, story, report }: Facts,
  at: string,
): Promise<void> {
  const prefixes = choosePrefixes(config.commentPrefixes);
  const { note = null, wisp = null } = report ?? {};
  if (note !== null)
    await say(context, `note-${key}`, writeDiscoveryNote({ taskId: story.id, at, ...note }, prefixes));
  if (wisp !== null) {
    const expiresAt = new Date(Date.parse(at) + wisp.minutes * 60_000).toISOString();
    const issue = context.request.number;
    const text = writeWisp({ issue, taskUid: story.uid, note: wisp.note, expiresAt }, prefixes);
    await say(context, `wisp-${key}`, text);
  }
}
