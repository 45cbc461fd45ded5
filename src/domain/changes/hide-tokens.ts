/**
 * Takes out of a text what looks like a secret, before it is kept, shown or sent to a model. Logs of builds hold them in
 * spite of all masking. What only looks like one is lost too; a diagnosis can do without it.
 */

import { secretForms } from './secret-forms.ts';

const hidden = '[hidden]';

/** Whole secrets. This list is wider than the one that blocks a change, because a false hit here blocks no work. */
const known: readonly RegExp[] = [
  // Keys in armour; a log that was cut may hold the beginning only, and every line may carry a time before it.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/gu,
  // Addresses (the forms with `isReal`) are left to the list below, which hides only their password.
  ...secretForms.flatMap(({ form, isReal }) =>
    isReal === undefined ? [new RegExp(form.source, `${form.flags}g`)] : [],
  ),
  /\b(?:gh[a-z]_|github_pat_|glpat-|npm_|pypi-|dop_v1_|shpat_|hf_)[\w.-]{10,}/gu,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/gu,
  /\bxox[a-z]-[\w-]{8,}/gu,
  /\b(?:AKIA|ASIA|AROA)[A-Z0-9]{12,}/gu,
  /\bAIza[\w-]{30,}/gu,
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/gu,
  // Long runs of letters and digits of all kinds: keys, and the body of a key whose head was cut away.
  /(?<![\w+/])(?=[\w+/-]*[0-9])(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{48,}={0,2}/gu,
];

/** Secrets that stand behind a name or a mark; the mark stays. */
const named: readonly RegExp[] = [
  /(\b(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:basic|bearer|token)\s+)?)[^\s"',;]+/giu,
  /(\bbearer\s+)[\w.~+/-]{8,}=*/giu,
  /(\b[\w.-]{0,40}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\w-]{0,20}["']?\s{0,3}[:=]\s{0,3}["']?)(?!\*{3}|\[hidden\])[^\s"',;]{4,}/giu,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:)[^\s/]{1,200}(?=@)/giu,
];

export function hideTokens(text: string): string {
  const withoutKnown = known.reduce((rest, pattern) => rest.replace(pattern, hidden), text);
  return named.reduce((rest, pattern) => rest.replace(pattern, `$1${hidden}`), withoutKnown);
}
