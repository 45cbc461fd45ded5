/** Every few task logs one summary: later tasks read it instead of the logs that it covers. */
import { z } from 'zod';
import { withoutTangles } from '../../../../domain/text/limit-markdown.ts';
import { parseMarkdown, plainText } from '../../../../domain/text/markdown.ts';
import { codeOf, fitComment, jsonBlockOf, lineOf, listOf } from '../../../issue-runs/rules/comment-words.ts';
import type { Prd } from '../document/prd.ts';
import { readCommentSections } from './comment-sections.ts';
import { type CommentPrefixes, commentPrefixes, kindOfComment } from './prefixes.ts';
import { type TaskLogEvent, taskIdPattern } from './task-log.ts';

const mostCovered = 200;
const mostPoints = 40;
const longestPoint = 300;
const longestUrl = 500;

const points = z.array(z.string().max(longestPoint)).max(mostPoints);

const summarySchema = z.object({
  v: z.literal(1),
  type: z.literal('compacted_summary'),
  /** How many task logs it covers. */
  covers: z.int().nonnegative(),
  /** The address of the summary before it. */
  supersedes: z.string().max(longestUrl).nullable(),
  covered: z
    .array(
      z.object({
        taskId: z.string().regex(taskIdPattern),
        taskUid: z.string().regex(/^(?:tsk_[0-9a-f]{12})?$/u),
        attempt: z.int().nonnegative(),
        status: z.enum(['pass', 'fail']),
      }),
    )
    .max(mostCovered),
  decisions: points,
  openRisks: points,
  progress: z.object({
    passed: z.int().nonnegative(),
    total: z.int().nonnegative(),
    percent: z.int().min(0).max(100),
  }),
});

export type CompactedSummary = z.infer<typeof summarySchema>;

export interface SummarizedLog {
  readonly event: Pick<TaskLogEvent, 'taskId' | 'taskUid' | 'attempt' | 'status' | 'verify'>;
  readonly body: string;
}

/** Whether so many logs since the last summary are enough for the next. */
export function isSummaryDue(count: number, every: number): boolean {
  return every > 0 && count >= every;
}

/** What a section of a log says, without the signs that kept its words quiet. */
function wordsOf(body: string, wanted: string): string {
  const lines = readCommentSections(body).flatMap(({ title, lines }) => (title === wanted ? lines : []));
  const text = parseMarkdown(withoutTangles(lines.join('\n').slice(0, 10_000)))
    .children.map((node) => plainText(node))
    .join(' ')
    .replaceAll('\u200B', '')
    .replace(/\s+/gu, ' ')
    .trim();
  return text === 'None.' ? '' : text;
}

/** Cut by characters, and short enough for the form above however many units a character has. */
function pointOf(text: string): string {
  return text.length <= longestPoint ? text : `${[...text].slice(0, longestPoint / 2 - 1).join('')}…`;
}

/** What was learned in what passed. */
function decisionsOf(logs: readonly SummarizedLog[]): string[] {
  const said = logs.flatMap(({ event, body }) => {
    const words = event.status === 'pass' ? wordsOf(body, 'Learnings') : '';
    return words === '' ? [] : [pointOf(`${event.taskId}: ${words}`)];
  });
  // The newest are kept.
  return [...new Set(said)].slice(-mostPoints);
}

/** Tasks whose last attempt failed, with what failed and what should be tried. */
function risksOf(logs: readonly SummarizedLog[]): string[] {
  const last = new Map(logs.map((log) => [log.event.taskUid || log.event.taskId, log]));
  const open = [...last.values()].filter(({ event }) => event.status === 'fail');
  return open
    .map(({ event, body }) => {
      const failed =
        event.verify.failed.length === 0 ? '' : ` (${event.verify.failed.join('; ').slice(0, 100)})`;
      const next = wordsOf(body, 'Next Attempt Should');
      return pointOf(
        `${event.taskId} failed in attempt ${event.attempt}${failed}${next === '' ? '.' : `: ${next}`}`,
      );
    })
    .slice(-mostPoints);
}

