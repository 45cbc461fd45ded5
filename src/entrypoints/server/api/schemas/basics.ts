/** What many answers and requests hold. The files of this drawer import nothing but zod, so that a page can use them too. */
import { z } from 'zod';

export const moment = z.iso.datetime().describe('A moment, in UTC.');
export const contentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/u)
  .describe('The SHA-256 of a text or of an entry.');
export const runId = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/u, 'This is not the id of a run: that has 26 digits and capital letters.');
export const gateId = z
  .string()
  .regex(
    /^G[0-9A-HJKMNP-TV-Z]{6}$/u,
    'This is not the id of a gate: that is a G with 6 digits and capital letters.',
  );
export const repositoryName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/u);
export const subjectName = z.string().min(1).max(400);
export const usd = z.number().min(0);

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/u)
    .transform(Number)
    .pipe(z.number().int().min(least).max(most));

/** As they stand in an address. */
export const issueNumberText = wholeNumber(1, 999_999_999);
export const positionText = wholeNumber(0, Number.MAX_SAFE_INTEGER);
export const limitText = wholeNumber(1, 200);

/** Something that keeps work from moving: who can change it, and how. */
export const conditionSchema = z.object({
  what: z.string(),
  who: z.string(),
  command: z.string().describe('A command that changes it; empty when there is none.'),
  how: z.string().optional(),
  advice: z.string().optional(),
});
