/** Code decides whether an attempt passed: the commands of the plan on its commit, and the gates. Then it is logged. */
import { GatewrightError } from '../../../errors.ts';
import { say } from '../../issue-runs/say.ts';
import { pushPrd, pushTree } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writeDiscoveryNote } from '../rules/comments/discovery-note.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { writeTaskLog } from '../rules/comments/task-log.ts';
import { writeWisp } from '../rules/comments/wisp.ts';
import { taskMessage } from '../rules/commit-message.ts';
import { editJson } from '../rules/document/edit-json.ts';
import { type Enqueued, enqueueDiscovered } from '../rules/document/enqueue-discovered.ts';
import type { Prd, UserStory } from '../rules/document/prd.ts';
import { judgeStale } from '../rules/judging/stale-plan.ts';
import type { LoopConfig } from '../rules/planning/loop-config.ts';
import { fastLines, fullLines } from '../rules/planning/verify-tiers.ts';
import type { TaskReport } from '../rules/task-report.ts';
import type { LoopState, TaskAttempt } from '../state.ts';
import { compactLogs } from './compact-logs.ts';
import { type Judged, judgeCommit, readReport } from './judge-commit.ts';
import { keepPatterns, withPatterns } from './keep-patterns.ts';
import { headOf, parsePrd, readConfig, readGrants, readPrdText } from './read-stored.ts';
import { showTasks } from './show-tasks.ts';
import { pushPrdOnTop } from './take-over-branch.ts';

interface Facts {
  readonly config: LoopConfig;
  readonly prd: Prd;
  readonly story: UserStory;
  readonly report: TaskReport | null;
}

/** Null when a person took the task out of prd.json while the agent worked on it. */
async function readFacts(
  context: LoopContext,
  state: LoopState,
  attempt: TaskAttempt,
): Promise<Facts | null> {
  const prd = parsePrd(await readPrdText(context, state));
  const story = prd.userStories.find(({ id }) => id === attempt.id);
  if (story === undefined) return null;
  return { config: await readConfig(context, state), prd, story, report: await readReport(context, attempt) };
}

async function judge(
  context: LoopContext,
  state: LoopState,
  { config, story, prd, report }: Facts,
  attempt: TaskAttempt,
): Promise<Judged> {
  if (story.verifyCommands.length > 0 || attempt.commit === null || attempt.obstacles.length > 0) {
    const { commands: granted } = await readGrants(context, state);
    const tiers = { prd, config, granted };
    const lines = fastLines(tiers, story);
    const full = isFullDue(state, config)
      ? fullLines(tiers, { task: story.id, proven: await listProven(context) })
      : [];
    return judgeCommit(context, state, attempt, { lines, full, report });
  }
  const why = 'The task has no command that could show that it is done; add one with a new plan.';
  return { isPassed: false, reasons: [why], notes: [], verified: [], tier: 'fast' };
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

/** prd.json after the attempt: its counters, and tasks that were discovered with commands of the approved plan. */
function updatePrd(
  text: string,
  { story, report }: Facts,
  { isPassed, at, commands }: { isPassed: boolean; at: string; commands: readonly string[] },
): Pick<Enqueued, 'text' | 'added' | 'needsApproval'> {
  const { userStories } = parsePrd(text);
  const place = userStories.findIndex(({ id, uid }) => id === story.id && uid === story.uid);
  const now = userStories[place];
  if (now === undefined) return { text, added: [], needsApproval: [] };
  const path = (field: string) => ['userStories', place, field];
  const edited = editJson(text, [
    // What a person marked as passed meanwhile stays so.
    { path: path('passes'), value: isPassed || now.passes },
    { path: path('attempts'), value: story.attempts + 1 },
    { path: path('lastAttempt'), value: at },
  ]);
  return enqueueDiscovered(edited, now, report?.discovered ?? [], commands);
}

export async function judgeTask(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { attempt } = state;
  if (attempt === null) throw new GatewrightError('internal', 'No task was tried.');
  const { ledger, request, runId, trees } = context;
  const facts = await readFacts(context, state, attempt);
  if (facts === null) return { attempt: null, left: null, route: 'select' };
  const { config, story, report } = facts;
  const judged = await judge(context, state, facts, attempt);
  const { isPassed, reasons, notes, verified, tier } = judged;
  // A person may set the attempts of a task back; the number of the call never comes again.
  const key = `${attempt.id}-${attempt.call}`;
  // The time of the call that was judged: the same after a crash.
  const at = (await ledger.find('model-answered', `${runId}/loop-coder#${attempt.call}`))?.at ?? '';
  const { commands } = await readGrants(context, state);
  const update = (text: string) => updatePrd(text, facts, { isPassed, at, commands });
  const before = await readPrdText(context, state);
  const { added, needsApproval } = update(before);
  const { branch } = state;
  const head = headOf(state);
  const commit = isPassed
    ? await pushTree(context, `task-${key}`, {
        ...{ branch, parent: head, expected: head },
        tree: await trees.treeOf(attempt.commit ?? ''),
        message: taskMessage(config.commitPrefixes.task, story, request.number),
      })
    : null;
  const what = `update prd.json - ${story.id} ${isPassed ? 'passed' : `failed, attempt ${attempt.attempt}`}`;
  const learned = isPassed ? (report?.patterns ?? []) : [];
  const origin = { issue: request.number, taskId: story.id, taskUid: story.uid, createdAt: at };
  const change = async (text: string, on: string) => {
    const files = await keepPatterns(context, config, on, learned);
    const next = withPatterns(update(text).text, files, { ...origin, commit: commit ?? '' });
    return { text: next, what, files: files.files };
  };
  const kept = await keepPatterns(context, config, commit ?? head, learned);
  // A failed attempt is judged anew on top of what people pushed meanwhile; one that passed is on the branch already.
  const pushed =
    commit === null
      ? await pushPrd(context, state, `state-${key}`, await change(before, head))
      : await pushPrdOnTop(context, { ...state, head: commit }, `state-${key}`, change);
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
          ...(report === null || (report.testIntent ?? []).length === 0
            ? {}
            : { testIntent: report.testIntent }),
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
        outputLines: config.execution.verify.maxOutputLinesPerCommand,
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
  showTasks(context, parsePrd(await readPrdText(context, { ...state, ...pushed })), null);
  const left = isPassed || attempt.commit === null ? null : { id: story.id, commit: attempt.commit };
  const passedSinceFull = countSinceFull(state, judged);
  const next = { ...pushed, left, attempt: null, passedSinceFull };
  return {
    ...next,
    ...(await compactLogs(context, { ...state, ...pushed })),
    ...routeAfter(state, config, story, isPassed),
  };
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