/** What the summary before said and still holds: a task that passed since, or was tried again, is no open risk of it. */
function keptOf(
  before: Pick<CompactedSummary, 'decisions' | 'openRisks'> | null,
  logs: readonly SummarizedLog[],
  stories: Prd['userStories'],
): Pick<CompactedSummary, 'decisions' | 'openRisks'> {
  const isOpen = (risk: string): boolean => {
    const id = /^US-\d{3,6}(?= failed)/u.exec(risk)?.[0];
    return (
      stories.some((story) => story.id === id && !story.passes) &&
      !logs.some(({ event }) => event.taskId === id)
    );
  };
  return { decisions: before?.decisions ?? [], openRisks: (before?.openRisks ?? []).filter(isOpen) };
}

function summarize(
  logs: readonly SummarizedLog[],
  { userStories }: Pick<Prd, 'userStories'>,
  supersedes: string | null,
  before: CompactedSummary | null,
): CompactedSummary {
  const kept = keptOf(before, logs, userStories);
  const passed = userStories.filter(({ passes }) => passes).length;
  const total = userStories.length;
  return {
    ...{ v: 1, type: 'compacted_summary', covers: logs.length },
    supersedes: supersedes === null ? null : supersedes.slice(0, longestUrl),
    covered: logs.slice(-mostCovered).map(({ event: { taskId, taskUid, attempt, status } }) => ({
      ...{ taskId, taskUid, attempt, status },
    })),
    decisions: [...new Set([...kept.decisions, ...decisionsOf(logs)])].slice(-mostPoints),
    openRisks: [...new Set([...kept.openRisks, ...risksOf(logs)])].slice(-mostPoints),
    progress: { passed, total, percent: total === 0 ? 0 : Math.floor((passed / total) * 100) },
  };
}

export function writeCompactedSummary(
  {
    logs,
    prd,
    supersedes = null,
    before = null,
  }: {
    /** In the order in which they were written. */
    readonly logs: readonly SummarizedLog[];
    readonly prd: Pick<Prd, 'userStories'>;
    /** The address of the summary that it takes the place of, and what that one says. */
    readonly supersedes?: string | null;
    readonly before?: CompactedSummary | null;
  },
  prefixes: CommentPrefixes = commentPrefixes,
): string {
  const summary = summarize(logs, prd, supersedes, before);
  const { covers, covered, decisions, openRisks, progress } = summary;
  const list = (items: readonly string[], scale: number): string[] =>
    items.length === 0 ? ['None.'] : listOf(items, mostCovered * scale);
  return fitComment((scale) => {
    const few = (items: readonly string[]): string[] => items.slice(-Math.ceil(mostPoints * scale));
    const shown = {
      ...summary,
      covered: covered.slice(-Math.ceil(mostCovered * scale)),
      decisions: few(decisions),
      openRisks: few(openRisks),
    };
    return [
      ...[prefixes.compactedSummary, ''],
      `**Covers:** ${covers} task logs  `,
      `**Supersedes:** ${supersedes === null ? 'no earlier summary' : codeOf(supersedes, longestUrl)}  `,
      `**Progress:** ${progress.passed} of ${progress.total} tasks passed (${progress.percent} %)`,
      ...['', '### Covered Attempts', ''],
      ...list(
        shown.covered.map(
          ({ taskId, taskUid, attempt, status }) =>
            `${taskId}${taskUid === '' ? '' : ` (${codeOf(taskUid)})`}, attempt ${attempt}: ${status === 'pass' ? 'passed' : 'failed'}`,
        ),
        scale,
      ),
      ...[
        '',
        '### Decisions',
        '',
        ...list(
          shown.decisions.map((one) => lineOf(one, 400)),
          scale,
        ),
      ],
      ...[
        '',
        '### Open Risks',
        '',
        ...list(
          shown.openRisks.map((one) => lineOf(one, 400)),
          scale,
        ),
      ],
      ...['', '### Event JSON', ...jsonBlockOf(shown), ''],
    ].join('\n');
  });
}

/** By its Event JSON; null for any other comment. */
export function readCompactedSummary(
  body: string,
  prefixes: CommentPrefixes = commentPrefixes,
): CompactedSummary | null {
  if (kindOfComment(body, prefixes) !== 'compactedSummary') return null;
  const named = readCommentSections(body).filter(({ title, depth }) => depth === 3 && title === 'Event JSON');
  const blocks = named.flatMap(({ code }) => code.filter(({ language }) => language === 'json'));
  const [block] = blocks;
  if (named.length !== 1 || block === undefined || blocks.length > 1) return null;
  try {
    return summarySchema.safeParse(JSON.parse(block.text)).data ?? null;
  } catch {
    return null;
  }
}
