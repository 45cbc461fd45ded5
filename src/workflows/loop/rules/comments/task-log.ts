/**
 * The log of one attempt at a task: a comment for people, with the same facts as Event JSON for the next tasks. A log
 * proves nothing by itself; the caller counts it only if our identity wrote it and the ledger knows it.
 */
import { z } from 'zod';
import { quoteOutput } from '../../../../domain/text/command-output.ts';
import {
  blockOf,
  codeOf,
  fitComment,
  jsonBlockOf,
  jsonLineOf,
  lineOf,
  listOf,
  proseOf,
  utcMinute,
} from '../../../issue-runs/rules/comment-words.ts';
import { type CommentSection, readCommentSections } from './comment-sections.ts';
import { type CommentPrefixes, commentPrefixes, readHeading } from './prefixes.ts';

const longestString = 500;
const longestDescription = 2000;
/** As long as prd.json lets a command be. */
const longestCommand = 2000;
const longestList = 50;
/** Of the Event JSON; the rest of the comment is for the words. */
const longestJson = 24_000;

const words = z.string().max(longestString);
const wordList = z.array(words).max(longestList);
const commands = z.array(z.string().max(longestCommand)).max(longestList);

const discoveredTaskSchema = z.object({
  title: z.string().min(1).max(longestString),
  description: z.string().max(longestDescription).default(''),
  acceptanceCriteria: wordList.default([]),
  verifyCommands: commands.default([]),
  files: wordList.optional(),
});

export const taskIdPattern = /^US-\d{3,6}$/u;

