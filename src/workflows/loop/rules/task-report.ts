/** What a coding agent reports about an attempt. It is shown and remembered; whether the task passed is not its say. */
import { z } from 'zod';

const short = z.string().max(300);
const long = z.string().max(4000);

export const taskReportSchema = z.object({
  summary: long.describe('What you did, in one or two sentences.'),
  changes: z
    .array(z.object({ path: short, what: short }))
    .max(50)
    .describe('Every file that you changed, and what changed in it.'),
  learnings: long.describe('What later tasks should know about this code; empty when there is nothing.'),
  nextAttempt: long.describe(
    'What the next attempt should do, if yours does not pass; empty when it should.',
  ),
  search: z
    .object({ queries: z.array(short).max(50), filesInspected: z.array(short).max(100) })
    .describe('What you searched for before you wrote, and the files that you read.'),
  testIntent: z
    .array(z.object({ test: short, why: short }))
    .max(50)
    .default([])
    .describe('For every test that you wrote or changed: its file or name, and what it is to show.'),
  discovered: z
    .array(
      z.object({
        title: short,
        description: long,
        acceptanceCriteria: z.array(short).max(10),
        verifyCommands: z.array(short).max(6),
      }),
    )
    .max(5)
    .describe('Work that this task does not cover and that has to be done; empty when there is none.'),
  note: z
    .object({ pattern: long, files: z.array(short).max(20), impacts: short })
    .nullable()
    .describe('A pattern of this code that later tasks have to follow; null when you found none.'),
  patterns: z
    .array(
      z.object({
        statement: short,
        scope: short,
        files: z.array(short).max(20),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(10)
    .default([])
    .describe(
      'What holds for all of this code and will still hold next month, each in one sentence, with how sure you are (0 to 1); empty when there is nothing.',
    ),
  wisp: z
    .object({ note: short, minutes: z.number().int().min(1).max(10_080) })
    .nullable()
    .describe('A hint that matters only for a short while; null when there is none.'),
});

export type TaskReport = z.infer<typeof taskReportSchema>;
