/** The cassette file: recorded or hand-written answers of models. The format is described in docs/cassettes.md. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { GatewrightError } from '../../errors.ts';

const text = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join('\n') : value));

const callSchema = z.strictObject({
  role: z.string().min(1),
  call: z.int().min(1),
  request: z
    .strictObject({
      /** Hash of the whole request; what recording writes. */
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/u)
        .optional(),
      /** Texts that the request has to contain; for cassettes written by hand. */
      includes: z.array(z.string().min(1)).optional(),
    })
    .refine((request) => request.sha256 !== undefined || (request.includes?.length ?? 0) > 0, {
      message: 'needs sha256 or includes: a request that anything matches is no check',
    }),
  answer: z.union([
    z.strictObject({ text }),
    z.strictObject({ object: z.unknown() }),
    /** The provider had no quota left; `until` is when it said to come back. */
    z.strictObject({ quota: z.strictObject({ until: z.iso.datetime() }) }),
  ]),
  usage: z
    .strictObject({
      inputTokens: z.int().min(0).default(0),
      outputTokens: z.int().min(0).default(0),
      costUsd: z.number().min(0).default(0),
      turns: z.int().min(0).default(1),
    })
    .prefault({}),
});

const cassetteSchema = z.strictObject({
  format: z.literal('gatewright-cassette/1'),
  about: z.string(),
  models: z.record(z.string(), z.strictObject({ name: z.string().min(1), title: z.string().min(1) })),
  calls: z.array(callSchema),
});

export type Cassette = z.infer<typeof cassetteSchema>;
export type CassetteCall = z.infer<typeof callSchema>;

export function readCassette(path: string): Cassette {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new GatewrightError('cassette-invalid', `The cassette ${path} cannot be read as JSON.`, { cause });
  }
  const parsed = cassetteSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new GatewrightError('cassette-invalid', `The cassette ${path} does not have the right form.`, {
    details: parsed.error.issues.map((issue) => `${issue.path.join('.') || '(file)'}: ${issue.message}`),
  });
}