const taskLogEventSchema = z.object({
  v: z.literal(1),
  type: z.literal('task_log'),
  issue: z.int().nonnegative(),
  taskId: z.string().regex(taskIdPattern),
  /** Empty when the log is from a time before tasks had one. */
  taskUid: z.string().regex(/^(?:tsk_[0-9a-f]{12})?$/u),
  status: z.enum(['pass', 'fail']),
  attempt: z.int().nonnegative(),
  /** Empty when the attempt failed. */
  commit: z.string().regex(/^(?:[0-9a-f]{7,64})?$/u),
  verify: z.object({ passed: commands, failed: commands }),
  search: z.object({ queries: wordList.default([]), filesInspected: wordList.default([]) }).optional(),
  discovered: z.array(discoveredTaskSchema).max(longestList).default([]),
  ts: z.iso.datetime({ offset: true }),
  verifyTier: z.enum(['fast', 'full']).optional(),
  contextManifest: z.object({ hash: words, algorithm: words }).optional(),
  testIntent: z
    .array(z.object({ test: words, why: words }))
    .max(longestList)
    .optional(),
  patterns: z
    .array(
      z.object({
        statement: words,
        scope: words.default(''),
        files: wordList.default([]),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(longestList)
    .optional(),
});

export type TaskLogEvent = z.infer<typeof taskLogEventSchema>;

export interface TaskLogInput {
  readonly event: TaskLogEvent;
  readonly title: string;
  readonly summary: string;
  readonly changes: readonly { readonly path: string; readonly what: string }[];
  /** In the order in which they ran. */
  readonly verification: readonly {
    readonly command: string;
    readonly isPassed: boolean;
    readonly output?: string;
  }[];
  readonly learnings: string;
  /** What the next attempt should do; shown when this one failed. */
  readonly nextAttempt: string;
  /** What the gates of mode `warn` found, and other remarks of ours. */
  readonly notes?: readonly string[];
  /** How many lines are shown of what a command printed that failed. */
  readonly outputLines?: number;
}

/** Cut without a mark: a string in an event is data. */
function cut(text: string, longest = longestString): string {
  return text.length <= longest ? text : [...text].slice(0, Math.floor(longest / 2)).join('');
}

function cutAll(list: readonly string[], most: number, longest = longestString): string[] {
  return list.slice(0, most).map((one) => cut(one, longest));
}

/** The event with at most so many entries in each list, each within its limit. Nothing changes where all fits. */
function limitEvent(event: TaskLogEvent, most: number): TaskLogEvent {
  const { search, testIntent, patterns } = event;
  return {
    ...event,
    verify: {
      passed: cutAll(event.verify.passed, most, longestCommand),
      failed: cutAll(event.verify.failed, most, longestCommand),
    },
    ...(search && {
      search: {
        queries: cutAll(search.queries, most),
        filesInspected: cutAll(search.filesInspected, most),
      },
    }),
    discovered: event.discovered.slice(0, most).map((task) => ({
      ...task,
      title: cut(task.title),
      description: cut(task.description, longestDescription),
      acceptanceCriteria: cutAll(task.acceptanceCriteria, most),
      verifyCommands: cutAll(task.verifyCommands, most, longestCommand),
      ...(task.files && { files: cutAll(task.files, most) }),
    })),
    ...(testIntent && {
      testIntent: testIntent.slice(0, most).map(({ test, why }) => ({ test: cut(test), why: cut(why) })),
    }),
    ...(patterns && {
      patterns: patterns.slice(0, most).map((pattern) => ({
        ...pattern,
        statement: cut(pattern.statement),
        scope: cut(pattern.scope),
        files: cutAll(pattern.files, most),
      })),
    }),
  };
}

/** The event as it is written: all of it, or with shorter lists when it is too long for a comment. */
export function fitEvent(event: TaskLogEvent): TaskLogEvent {
  let most = longestList;
  let fitted = limitEvent(event, most);
  while (most > 0 && jsonLineOf(fitted).length > longestJson) {
    most = Math.floor(most / 2);
    fitted = limitEvent(event, most);
  }
  return fitted;
}

/** Of what a command printed that failed. */
const usualLines = 30;

function verificationOf(input: TaskLogInput, scale: number): string[] {
  if (input.verification.length === 0) return ['No command was run.'];
  const lines = input.verification
    .slice(0, Math.ceil(100 * scale))
    .map(
      ({ command, isPassed }) =>
        `${isPassed ? '✓' : '✗'} ${command.replace(/\s+/gu, ' ').slice(0, Math.ceil(500 * scale))}`,
    );
  const outputs = input.verification
    .filter(({ isPassed, output }) => !isPassed && output !== undefined)
    .slice(0, Math.ceil(3 * scale))
    .flatMap(({ command, output = '' }) => {
      const quoted = quoteOutput(
        output.slice(-Math.ceil(64_000 * scale)),
        Math.ceil((input.outputLines ?? usualLines) * scale),
      );
      return quoted.length === 0 ? [] : ['', `${codeOf(command)} printed:`, ...quoted];
    });
  return [...blockOf(lines.join('\n')), ...outputs];
}

export function writeTaskLog(input: TaskLogInput, prefixes: CommentPrefixes = commentPrefixes): string {
  const event = fitEvent(input.event);
  const isPassed = event.status === 'pass';
  return fitComment((scale) => {
    const prose = (text: string, longest = 2000): string =>
      proseOf(text, Math.ceil(longest * scale)) || 'None.';
    const changes = input.changes.map(({ path, what }) =>
      what.trim() === '' ? codeOf(path) : `${codeOf(path)} - ${lineOf(what, 300)}`,
    );
    const notes = (input.notes ?? []).map((note) => lineOf(note, 400));
    return [
      `${prefixes.taskLog} ${event.taskId} - ${lineOf(input.title, 150) || 'Untitled'}`,
      '',
      `**Status:** ${isPassed ? '✅ Passed' : '❌ Failed'}`,
      `**Attempt:** ${event.attempt}`,
      `**Timestamp:** ${utcMinute(event.ts)}`,
      ...(isPassed ? [`**Commit:** ${event.commit}`] : []),
      ...['', '### Summary', prose(input.summary)],
      ...['', '### Changes Made', ...(changes.length === 0 ? ['None.'] : listOf(changes, 40 * scale))],
      ...['', '### Verification Results', ...verificationOf(input, scale)],
      ...(notes.length === 0 ? [] : ['', '### Notes', ...listOf(notes, 40 * scale)]),
      ...['', '### Learnings', prose(input.learnings)],
      ...(isPassed ? [] : ['', '### Next Attempt Should', prose(input.nextAttempt)]),
      ...['', '### Event JSON', ...jsonBlockOf(event)],
      '',
    ].join('\n');
  });
}

/** `Event JSON` in its section; `none` when there is none to read, `broken` when there is no telling which or what. */
function eventJsonOf(sections: readonly CommentSection[]): TaskLogEvent | 'none' | 'broken' {
  const named = sections.filter(({ title, depth }) => depth === 3 && title === 'Event JSON');
  const blocks = named.flatMap(({ code }) => code.filter(({ language }) => language === 'json'));
  if (named.length > 1 || blocks.length > 1) return 'broken';
  const [block] = blocks;
  if (block === undefined) return 'none';
  let value: unknown;
  try {
    value = JSON.parse(block.text);
  } catch {
    return 'broken';
  }
  const read = taskLogEventSchema.safeParse(value);
  return read.success ? read.data : 'broken';
}

/** The value of a field such as `**Status:** …`; a field that is there twice has none. */
function fieldOf(lines: readonly string[], name: string): string {
  const start = `**${name}:**`;
  const found = lines.filter((line) => line.startsWith(start));
  return found.length === 1 ? (found[0] ?? '').slice(start.length).trim() : '';
}

function timeOf(text: string): string | null {
  const [, day = '', minute = '00:00', second = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?(?: ?(?:UTC|Z))?$/u.exec(text) ?? [];
  const at = new Date(`${day}T${minute}${second}Z`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The lines of the results with a tick or a cross before them. */
function resultsOf(sections: readonly CommentSection[], mark: RegExp): string[] {
  const lines = sections
    .filter(({ title }) => title === 'Verification Results')
    .flatMap(({ code }) => code.slice(0, 1).flatMap(({ text }) => text.split('\n')));
  return lines
    .flatMap((line) => mark.exec(line.replaceAll('\uFE0F', ''))?.[1]?.trim() ?? [])
    .slice(0, longestList)
    .map((line) => cut(line, longestCommand));
}

/** Logs from before there was Event JSON. Only the fields right under the heading count. */
function readFields(taskId: string, issue: number, sections: readonly CommentSection[]): TaskLogEvent | null {
  const lines = sections[0]?.lines ?? [];
  const status = /^(?:[✅❌]\uFE0F? ?)?(Passed|Failed)$/iu.exec(fieldOf(lines, 'Status'))?.[1]?.toLowerCase();
  const attempt = /^(\d{1,4})(?:\s*(?:\/|of)\s*\d{1,4})?$/u.exec(fieldOf(lines, 'Attempt'))?.[1];
  const ts = timeOf(fieldOf(lines, 'Timestamp'));
  if (status === undefined || attempt === undefined || ts === null) return null;
  const commit = /^`?([0-9a-f]{7,64})`?$/u.exec(fieldOf(lines, 'Commit'))?.[1] ?? '';
  const isPassed = status === 'passed';
  return {
    ...{ v: 1, type: 'task_log', issue, taskId, taskUid: '' },
    ...{ status: isPassed ? 'pass' : 'fail', attempt: Number(attempt), commit: isPassed ? commit : '' },
    verify: {
      passed: resultsOf(sections, /^[✓✔✅]\s+(.+)$/u),
      failed: resultsOf(sections, /^[✗✘❌]\s+(.+)$/u),
    },
    discovered: [],
    ts,
  };
}

/**
 * What a log says: by its Event JSON, or by its fields where it has none. Null when it is no log, or when its JSON is
 * broken, there twice, or about another task than the heading.
 * @param issue stands in the event of a log without JSON, which does not name it
 */
export function readTaskLog(
  body: string,
  issue = 0,
  prefixes: CommentPrefixes = commentPrefixes,
): { event: TaskLogEvent; from: 'json' | 'markdown' } | null {
  const heading = readHeading(body, prefixes);
  const [taskId = ''] = heading?.rest.split(/\s/u, 1) ?? [];
  if (heading?.kind !== 'taskLog' || !taskIdPattern.test(taskId)) return null;
  const sections = readCommentSections(body);
  const found = eventJsonOf(sections);
  if (found === 'broken') return null;
  if (found !== 'none') return found.taskId === taskId ? { event: found, from: 'json' } : null;
  const event = readFields(taskId, issue, sections);
  return event === null ? null : { event, from: 'markdown' };
}
