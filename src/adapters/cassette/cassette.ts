/** The cassette file: recorded or hand-written answers of models. The format is described in docs/cassettes.md. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { cassetteRequest, cassetteText, workSchema } from '../../domain/cassette-work.ts';
import { GatewrightError } from '../../errors.ts';

const callSchema = z.strictObject({
  role: z.string().min(1),
  call: z.int().min(1),
  request: cassetteRequest,
  answer: z.union([
    z.strictObject({ text: cassetteText }),
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
  calls: z.array(callSchema).default([]),
  /** What coding agents did. */
  work: z.array(workSchema).default([]),
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
