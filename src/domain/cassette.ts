/** The cassette: answers of models, written by hand or recorded with the run that they were given in. See docs/cassettes.md. */
import { z } from 'zod';
import { GatewrightError } from '../errors.ts';
import { cassetteRequest, workSchema } from './cassette-work.ts';
import { type Recording, recordingSchema, textSchema } from './recording.ts';

/** Far above any real run, far below what would make a program stand still. */
export const largestCassette = 64 * 1024 * 1024;

const callSchema = z.strictObject({
  role: z.string().min(1).max(60),
  call: z.int().min(1),
  /** The step of the run that it was made in; recordings have it. */
  step: z.int().min(0).optional(),
  request: cassetteRequest,
  answer: z.union([
    z.strictObject({ text: textSchema }),
    z.strictObject({ object: z.unknown() }),
    /** The provider had no quota left; `until` is when it said to come back. */
    z.strictObject({ quota: z.strictObject({ until: z.iso.datetime() }) }),
  ]),
  /** The model that answered, where it is not the one of the role. */
  reportedModel: z.string().min(1).max(200).optional(),
  usage: z
    .strictObject({
      inputTokens: z.int().min(0).default(0),
      outputTokens: z.int().min(0).default(0),
      costUsd: z.number().min(0).default(0),
      turns: z.int().min(0).default(1),
      cacheReadTokens: z.int().min(0).optional(),
      cacheWriteTokens: z.int().min(0).optional(),
    })
    .prefault({}),
});

const recorded = 'gatewright-cassette/2';

const cassetteSchema = z
  .strictObject({
    /** 1: answers of models, written by hand. 2: with the run that they were given in. */
    format: z.enum(['gatewright-cassette/1', recorded]),
    about: z.string(),
    models: z.record(z.string(), z.strictObject({ name: z.string().min(1), title: z.string().min(1) })),
    calls: z.array(callSchema).max(100_000).default([]),
    /** What coding agents did. */
    work: z.array(workSchema).max(100_000).default([]),
    run: recordingSchema.optional(),
  })
  .refine(({ format, run }) => (format === recorded) === (run !== undefined), {
    path: ['run'],
    message: 'belongs to format 2, and to that only',
  })
  .transform((cassette) => ({ ...cassette, run: cassette.run ?? null }));

export type Cassette = z.infer<typeof cassetteSchema>;
export type CassetteCall = z.infer<typeof callSchema>;
export type CassetteFile = z.input<typeof cassetteSchema>;

/** A cassette that was recorded, so that the whole run can be played again. */
export type RecordedCassette = Cassette & { readonly run: Recording };

const mostProblems = 20;

/** `name` is what people are told it is called. */
export function parseCassette(text: string, name: string): Cassette {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new GatewrightError('cassette-invalid', `The cassette ${name} cannot be read as JSON.`, { cause });
  }
  const parsed = cassetteSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.').slice(0, 200) || '(file)'}: ${issue.message.slice(0, 300)}`,
  );
  throw new GatewrightError('cassette-invalid', `The cassette ${name} does not have the right form.`, {
    details:
      problems.length <= mostProblems
        ? problems
        : [...problems.slice(0, mostProblems), `and ${problems.length - mostProblems} more`],
  });
}

export function requireRecording(cassette: Cassette, name: string): RecordedCassette {
  const { run } = cassette;
  if (run !== null) return { ...cassette, run };
  throw new GatewrightError('cassette-invalid', `The cassette ${name} holds answers of models but no run.`, {
    hint: 'Record a run with --record FILE or: gatewright record RUN FILE',
  });
}
