/**
 * The form of prd.json: the fields of the workflow's own document and those that its tools have added. Only the fields that
 * the oldest files have are required; a field that is not known here is kept.
 */
import { z } from 'zod';
import { isBranchName } from '../../../../domain/forge/git-names.ts';
import { hasUnsafeCharacters } from '../../../../domain/text/untrusted-text.ts';
import { count, flag, line, list, number, object, said, text } from '../../../documents/field-forms.ts';

export const mostStories = 200;
/** What a task without a priority counts as: it comes last. */
const lastPriority = 999;
export const formulas = ['bugfix', 'feature', 'refactor'] as const;
/** `pending` is what older tools wrote before there was anything to test. */
const debugStatuses = ['pending', 'testing', 'debugging', 'verified', 'blocked', 'replan_required'] as const;
export const discoverySources = ['task_log', 'wisp_promotion', 'code_review'] as const;

const longestCommand = 2000;

/** A person approves a command by reading it, so that it may hold nothing that cannot be seen. */
export const commandForm = line(longestCommand).refine(
  (command) => !hasUnsafeCharacters(command),
  'holds characters that cannot be seen',
);

const storyIdForm = z
  .string(said('has to be an id such as US-001'))
  .regex(/^US-\d{3,6}$/u, 'has to be an id such as US-001');

const uidForm = z
  .string(said('has to be a uid such as tsk_0123456789ab'))
  .regex(/^tsk_[0-9a-f]{12}$/u, 'has to be tsk_ and 12 of 0-9 a-f');

/** A missing field and `null` mean the same in the files of older tools. */
const absent = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform((given): z.output<Schema> => given ?? value);

const note = text().nullish();

export const storySchema = object({
  id: storyIdForm,
  /** Empty when an older file has none; `readPrd` then computes it. */
  uid: absent(uidForm, ''),
  phase: z.union([text(100), number], said('has to be text or a number')).nullish(),
  priority: absent(number, lastPriority),
  title: line(),
  description: text(),
  files: absent(list(text(500), 200), []),
  dependsOn: absent(list(storyIdForm, mostStories), []),
  discoveredFrom: absent(uidForm.nullable(), null),
  discoverySource: absent(
    z.enum(discoverySources, said(`has to be ${discoverySources.join(', ')} or null`)).nullable(),
    null,
  ),
  acceptanceCriteria: list(text(2000), 100),
  verifyCommands: absent(list(commandForm, 50), []),
  passes: flag,
  attempts: absent(count, 0),
  lastAttempt: absent(text(100).nullable(), null),
  requiresBrowserVerification: absent(flag, false),
  notes: note,
});

const pattern = object({
  key: note,
  statement: note,
  scope: note,
  files: list(text(500), 200).nullish(),
  confidence: number.nullish(),
  issue: count.nullish(),
  taskId: note,
  taskUid: note,
  commit: note,
  createdAt: note,
  syncedDocs: z.unknown().optional(),
});

const finding = object({
  key: note,
  scope: z.enum(['task', 'final'], said('has to be task or final')).nullish(),
  parentTaskId: note,
  parentTaskUid: note,
  reviewedCommit: note,
  severity: note,
  confidence: number.nullish(),
  category: note,
  title: note,
  description: note,
  // Reviewers also write "328-329,544".
  evidence: object({
    file: note,
    line: z.union([number, text()], said('has to be a line')).nullish(),
  }).nullish(),
  suggestedTask: z.unknown().optional(),
  status: note,
  enqueuedTaskIds: list(text(100), mostStories).nullish(),
});

const quality = object({
  reviewMode: note,
  reviewPolicy: object({}).nullish(),
  reviewCursor: object({ lastProcessedReviewCommentUrl: note }).nullish(),
  findings: list(finding, 1000).nullish(),
  processedReviewKeys: list(text(300), 5000).nullish(),
  finalReview: object({ status: note, reviewedCommit: note, lastReviewId: note, updatedAt: note }).nullish(),
  execution: object({
    consecutiveRetries: count.nullish(),
    currentTaskId: note,
    currentTaskRetryStreak: count.nullish(),
    lastReplanAt: note,
    lastReplanReason: note,
    tasksSinceFullVerify: count.nullish(),
    lastFullVerifyCommit: note,
    lastFullVerifyAt: note,
    lastAutoReplanAt: note,
    lastAutoReplanReason: note,
    lastAutoReplanResult: note,
  }).nullish(),
});

const debugStateSchema = object({
  status: z.enum(debugStatuses, said(`has to be one of ${debugStatuses.join(', ')}`)),
  debugAttempts: absent(count, 0),
  debugHistory: absent(
    list(
      object({
        attempt: count.nullish(),
        type: note,
        location: note,
        description: note,
        timestamp: note,
      }),
      1000,
    ),
    [],
  ),
});

export const prdSchema = object({
  project: line(),
  issueNumber: absent(
    z.int(said('has to be the number of an issue')).min(1, 'has to be the number of an issue').nullable(),
    null,
  ),
  branchName: z
    .string(said('has to be the name of a branch'))
    .refine(isBranchName, 'has to be a plain branch name, such as ai/issue-42-short-name'),
  description: note,
  generatedAt: note,
  status: note,
  formula: z.enum(formulas, said(`has to be one of ${formulas.join(', ')}`)).nullish(),
  compaction: object({
    taskLogCountSinceLastSummary: count.nullish(),
    summaryEveryNTaskLogs: count.nullish(),
  }).nullish(),
  userStories: list(storySchema, mostStories).min(1, 'has to hold a task'),
  globalVerifyCommands: absent(list(commandForm, 50), []),
  memory: object({ patterns: list(pattern, 1000).nullish() }).nullish(),
  quality: quality.nullish(),
  debugState: debugStateSchema.nullish(),
}).meta({
  title: 'prd.json',
  description: 'The task list of one issue, as gatewright loop reads and writes it',
});

/** For editors and other tools; written by `npm run docs`. */
export function makePrdJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(prdSchema, { target: 'draft-7', io: 'input' });
}
