/** What a coding agent says of its work. Its words are shown to people; its opinion of the risk can only raise it. */
import { z } from 'zod';
import { riskLabels } from '../../../domain/changes/change-risk.ts';

export const workSummarySchema = z.object({
  summary: z.string().min(1).max(4000).describe('what was changed and why, in a few sentences'),
  testing: z.string().max(2000).describe('which tests show that it works'),
  risk: z
    .enum(riskLabels)
    .describe(
      'auto-merge: small and safe; needs-review: a person should look; blocked: a person has to decide',
    ),
  questions: z
    .array(z.string().min(1).max(500))
    .max(10)
    .describe('what only a person can decide; empty when there is nothing'),
});

export type WorkSummary = z.infer<typeof workSummarySchema>;
