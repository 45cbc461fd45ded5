/** The cassette: answers of models, written by hand or recorded with the run that they were given in. See docs/cassettes.md. */
import { z } from 'zod';
import { GatewrightError } from '../../errors.ts';
import { makeRequestSchema, makeWorkSchema } from './cassette-work.ts';
import { makeRecordingSchema, type Recording, type RecordingFile, textSchema } from './recording.ts';

/** Far above any real run, far below what would make a program stand still. */
export const largestCassette = 64 * 1024 * 1024;

const recordedFormat = 'gatewright-cassette/2';

/** Schemas are made when the first cassette is read, and not before: most runs use none. */
function makeAnswersSchema() {
  const callSchema = z.strictObject({
    role: z.string().min(1).max(60),
    call: z.int().min(1),
    /** The step of the run that it was made in; recordings have it. */
    step: z.int().min(0).optional(),
    request: makeRequestSchema(),
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

  return z.strictObject({
    /** 1: answers of models, written by hand. 2: with the run that they were given in. */
    format: z.enum(['gatewright-cassette/1', recordedFormat]),
    about: z.string(),
    models: z.record(z.string(), z.strictObject({ name: z.string().min(1), title: z.string().min(1) })),
    calls: z.array(callSchema).max(100_000).default([]),
    /** What coding agents did. */
    work: z.array(makeWorkSchema()).max(100_000).default([]),
  });
}

type Answers = z.infer<ReturnType<typeof makeAnswersSchema>>;

export type Cassette = Answers & { readonly run: Recording | null };
export type CassetteCall = Answers['calls'][number];
export type CassetteFile = z.input<ReturnType<typeof makeAnswersSchema>> & { readonly run?: RecordingFile };

/** A cassette that was recorded, so that the whole run can be played again. */
export type RecordedCassette = Answers & { readonly run: Recording };

const formatSchema = z.object({ format: z.literal(recordedFormat) });

let answersSchema: ReturnType<typeof makeAnswersSchema> | undefined;

function readJson(json: unknown): { data: Cassette } | { error: z.ZodError } {
  answersSchema ??= makeAnswersSchema();
  const parsed = formatSchema.safeParse(json).success
    ? answersSchema.extend({ run: makeRecordingSchema() }).safeParse(json)
    : answersSchema.transform((answers) => ({ ...answers, run: null })).safeParse(json);
  return parsed.success ? { data: parsed.data } : { error: parsed.error };
}

const mostProblems = 20;

/** `name` is what messages call the cassette. */
export function parseCassette(text: string, name: string): Cassette {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new GatewrightError('cassette-invalid', `The cassette ${name} cannot be read as JSON.`, { cause });
  }
  const parsed = readJson(json);
  if ('data' in parsed) return parsed.data;
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
