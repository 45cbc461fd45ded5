/**
 * What of a run may go into a bug report: kinds, codes, numbers and names of models. A field that is not listed, or does not
 * look as its kind does, is left out; no text that a person or a model wrote is ever in it.
 */

/** Fields that hold a short word of ours. */
const words: ReadonlySet<string> = new Set([
  ...['node', 'role', 'model', 'reportedModel', 'status', 'code', 'why', 'kind', 'choice', 'by', 'agent'],
  ...['workflow', 'owner', 'conclusion', 'decision', 'outcome'],
]);
/** Fields that hold a number or a yes or no. */
const numbers: ReadonlySet<string> = new Set([
  ...['step', 'call', 'exitCode', 'milliseconds', 'inputTokens', 'outputTokens', 'costUsd', 'turns', 'count'],
  ...['cacheReadTokens', 'cacheWriteTokens', 'isUnpriced', 'isAtMost', 'dryRun', 'strict', 'attempt'],
]);
/** Fields to look into. */
const parts: ReadonlySet<string> = new Set([
  'reason',
  'request',
  'usage',
  'effect',
  'answer',
  'grant',
  'atMost',
]);

const wordForm = /^[a-z][a-z0-9:._@-]{0,79}$/iu;

type Json = Readonly<Record<string, unknown>>;

export function redactData(data: unknown, depth = 0): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || depth > 3) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
      if (words.has(name) && typeof value === 'string' && wordForm.test(value)) return [[name, value]];
      if (numbers.has(name) && (typeof value === 'number' || typeof value === 'boolean'))
        return [[name, value]];
      if (!parts.has(name)) return [];
      const inner = redactData(value, depth + 1);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
}

export interface Known {
  /** What stands in place of a text that would tell who or where this is, longest first when applied. */
  readonly replacements: readonly (readonly [text: string, by: string])[];
}

/** A sentence of ours without the names of this machine, its people and its repositories, and without anything like a token. */
export function redactText(text: string, { replacements }: Known): string {
  const known = [...replacements]
    .filter(([one]) => one.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .reduce((rest, [one, by]) => rest.split(one).join(by), text);
  return known
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.-]+/gu, 'MAIL')
    .replaceAll(/(?<=^|[\s"'(=])\/(?:home|root|Users|tmp|var|private)\/[^\s"',;)]*/gu, 'PATH')
    .replaceAll(/\b[A-Za-z0-9_-]{32,}\b/gu, 'TOKEN');
}
