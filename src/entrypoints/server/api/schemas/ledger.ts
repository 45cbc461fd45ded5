import { z } from 'zod';
import { contentHash, limitText, moment, positionText, subjectName } from './basics.ts';

export const entrySchema = z.object({
  subject: subjectName,
  seq: z.number().int(),
  at: moment,
  kind: z.string(),
  run: z.string().describe('Empty when it belongs to none.'),
  actor: z.string(),
  key: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  previous: contentHash,
  hash: contentHash,
});

export type EntryAnswer = z.output<typeof entrySchema>;

export const ledgerQuery = z.strictObject({
  subject: subjectName,
  after: positionText.default(0).describe('Entries after this sequence number.'),
  limit: limitText.default(100),
});

export const ledgerSchema = z.object({
  subject: subjectName,
  entries: z.array(entrySchema),
  next: z.number().int().nullable().describe('For `after` of the next page; null on the last one.'),
});

export const linesQuery = z.strictObject({ subject: subjectName });

export const eventsQuery = z.strictObject({
  after: positionText
    .optional()
    .describe('The position that was seen last, for a page that begins to listen.'),
});

/** What a listening page is sent for each entry; the id of the message is the position. */
export const newsSchema = z.object({
  position: z.number().int(),
  subject: subjectName,
  run: z.string(),
  kind: z.string(),
  actor: z.string(),
  at: moment,
  what: z.string(),
});

export type NewsAnswer = z.output<typeof newsSchema>;
