import { z } from 'zod';
import {
  conditionSchema,
  issueNumberText,
  moment,
  repositoryName,
  runId,
  subjectName,
  usd,
} from './basics.ts';
import { gateSchema } from './gates.ts';
import { runSchema } from './runs.ts';

export const inboxSchema = z.object({
  waiting: z.array(gateSchema).describe('Gates, answered here.'),
  onForge: z
    .array(
      z.object({
        subject: subjectName,
        what: z.string(),
        since: moment,
        why: z.string(),
        how: z.string(),
        command: z.string(),
      }),
    )
    .describe('What a person answers on the forge.'),
  stopped: z.array(
    z.object({
      run: runSchema,
      why: z.string(),
      isHeld: z.boolean().describe('The label "hold" has to be removed first.'),
      resume: z.string(),
    }),
  ),
  running: z.array(runSchema),
  dismissed: z.number().int().describe('How many runs a person put aside.'),
  today: z.object({
    filed: z.number().int(),
    designs: z.number().int(),
    agents: z.number().int(),
    costUsd: usd,
    costAtMostUsd: usd,
    hasUnpriced: z.boolean(),
  }),
});

export type InboxAnswer = z.output<typeof inboxSchema>;

export const numberParams = z.strictObject({ number: issueNumberText });
export const numberQuery = z.strictObject({ repository: repositoryName.optional() });

export const explanationSchema = z.object({
  subject: subjectName,
  title: z.string(),
  kind: z.enum(['issue', 'pull request']),
  state: z.string(),
  url: z.string(),
  now: z.string().describe('How it stands, in a sentence.'),
  working: z.object({ run: runId.nullable(), who: z.string(), since: moment }).nullable(),
  conditions: z.array(conditionSchema),
  grounds: z.array(z.string()).optional().describe('What a merge rested on.'),
  costUsd: usd,
  costAtMostUsd: usd,
  hasUnpriced: z.boolean().optional(),
  budgetUsd: usd,
  lately: z.array(z.object({ at: moment, what: z.string() })),
});

export const fleetSchema = z.object({
  handle: z.string().describe('The name that people mention, without the @.'),
  agents: z.array(
    z.object({
      name: z.string(),
      purpose: z.string(),
      isOn: z.boolean(),
      asks: z.array(z.string()).describe('The models that it asks; none where rules alone decide.'),
      wakes: z.array(z.string()).describe('What starts it.'),
      nextAt: moment
        .nullable()
        .describe('When its schedule starts it next; null without one, and when it is off.'),
      lastRun: runSchema.nullable(),
    }),
  ),
});

export type FleetAnswer = z.output<typeof fleetSchema>;

const costSchema = z.object({ usd, atMostUsd: usd, hasUnpriced: z.boolean() });

export const costsSchema = z.object({
  today: costSchema.describe('Of this repository, since midnight UTC.'),
  week: costSchema.describe('Since seven days ago.'),
  month: costSchema.describe('Since thirty days ago.'),
  budget: z.object({
    dayUsd: usd,
    spentTodayUsd: usd.describe('Of all repositories: the budget of the day is one for all.'),
    runUsd: usd,
    issueUsd: usd,
  }),
});
