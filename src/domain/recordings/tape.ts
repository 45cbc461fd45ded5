/**
 * The tape of a run: what an agent or a workflow asked of the world, and what it was answered, call by call. It decides from
 * nothing else, so the run can be played again anywhere, without the repository, its forge or a model. A workflow stops at
 * its gates and goes on days later: each of its sessions has a tape of its own, which begins where the graph stood.
 */
import { z } from 'zod';
import { errorCatalogue, GatewrightError } from '../../errors.ts';
import { agentNames, workflowNames } from '../fleet/agent-names.ts';
import { canonicalJson, type Json } from '../ledger/hash.ts';

export const tapeFormat = 'gatewright-tape/1';
export const sessionsFormat = 'gatewright-sessions/1';

const jsonSchema: z.ZodType<Json> = z.json();

function makeSchemas() {
  const word = z.string().min(1).max(60);
  const errorSchema = z.strictObject({
    code: z.string().refine((code) => Object.hasOwn(errorCatalogue, code), 'is not an error code'),
    message: z.string(),
    hint: z.string().optional(),
    until: z.string().optional(),
    details: z.array(z.string()).optional(),
    output: z.string().optional(),
  });
  const end = { value: jsonSchema.optional(), error: errorSchema.optional() };
  const call = z
    .strictObject({
      /** Calls are numbered as they began. */
      at: z.int().min(0),
      port: word,
      method: word,
      args: z.array(jsonSchema).max(20),
      ...end,
      /** For an effect: what was handed over; missing when an earlier attempt had done it. For `once`: whether it was done here. */
      built: jsonSchema.optional(),
    })
    .refine(
      (one) => (one.value === undefined) !== (one.error === undefined),
      'has either a value or an error',
    );
  const run = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/u, 'is not a run id');
  const version = z.string().max(60);
  const subject = z.string().min(1).max(500);
  const head = z.strictObject({
    version,
    run,
    agent: z.enum([...agentNames, 'label-keeper']),
    subject,
    request: jsonSchema,
    event: jsonSchema,
    own: z.string().max(200),
    startedAt: z.iso.datetime(),
    settings: jsonSchema,
  });
  const sessionHead = z.strictObject({
    version,
    run,
    workflow: z.enum(workflowNames),
    subject,
    /** What the context of the workflow holds besides its ports. */
    data: z.record(z.string(), jsonSchema),
    /** Where the graph stood when the session began; null when no node had run yet. */
    place: z.strictObject({ node: word, state: jsonSchema }).nullable(),
  });
  const taped = {
    calls: z.array(call).max(200_000),
    /** How it ended; null when it was cut off, or was still at work. */
    end: z.strictObject(end).nullable(),
  };
  const session = z.strictObject({ head: sessionHead, ...taped });
  return {
    call,
    head,
    sessionHead,
    session,
    end: z.strictObject(end),
    tape: z.strictObject({ format: z.literal(tapeFormat), about: z.string(), head, ...taped }),
    sessions: z.strictObject({
      format: z.literal(sessionsFormat),
      about: z.string(),
      run,
      /** In the order in which they were held. */
      sessions: z.array(session).min(1).max(1000),
    }),
  };
}

type Schemas = ReturnType<typeof makeSchemas>;
export type Tape = z.infer<Schemas['tape']>;
export type SessionsTape = z.infer<Schemas['sessions']>;
export type TapedSession = z.infer<Schemas['session']>;
export type TapeHead = z.infer<Schemas['head']>;
export type SessionHead = z.infer<Schemas['sessionHead']>;
export type TapeCall = z.infer<Schemas['call']>;
export type TapeEnd = z.infer<Schemas['end']>;
export type TapedError = NonNullable<TapeEnd['error']>;

/** One line of the file that is written while the run goes on. */
export type TapeLine =
  | { readonly head: TapeHead | SessionHead }
  | { readonly call: TapeCall }
  | { readonly end: TapeEnd }
  | 'cut';

let schemas: Schemas | undefined;

function formatOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'format' in json ? json.format : null;
}

