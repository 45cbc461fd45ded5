/**
 * What a recording keeps of a run besides the answers of its models: the brief, what was answered at its gates, what the
 * forge said, the moments, and the files that came of it. It may come from anywhere, so every field is checked.
 */
import { z } from 'zod';
import { errorCatalogue } from '../../errors.ts';
import { isPlainPath } from '../changes/plain-path.ts';
import { answerers, authoringGateKinds } from '../drafts/gate.ts';
import { isRepositoryName } from '../ledger/subject.ts';

/** A text, or its lines. */
export const textSchema = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value.join('\n') : value));

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/u, 'is not a SHA-256');

/** Files and folders that steer git (`.github` and `.gitlab` only look like them), us or an agent. */
const steers = /^(?:\.git(?!(?:hub|lab)$)|gatewright\.config\.json$|\.gatewright$|\.claude$|\.mcp\.json$)/iu;

/** A path that stays inside a repository and is none of the files that steer git, Gatewright or an agent. */
function isHarmless(path: string): boolean {
  return isPlainPath(path) && !path.split('/').some((part) => steers.test(part.trim()));
}

/** The entries whose moments are kept; what is dated in an artefact is dated by one of them. */
const momentEntries = ['model-answered', 'verdict', 'gate-answered', 'effect-receipted'] as const;

export type MomentEntry = (typeof momentEntries)[number];

export function isMomentEntry(kind: string): kind is MomentEntry {
  return (momentEntries as readonly string[]).includes(kind);
}

/** A key without the run's id and the number of the attempt, which may differ in a replay. */
export function momentKey(runId: string, kind: string, key: string): string {
  const own = key.startsWith(`${runId}/`) ? key.slice(runId.length + 1) : key;
  return `${kind} ${kind === 'effect-receipted' ? own.replace(/#\d+$/u, '') : own}`;
}

/** Made when a recording is read, and not before: it is large, and most runs use none. */
export function makeRecordingSchema() {
  const issueNumber = z.int().min(1).max(1_000_000_000);

  const step = z.int().min(0).max(1_000_000);

  const path = z.string().refine(isHarmless, 'is not a plain path inside a repository');

  /** Which effects of the forge end up in artefacts. */
  const forgeAnswerSchema = z.union([
    z.strictObject({ effect: z.literal('ensure-label') }),
    z.strictObject({
      effect: z.literal('create-issue'),
      number: issueNumber,
      url: z.string().min(1).max(2000),
    }),
    z.strictObject({
      effect: z.enum(['ensure-label', 'create-issue']),
      failed: z.strictObject({
        code: z.string().refine((code) => Object.hasOwn(errorCatalogue, code), 'is not an error code'),
        message: z.string().max(10_000),
      }),
    }),
  ]);

  const gateSchema = z.strictObject({
    step,
    kind: z.enum(authoringGateKinds),
    choice: z.string().min(1).max(40),
    by: z.enum(answerers),
    /** Who it was, where that stands in an artefact. */
    actor: z.string().min(1).max(200).optional(),
    feedback: textSchema.optional(),
    /** Hashes of what was looked at. */
    seen: z.record(z.string().min(1).max(40), sha256Schema),
    /** What a person made of the files before answering, where they changed them. */
    texts: z.record(z.string().min(1).max(40), textSchema).default({}),
  });

  return z.strictObject({
    id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/u, 'is not a run id'),
    workflow: z.enum(['issue', 'lld']),
    slug: z
      .string()
      .max(80)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/u, 'is not a short name'),
    title: z.string().max(1000),
    repository: z.string().refine(isRepositoryName, 'is not a repository name'),
    status: z.enum(['running', 'waiting', 'paused', 'blocked', 'failed', 'done']),
    strict: z.boolean(),
    /** `isOutside`: it was not in the repository, so only its name is kept. */
    brief: z
      .strictObject({ path, text: textSchema, isOutside: z.boolean() })
      .refine((brief) => !brief.isOutside || !brief.path.includes('/'), 'is outside, so it has a name only'),
    /** What a person made of the brief while the run waited, each with the step that the run was at. */
    briefs: z
      .array(z.strictObject({ step, text: textSchema }))
      .max(1000)
      .default([]),
    /** The issue that a design is made for; its text is the brief. */
    issue: z.strictObject({ number: issueNumber, url: z.string().min(1).max(2000) }).optional(),
    /** What else the drafter was shown. */
    context: textSchema.optional(),
    /** The names of the files that the repository had, from a step on. */
    files: z.array(z.strictObject({ step, names: z.array(z.string().max(5000)) })).default([]),
    /** What lay there before and was moved away; only its place is known. */
    existing: z.array(path).default([]),
    steps: z.array(
      z.strictObject({
        step,
        node: z
          .string()
          .max(60)
          .regex(/^N\d_[a-z_]+$/u),
      }),
    ),
    gates: z.array(gateSchema),
    forge: z.array(forgeAnswerSchema),
    moments: z.array(z.strictObject({ key: z.string().max(1000), at: z.iso.datetime() })),
    artefacts: z.array(z.strictObject({ path, writtenAs: path, sha256: sha256Schema })),
    /** The issue as it was filed. */
    filed: z
      .strictObject({ title: z.string().max(1000), labels: z.array(z.string().max(200)), body: sha256Schema })
      .nullable(),
  });
}

type Schema = ReturnType<typeof makeRecordingSchema>;

export type Recording = z.infer<Schema>;
/** As it stands in the file, before defaults are filled in. */
export type RecordingFile = z.input<Schema>;
export type RecordedGate = Recording['gates'][number];
export type RecordedForgeAnswer = Recording['forge'][number];
