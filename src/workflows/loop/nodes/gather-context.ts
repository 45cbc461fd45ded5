/** What the agent of one task is told: gathered from prd.json, the issue's comments and git, and from nowhere else. */
import { carriesMarker } from '../../../domain/fleet/effect-marker.ts';
import { isAtLeast } from '../../../domain/forge/permission.ts';
import type { ForgeComment } from '../../../ports/forge/forge-issues.ts';
import type { LoopContext } from '../loop-context.ts';
import { readDiscoveryNote } from '../rules/comments/discovery-note.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { readCompactedSummary } from '../rules/comments/summary-comment.ts';
import { readTaskLog } from '../rules/comments/task-log.ts';
import { isLive, readWisp } from '../rules/comments/wisp.ts';
import { assembleContext } from '../rules/context/assemble-context.ts';
import type { LoopState, TestReport } from '../state.ts';
import { headOf, parsePrd, readConfig, readIssue, readPrdText } from './read-stored.ts';

/** Room for what an agent is told besides the code that it reads. */
const budgetTokens = 24_000;

type Reader = Pick<
  LoopContext,
  'forge' | 'ledger' | 'own' | 'repository' | 'request' | 'runId' | 'trees' | 'settings' | 'clock'
>;

/** The comments that this run made, by the receipts of the ledger: a copy of one of ours under another id counts nothing. */
export async function listOwnComments({
  ledger,
  runId,
}: Pick<LoopContext, 'ledger' | 'runId'>): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (const entry of await ledger.readRun(runId)) {
    if (entry.kind !== 'effect-receipted') continue;
    const { result } = entry.data;
    if ('id' in result) ids.add(result.id);
  }
  return ids;
}

/** Comments of people who may decide about the repository, and were not changed since by others. */
async function listGuidance(reader: Reader, comments: readonly ForgeComment[], since: string) {
  const { forge, own, repository } = reader;
  const rights = new Map<string, boolean>();
  const guidance: { author: string; body: string; at: string }[] = [];
  for (const { author, authorKind, body, createdAt } of comments) {
    if (createdAt < since || authorKind !== 'person' || carriesMarker(body)) continue;
    if (author === own && carriesMarker(body)) continue;
    const known = rights.get(author);
    const mayDecide = known ?? isAtLeast(await forge.permissionOf(repository, author), 'write');
    rights.set(author, mayDecide);
    if (mayDecide) guidance.push({ author, body, at: createdAt });
  }
  return guidance;
}

export interface ContextOf {
  readonly task: string;
  readonly debug?: TestReport;
}

/** Reads the forge and the ledger, changes nothing: `loop context` prints just what the next agent would get. */
export async function gatherContext(reader: Reader, state: LoopState, { task, debug }: ContextOf) {
  const { forge, repository, request, trees, ledger, clock } = reader;
  const prd = parsePrd(await readPrdText(reader, state));
  const config = await readConfig(reader, state);
  const prefixes = choosePrefixes(config.commentPrefixes);
  const issue = await readIssue(reader, state);
  const comments = await forge.listComments(repository, request.number);
  const own = await listOwnComments(reader);
  const ours = comments.filter(({ id }) => own.has(id));
  const logs = ours.flatMap(({ body, createdAt: at }) => {
    const log = readTaskLog(body, request.number, prefixes);
    return log === null ? [] : [{ event: log.event, body, at }];
  });
  const summaries = ours.flatMap(({ body, createdAt: at }) => {
    const summary = readCompactedSummary(body, prefixes);
    return summary === null ? [] : [{ ...summary, body, at }];
  });
  const story = prd.userStories.find(({ id }) => id === task) ?? prd.userStories[0];
  if (story === undefined) throw new Error('prd.json has no task');
  const failed = logs.findLast(({ event }) => event.taskUid === story.uid && event.status === 'fail');
  const wisps = ours.flatMap(({ body }) => readWisp(body, prefixes) ?? []);
  const promoted = new Set(wisps.filter((wisp) => wisp.promoted).map(({ id }) => id));
  const commits = await forge.listCommits(repository, state.branch, { limit: 10 });
  const files = (await trees.listFiles(headOf(state))).map(({ path }) => path);
  const answered =
    state.answers === ''
      ? []
      : ['What was asked about it:', ...state.questions, 'What a maintainer answered:', state.answers];
  return assembleContext(
    {
      issue: { number: issue.number, title: issue.title, body: [issue.body, ...answered].join('\n\n') },
      ...{ story, prd },
      plan: state.planText === null ? '' : await ledger.getText(state.planText),
      logs: logs.slice(-config.execution.context.maxTaskLogs),
      summary: config.execution.context.preferCompactedSummary ? (summaries.at(-1) ?? null) : null,
      notes: ours
        .flatMap(({ body, createdAt: at }) =>
          readDiscoveryNote(body, prefixes) === null ? [] : [{ body, at }],
        )
        .slice(-config.execution.context.maxDiscoveryNotes),
      guidance: [
        ...(await listGuidance(reader, comments, failed?.at ?? '9999')),
        ...(state.feedback === '' ? [] : [{ author: state.answeredBy, body: state.feedback, at: '' }]),
      ],
      wisps: wisps.filter((wisp) => !promoted.has(wisp.id) && isLive(wisp, clock.now())),
      commits: commits.map(({ sha, message }) => ({ sha, subject: message.split('\n')[0] ?? '' })),
      files: files.slice(0, 50),
      ...(debug === undefined ? {} : { debug }),
    },
    budgetTokens,
  );
}
