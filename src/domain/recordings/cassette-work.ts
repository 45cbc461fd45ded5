/** The part of a cassette that holds the work of coding agents: what they changed and ran, and what came of it. */
import { z } from 'zod';
import { sha256Schema, textSchema } from './recording.ts';

/** Which request an answer was given for. */
export const makeRequestSchema = () =>
  z
    .strictObject({
      /** Hash of the request as a provider would see it. */
      sha256: sha256Schema.optional(),
      /** Hash of instructions and messages as one text; what recording writes. */
      prompt: sha256Schema.optional(),
      /** Texts that the request has to contain; for cassettes written by hand. */
      includes: z.array(z.string().min(1)).optional(),
    })
    .refine(
      ({ sha256, prompt, includes }) =>
        sha256 !== undefined || prompt !== undefined || (includes?.length ?? 0) > 0,
      { message: 'needs sha256, prompt or includes: a request that anything matches is no check' },
    );

/** Made when the first cassette is read, and not before: most runs use none. */
export function makeWorkSchema() {
  const path = z.string().min(1).max(1000);

  const stepSchema = z.union([
    z.strictObject({ write: path, content: textSchema }),
    z.strictObject({ edit: path, replace: z.string().min(1), with: textSchema }),
    z.strictObject({ delete: path }),
    /** The words of a command; never a line for a shell. */
    z.strictObject({ run: z.array(z.string().min(1)).min(1) }),
    z.strictObject({ say: textSchema }),
  ]);

  const outcomeSchema = z.union([
    z.strictObject({ text: textSchema, object: z.unknown().optional() }),
    z.strictObject({ turnsExhausted: z.literal(true) }),
    z.strictObject({ quota: z.strictObject({ until: z.iso.datetime().nullable() }) }),
    z.strictObject({ refused: z.string() }),
    z.strictObject({
      failed: z.enum(['timeout', 'crash', 'garbage', 'overload', 'budget', 'not-authenticated']),
    }),
  ]);

  return z.strictObject({
    role: z.string().min(1),
    call: z.int().min(1),
    request: makeRequestSchema(),
    steps: z.array(stepSchema),
    outcome: outcomeSchema,
    usage: z
      .strictObject({
        inputTokens: z.int().min(0).default(0),
        outputTokens: z.int().min(0).default(0),
        cacheReadTokens: z.int().min(0).default(0),
        cacheWriteTokens: z.int().min(0).default(0),
        costUsd: z.number().min(0).default(0),
      })
      .prefault({}),
  });
}

export type CassetteWork = z.infer<ReturnType<typeof makeWorkSchema>>;
export type CassetteStep = CassetteWork['steps'][number];
