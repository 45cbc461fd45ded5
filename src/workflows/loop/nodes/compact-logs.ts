/** Every few task logs one summary: later tasks read it instead of all of them. */
import { say } from '../../issue-runs/say.ts';
import type { LoopContext } from '../loop-context.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import {
  isSummaryDue,
  readCompactedSummary,
  writeCompactedSummary,
} from '../rules/comments/summary-comment.ts';
import { readTaskLog } from '../rules/comments/task-log.ts';
import type { LoopState } from '../state.ts';
import { listOwnComments } from './gather-context.ts';
import { parsePrd, readConfig, readPrdText } from './read-stored.ts';

export async function compactLogs(
  context: LoopContext,
  state: LoopState,
): Promise<Pick<LoopState, 'logsSinceSummary'>> {
  const { forge, repository, request } = context;
  const { summaryEveryNTaskLogs, commentPrefixes } = await readConfig(context, state);
  const prefixes = choosePrefixes(commentPrefixes);
  const count = state.logsSinceSummary + 1;
  if (!isSummaryDue(count, summaryEveryNTaskLogs)) return { logsSinceSummary: count };
  const own = await listOwnComments(context);
  const comments = (await forge.listComments(repository, request.number)).filter(({ id }) => own.has(id));
  const logs = comments.flatMap(({ body, createdAt: at, url }) => {
    const log = readTaskLog(body, request.number, prefixes);
    return log === null ? [] : [{ event: log.event, body, at, url }];
  });
  const earlier = comments.flatMap(({ body, url }) => {
    const summary = readCompactedSummary(body, prefixes);
    return summary === null ? [] : [{ summary, url }];
  });
  const last = earlier.at(-1);
  const prd = parsePrd(await readPrdText(context, state));
  await say(
    context,
    `summary-${state.step}`,
    writeCompactedSummary(
      {
        ...{ logs: logs.slice(-count), prd },
        ...(last === undefined ? {} : { supersedes: last.url, before: last.summary }),
      },
      prefixes,
    ),
  );
  return { logsSinceSummary: 0 };
}