/** Whether a text says of itself that it is a tape, well formed or not. */
export function isTape(text: string): boolean {
  try {
    const format = formatOf(JSON.parse(text));
    return format === tapeFormat || format === sessionsFormat;
  } catch {
    return false;
  }
}

const mostProblems = 20;
/** Far deeper than what a run asks for, and far from what the stack can hold. */
const deepest = 200;

function checkDepth(value: unknown, depth: number): void {
  if (depth > deepest) throw new GatewrightError('cassette-invalid', 'The recording is nested too deeply.');
  if (typeof value !== 'object' || value === null) return;
  for (const one of Object.values(value)) checkDepth(one, depth + 1);
}

export function parseTape(text: string, name: string): Tape | SessionsTape {
  schemas ??= makeSchemas();
  let json: unknown;
  try {
    json = JSON.parse(text);
    checkDepth(json, 0);
  } catch (cause) {
    if (cause instanceof GatewrightError) throw cause;
    throw new GatewrightError('cassette-invalid', `The recording ${name} cannot be read as JSON.`, { cause });
  }
  const parsed = (formatOf(json) === sessionsFormat ? schemas.sessions : schemas.tape).safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.').slice(0, 200) || '(file)'}: ${issue.message.slice(0, 300)}`,
  );
  throw new GatewrightError('cassette-invalid', `The recording ${name} does not have the right form.`, {
    details: problems.slice(0, mostProblems),
  });
}

/** The run that a recording is of. */
export function runOfTape(tape: Tape | SessionsTape): string {
  return 'sessions' in tape ? tape.run : tape.head.run;
}

/** Asked by role and number: the words of a prompt may have changed since. */
const byRole: Readonly<Record<string, (args: readonly Json[]) => Json>> = {
  'models.askForText': (args) => roleOf(args[1]),
  'models.askForObject': (args) => roleOf(args[1]),
  'models.code': (args) => roleOf(args[0]),
};

function roleOf(question: Json | undefined): Json {
  const { role = null, call = null } = (question ?? {}) as Readonly<Record<string, Json>>;
  return { role, call };
}

/** Who was asked, for a question to a model; null for every other call. */
export function roleOfCall({
  port,
  method,
  args,
}: Pick<TapeCall, 'port' | 'method' | 'args'>): { readonly role: string; readonly call: number } | null {
  const { role, call } = (byRole[`${port}.${method}`]?.(args) ?? {}) as Readonly<Record<string, Json>>;
  return typeof role === 'string' && typeof call === 'number' ? { role, call } : null;
}

/** Effects, entries, steps and gates have names, and what they hold is compared. */
const byNames: Readonly<Record<string, (args: readonly Json[]) => Json>> = {
  'effects.perform': ([key = null, kind = null]) => [key, kind],
  'context.once': ([step = null]) => step,
  'context.withLease': ([subject = null]) => subject,
  'context.record': ([entry]) => namesOf(entry),
  'context.note': ([entry]) => namesOf(entry),
  'context.handOn': () => 'all',
  'gates.answer': ([question]) => {
    const { id = null } = (question ?? {}) as Readonly<Record<string, Json>>;
    return id;
  },
};

function namesOf(entry: Json | undefined): Json {
  const { kind = null, key = null } = (entry ?? {}) as Readonly<Record<string, Json>>;
  return [kind, key];
}

/** Calls with equal keys ask the same. */
export function keyOfCall(port: string, method: string, args: readonly Json[]): string {
  const name = `${port}.${method}`;
  const told = byNames[name]?.(args) ?? byRole[name]?.(args) ?? args;
  return `${name} ${canonicalJson(told)}`;
}

/** What a question to a model holds, to tell whether the same would be asked today. */
export function promptOfCall(port: string, method: string, args: readonly Json[]): string | null {
  if (byRole[`${port}.${method}`] === undefined) return null;
  const question = (method === 'code' ? args[0] : args[1]) as Readonly<Record<string, Json>> | undefined;
  const { instructions = null, lasting = null, text = null, task = null } = question ?? {};
  return canonicalJson({ instructions, lasting, text, task });
}
