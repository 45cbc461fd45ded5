/**
 * What one job of a workflow run proposes to the next one: what models answered, what coding agents left, and which
 * effects were about to be made. The answers count as the words of models do; of the effects nothing is taken, because
 * the job that applies works each of them out anew.
 */
import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../errors.ts';
import { agentNames, workflowNames } from '../fleet/agent-names.ts';
import type { Json } from '../ledger/hash.ts';

export const proposalFormat = 1;

export const proposalCaps = {
  /** Of the whole file, with the objects of git. */
  bytes: 48 * 1024 * 1024,
  depth: 40,
  runs: 50,
  /** Answers in one run, and effects that one run was about to make. */
  calls: 200,
  intended: 100,
  /** Characters of one answer. */
  answer: 4 * 1024 * 1024,
} as const;

/** An error of these codes is about this process and about no model, so no proposal may throw it. */
const ownCodes: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['lease-lost', 'lease-held', 'effect-held-back', 'waits-for-model', 'cancelled'] as const),
]);

const tellable = new Set(Object.keys(errorCatalogue).filter((code) => !ownCodes.has(code)));

/** Whether a call that failed in this way can be told; one that was stopped with its process cannot. */
export function isTellable(code: ErrorCode): boolean {
  return tellable.has(code);
}

const code = z.custom<ErrorCode>((value) => typeof value === 'string' && tellable.has(value));
const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const commit = z.string().regex(/^[0-9a-f]{40,64}$/u);
const word = z.string().max(300);
const said = z.string().max(20_000);
const count = z.number().int().min(0).max(1e12);
const json = z.json() as z.ZodType<Json>;
const when = z.iso.datetime().nullable();

const usageShape = {
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().min(0).max(1e6),
  turns: count,
  isUnpriced: z.literal(true).optional(),
};
const usage = z.strictObject({
  ...usageShape,
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
});
const codingUsage = z.strictObject({ ...usageShape, cacheReadTokens: count, cacheWriteTokens: count });

const failure = z.strictObject({ code, message: said, details: z.array(said).max(100), until: when });

const asked = z.strictObject({
  kind: z.literal('asked'),
  milliseconds: count,
  spent: z.array(z.strictObject({ credential: word, reportedModel: word, usage, why: code })).max(50),
  end: z.union([z.strictObject({ value: json, reportedModel: word, usage }), z.strictObject({ failure })]),
});

const outcome = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('finished'),
    text: z.string().max(proposalCaps.answer),
    object: json,
  }),
  z.strictObject({ kind: z.literal('turns-exhausted') }),
  z.strictObject({ kind: z.literal('quota'), until: when }),
  z.strictObject({ kind: z.literal('refused'), by: z.enum(['model', 'permissions']), detail: said }),
  z.strictObject({
    kind: z.literal('failed'),
    why: z.enum([
      ...(['timeout', 'crash', 'garbage', 'overload', 'budget', 'not-authenticated'] as const),
      ...(['not-installed', 'unknown-model', 'wrong-model'] as const),
    ]),
    detail: said,
    problems: z.array(said).max(100).optional(),
  }),
]);

const attemptShape = {
  credential: word,
  outcome,
  usage: codingUsage,
  reportedModel: word,
  denials: z.array(z.strictObject({ tool: said, target: said })).max(1000),
  milliseconds: count,
};

const worked = z.strictObject({
  kind: z.literal('worked'),
  milliseconds: count,
  isOverBudget: z.boolean(),
  report: z.strictObject({ ...attemptShape, earlier: z.array(z.strictObject(attemptShape)).max(20) }),
  left: z.strictObject({ start: commit, tree: commit }).nullable(),
});

const call = z.strictObject({
  role: word,
  call: count,
  prompt: hash,
  done: z.discriminatedUnion('kind', [asked, worked]),
});

const run = z.strictObject({
  run: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/iu),
  subject: word,
  /** The last entry of the run that was there when it was walked. */
  tip: hash,
  calls: z.array(call).max(proposalCaps.calls),
  /** Not used: for people who look at the file, and for the list of what did not come to be. */
  intended: z.array(z.strictObject({ key: word, kind: word, hash })).max(proposalCaps.intended),
});

export const proposalSchema = z.strictObject({
  format: z.literal(proposalFormat),
  repository: word,
  workflowRun: count,
  attempt: count,
  /** Whose runs they are. */
  agents: z.array(z.enum([...agentNames, ...workflowNames, 'label-keeper'])).max(20),
  /** The delivery of the event that the workflow run is for; null when it was started for what is open. */
  event: word.nullable(),
  /** The commit that the jobs of the workflow run check out. */
  base: commit,
  runs: z.array(run).max(proposalCaps.runs),
  /** What the trees in it need beyond the commits that they began at: a bundle of git in base64; null without any. */
  bundle: z
    .strictObject({ base64: z.string().refine((text) => !/[^A-Za-z0-9+/=]/u.test(text)), hash })
    .nullable(),
});

export type Proposal = z.infer<typeof proposalSchema>;
/** The trees that coding agents left in its runs. */
export function listLeft({
  runs,
}: Pick<Proposal, 'runs'>): { readonly start: string; readonly tree: string }[] {
  return runs.flatMap(({ calls }) =>
    calls.flatMap(({ done }) => (done.kind === 'worked' && done.left !== null ? [done.left] : [])),
  );
}

export type ProposedRun = Proposal['runs'][number];
