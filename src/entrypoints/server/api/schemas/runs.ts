import { z } from 'zod';
import {
  conditionSchema,
  contentHash,
  issueNumberText,
  limitText,
  moment,
  positionText,
  repositoryName,
  runId,
  subjectName,
  usd,
} from './basics.ts';

const standings = [
  ...(['running', 'waiting', 'paused', 'blocked', 'failed', 'done'] as const),
  ...(['interrupted', 'answered'] as const),
] as const;

const workflows = ['issue', 'lld', 'agent', 'loop', 'pipeline'] as const;

export const runSchema = z.object({
  id: runId,
  name: z.string().describe('For lists: the title, with the agent or workflow where it matters.'),
  title: z.string(),
  workflow: z.enum(workflows),
  agent: z.string().nullable(),
  repository: repositoryName,
  subject: subjectName,
  number: z
    .number()
    .int()
    .nullable()
    .describe('The issue or pull request that it is about, once there is one.'),
  standing: z.enum(standings).describe('`interrupted`: its process ended. `answered`: it can be resumed.'),
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      owner: z.enum(['person', 'time', 'nobody']),
      resume: z.string().describe('The command that continues it.'),
      until: z.string().optional(),
    })
    .nullable(),
  result: z.object({ number: z.number().int(), url: z.string(), path: z.string().optional() }).nullable(),
  node: z.string().nullable().describe('The last step that was begun, in words.'),
  startedAt: moment,
  changedAt: moment,
  costUsd: usd,
  costAtMostUsd: usd.describe('How much of the cost is only the most that it can have been.'),
  hasUnpriced: z.boolean().describe('A model without a known price took part: its cost is in no number.'),
  isDismissed: z.boolean(),
  isDryRun: z.boolean(),
});

export type RunAnswer = z.output<typeof runSchema>;

export const runsQuery = z.strictObject({
  state: z.enum(['open', 'all']).default('all'),
  workflow: z.enum(workflows).optional(),
  subject: subjectName.optional(),
  number: issueNumberText.optional(),
  before: runId.optional().describe('The last run of the page before.'),
  limit: limitText.default(50),
});

export const runsSchema = z.object({
  runs: z.array(runSchema),
  next: runId.nullable().describe('For `before` of the next page; null on the last one.'),
});

export const runParams = z.strictObject({ run: runId });

export const runDetailSchema = z.object({
  run: runSchema,
  why: z.string(),
  conditions: z.array(conditionSchema).describe('What would move it; empty when it is done.'),
  gates: z.array(z.string()).describe('The ids of its open gates.'),
});

export const timelineQuery = z.strictObject({
  after: positionText.default(0).describe('How many entries of the run to leave out.'),
  limit: limitText.default(100),
});

export const timelineSchema = z.object({
  entries: z.array(
    z.object({
      place: z.number().int().describe('Counted from 1 within the run.'),
      at: moment,
      kind: z.string(),
      actor: z.string(),
      what: z.string().describe('The entry in a sentence.'),
      step: z.string().nullable().describe('The name of the step that begins here, such as N2#2.'),
      subject: subjectName,
      seq: z.number().int(),
      hash: contentHash,
    }),
  ),
  next: z.number().int().nullable().describe('For `after` of the next page; null on the last one.'),
});
