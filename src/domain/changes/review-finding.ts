/** What a code reviewer finds, with an identity that stays the same when lines move, so that what was dismissed stays so. */
import { z } from 'zod';
import { sha256 } from '../ledger/hash.ts';
import { plainWords } from '../text/plain-words.ts';

export const severities = ['critical', 'major', 'minor'] as const;

const rawFindingSchema = z.object({
  path: z.string().min(1).max(400).describe('path of the file, as in the diff'),
  line: z
    .number()
    .int()
    .min(1)
    .nullable()
    .describe('line in the new version; null when it is about the whole file'),
  severity: z
    .enum(severities)
    .describe('critical: wrong or unsafe; major: should not be merged; minor: may be'),
  category: z
    .string()
    .min(1)
    .max(40)
    .describe('for example bug, security, data-loss, concurrency, performance, test, style'),
  title: z.string().min(1).max(200).describe('what is wrong, in one sentence'),
  detail: z.string().max(4000).describe('why, and what would show it'),
});

export const codeReviewSchema = z.object({
  summary: z.string().min(1).max(4000),
  findings: z.array(rawFindingSchema).max(50),
});

export type RawFinding = z.infer<typeof rawFindingSchema>;

export interface ReviewFinding extends RawFinding {
  /** Short enough to be typed in an answer. */
  readonly id: string;
}

/**
 * What the ledger keeps of a review. Whether it is clean is computed at each request, because findings can be dismissed
 * later.
 */
export const storedReviewSchema = z.object({
  commit: z.string(),
  /** The branch that it was to be merged into: against another one it is another change. */
  base: z.string(),
  summary: z.string(),
  findings: z.array(rawFindingSchema.extend({ id: z.string() })),
  /** Parts of the change that were not looked at, one sentence each. */
  unseen: z.array(z.string()),
});

export type StoredReview = z.infer<typeof storedReviewSchema>;

/**
 * Made from the file, the category and the text of the line: not from its number, and not from the model's wording of
 * the day.
 */
export function identifyFinding(finding: RawFinding, lineText: string | null): string {
  const place =
    lineText === null || plainWords(lineText) === '' ? plainWords(finding.title) : plainWords(lineText);
  return sha256(`${finding.path}\n${plainWords(finding.category)}\n${place}`).slice(0, 10);
}

/** Findings with their identities; two about one thing count once, the graver one. */
export function identifyFindings(
  findings: readonly RawFinding[],
  lineOf: (path: string, line: number) => string | null,
): ReviewFinding[] {
  const found = new Map<string, ReviewFinding>();
  const byWeight = [...findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  for (const finding of byWeight) {
    const id = identifyFinding(finding, finding.line === null ? null : lineOf(finding.path, finding.line));
    if (!found.has(id)) found.set(id, { ...finding, id });
  }
  return [...found.values()];
}

/** Whether these findings keep a change from being merged. */
export function holdsBack(findings: readonly ReviewFinding[]): boolean {
  return findings.some((finding) => finding.severity !== 'minor');
}

/** Whether no finding blocks the merge, without those that people dismissed. */
export function isReviewClean(
  findings: readonly ReviewFinding[],
  dismissed: { has(id: string): boolean },
): boolean {
  return !holdsBack(findings.filter(({ id }) => !dismissed.has(id)));
}
