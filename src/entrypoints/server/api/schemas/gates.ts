import { z } from 'zod';
import { contentHash, gateId, moment, runId, subjectName } from './basics.ts';

export const gateSchema = z.object({
  id: gateId,
  kind: z.string(),
  title: z.string(),
  iteration: z.number().int(),
  run: runId,
  runName: z.string(),
  subject: subjectName,
  askedAt: moment,
  because: z.string().nullable(),
  advice: z.string().nullable(),
  questions: z.array(z.string()).describe('What the draft asks and only a person can answer.'),
  gaps: z.array(z.string()).describe('Sections that the drafter left to a person.'),
  decision: z.string().nullable().describe('What the reviewer decided.'),
  choices: z.array(
    z.object({
      name: z.string(),
      key: z.string(),
      label: z.string(),
      takesFeedback: z.boolean(),
      after: z.string().nullable().describe('What has to be done before, else the answer moves nothing.'),
    }),
  ),
  costUsd: z.number(),
});

export type GateAnswer = z.output<typeof gateSchema>;

export const gatesSchema = z.object({ gates: z.array(gateSchema) });

export const gateParams = z.strictObject({ gate: gateId });

const givenSchema = z.object({
  choice: z.string(),
  by: z.string(),
  at: moment,
  feedback: z.string().nullable(),
  seen: z.record(z.string(), contentHash),
});

export const gateDetailSchema = z.object({
  gate: gateSchema,
  state: z.enum(['open', 'answered', 'left']).describe('`left`: its run went on without an answer.'),
  answer: givenSchema.nullable(),
  artefacts: z
    .array(
      z.object({
        name: z.string(),
        path: z.string(),
        askedHash: contentHash.describe('When the gate was asked.'),
        hash: contentHash.nullable().describe('Now, or when it was answered; null when the file is gone.'),
        text: z
          .string()
          .nullable()
          .describe('What that hash is of; null when it is gone or too long to show.'),
        previous: z
          .object({ iteration: z.number().int(), text: z.string() })
          .nullable()
          .describe(
            'What was seen when the last gate of this kind in the run was answered; null without one.',
          ),
      }),
    )
    .describe('What the answer is about.'),
});

export type GateDetail = z.output<typeof gateDetailSchema>;

export const answerBody = z.strictObject({
  choice: z.string().min(1).max(40),
  feedback: z.string().max(20_000).optional(),
  shown: z
    .record(z.string().max(100), contentHash)
    .describe(
      'The hash of each artefact as it was on the screen, by name. The answer counts for this content only.',
    ),
  isAgainstVerdict: z.boolean().default(false).describe('Approve although the verdict does not.'),
});

export const answeredSchema = z.object({
  gate: gateId,
  choice: z.string(),
  run: runId,
  continues: z
    .enum(['here', 'elsewhere'])
    .describe('Which process goes on: this server, or the one that has the run.'),
});
