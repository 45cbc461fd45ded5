/**
 * What the models of the stages answer, in a schema each. A stage that adds a field which is not its own is told so and
 * asked again: the schemas keep such fields, so that they can be seen and refused, and ask providers to allow none.
 */
import { z } from 'zod';
import { severities } from '../../../../domain/changes/review-finding.ts';
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { complexities, fileActions, scopes, testTypes, verdicts } from '../document/state-schema.ts';
import { answeringStages } from '../stages.ts';

const line = (most: number) => z.string().min(1).max(most);
const prose = (most: number) => z.string().max(most);

/** What every stage may add. */
const additions = {
  questions: z
    .array(
      z.object({
        to: z.enum([...answeringStages, 'human']),
        question: line(1000),
      }),
    )
    .max(3)
    .describe('questions that have to be answered before you can go on; empty when there is none'),
  escalations: z
    .array(line(500))
    .max(5)
    .describe(
      'what only a person may decide, such as a change to authentication; empty when there is nothing',
    ),
  observations: z
    .array(
      z.object({
        type: line(60).describe('such as pattern_discovered, mistake, tool'),
        content: line(500),
        file: z.string().max(400).nullable().describe('the file that it is about'),
      }),
    )
    .max(5)
    .describe('what later work on this repository should know; empty when there is nothing'),
};

function ownFields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).meta({ additionalProperties: false });
}

export const triageAnswerSchema = ownFields({
  scope: z.enum(scopes),
  complexity: z.enum(complexities),
  should_proceed: z.boolean(),
  rejection_reason: line(1000).nullable(),
  concerns: z.array(line(300)).max(10),
  questions: z.array(line(500)).max(5).describe('what the issue leaves open and a person has to say'),
  escalations: additions.escalations,
});
export type TriageAnswer = z.infer<typeof triageAnswerSchema>;

export const analystAnswerSchema = ownFields({
  brief: prose(20_000).describe('Markdown: what to change, where and why; all that the writer needs'),
  files: z.array(z.object({ path: line(400), purpose: line(500), action: z.enum(fileActions) })).max(100),
  patterns: z.array(line(500)).max(20),
  test_requirement: z.object({
    required: z.boolean(),
    type: z.enum(testTypes),
    location: line(400).nullable(),
    description: prose(1000).nullable(),
  }),
  must_do: z.array(line(500)).max(20),
  must_not_do: z.array(line(500)).max(20),
  ...additions,
});
export type AnalystAnswer = z.infer<typeof analystAnswerSchema>;

export const writerAnswerSchema = ownFields({
  summary: prose(4000),
  changes: z.array(z.object({ file: line(400), description: line(500) })).max(200),
  test_file: line(400).nullable().describe('the test that shows the change; null when none was needed'),
  try_it: z.array(line(300)).max(10).describe('how a person tries the change out, step by step'),
  ...additions,
});
export type WriterAnswer = z.infer<typeof writerAnswerSchema>;

export const reviewerAnswerSchema = ownFields({
  verdict: z.enum(verdicts),
  good: z.array(line(300)).max(10),
  issues: z
    .array(
      z.object({
        file: line(400),
        line: z.number().int().min(1).nullable(),
        severity: z.enum(severities),
        category: line(40),
        issue: line(200).describe('what is wrong, in one sentence'),
        detail: prose(4000),
      }),
    )
    .max(50),
  feedback_for_writer: prose(8000).nullable(),
  ...additions,
});
export type ReviewerAnswer = z.infer<typeof reviewerAnswerSchema>;

export const replySchema = z.object({ answer: line(4000) });

/** The fields of an answer that its stage may not write, as sentences. */
export function findForeignFields(
  stage: string,
  answer: object,
  schema: { readonly shape: object },
): string[] {
  return Object.keys(answer)
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .slice(0, 20)
    .map((name) => `${stage} may not write "${escapeForLine(name, 100)}"`);
}
