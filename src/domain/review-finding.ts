/** What a code reviewer finds, with an identity that stays the same when lines move, so that what was dismissed stays so. */
import { z } from 'zod';
import { sha256 } from './hash.ts';
import { inlineMarkdown } from './markdown.ts';

const severities = ['critical', 'major', 'minor'] as const;

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

type RawFinding = z.infer<typeof rawFindingSchema>;

export interface ReviewFinding extends RawFinding {
  /** Short enough to be typed in an answer. */
  readonly id: string;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Of the file, the kind and the very line of code: not of its number, and not of the words of the day. */
export function identifyFinding(finding: RawFinding, lineText: string | null): string {
  const place = lineText === null || plain(lineText) === '' ? plain(finding.title) : plain(lineText);
  return sha256(`${finding.path}\n${plain(finding.category)}\n${place}`).slice(0, 10);
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

const issuesFound = '## Issues Found';
const noIssues = '## No Issues';

/** Whether these findings keep a change from being merged. */
export function holdsBack(findings: readonly ReviewFinding[]): boolean {
  return findings.some((finding) => finding.severity !== 'minor');
}

/** The text of the review. Its first line says how it came out, for people; machines read the ledger. */
export function renderReview(review: {
  readonly summary: string;
  readonly findings: readonly ReviewFinding[];
  readonly dismissed: readonly ReviewFinding[];
  readonly commit: string;
}): string {
  const { findings, dismissed } = review;
  const lines = [holdsBack(findings) ? issuesFound : noIssues, '', inlineMarkdown(review.summary), ''];
  for (const severity of severities) {
    for (const finding of findings.filter((one) => one.severity === severity)) {
      const place = finding.line === null ? finding.path : `${finding.path}:${finding.line}`;
      lines.push(
        `- **${severity}** \`${place.replace(/[`\s]/gu, ' ')}\` ${inlineMarkdown(finding.title)} (${finding.id})`,
      );
      if (finding.detail !== '') lines.push(`  ${inlineMarkdown(finding.detail)}`);
    }
  }
  if (dismissed.length > 0) {
    lines.push('', `Dismissed earlier and not raised again: ${dismissed.map(({ id }) => id).join(', ')}.`);
  }
  lines.push('', `Reviewed at ${review.commit.slice(0, 12)}.`);
  return `${lines.join('\n')}\n`;
}
