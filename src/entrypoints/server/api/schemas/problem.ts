/** Errors, as RFC 9457 has them. */
import { z } from 'zod';

export const problemSchema = z.looseObject({
  type: z.string().describe('urn:gatewright:error: and the code.'),
  title: z.string().describe('What the code means.'),
  status: z.number().int(),
  detail: z.string().describe('What happened here.'),
  code: z.string().describe('From the catalogue of errors; programs compare this one.'),
  hint: z.string().describe('How to fix it.'),
  details: z.array(z.string()).optional(),
  facts: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Such as who answered, or which hashes differ.'),
});

export type Problem = z.output<typeof problemSchema>;
