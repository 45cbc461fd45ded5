/** What a code reviewer finds, with an identity that stays the same when lines move, so that what was dismissed stays so. */
import { z } from 'zod';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';

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

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Made from the file, the category and the text of the line: not from its number, and not from the model's wording of
 * the day.
 */
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

/** A review is read by people. */
const mostUnseen = 20;
const longestList = 40_000;
const longestText = 4000;

const issuesFound = '## Issues Found';
const noIssues = '## No Issues';

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

function inCode(text: string): string {
  return `\`${text.replace(/[`\s]+/gu, ' ')}\``;
}

/** What stands at the line that a finding is about. */
export function renderFinding(finding: ReviewFinding): string {
  const detail = finding.detail === '' ? '' : `\n\n${inertLine(finding.detail, longestText)}`;
  return `**${finding.severity}** ${inertLine(finding.title)} (${finding.id})${detail}\n`;
}

/** The text of the review. Its first line says how it came out, for people; machines read the ledger. */
export function renderReview(review: {
  readonly summary: string;
  readonly findings: readonly ReviewFinding[];
  readonly dismissed: readonly ReviewFinding[];
  readonly unseen: readonly string[];
  readonly commit: string;
  /** What people call the agent by. */
  readonly handle: string;
}): string {
  const { findings, dismissed, unseen, handle } = review;
  const isHeldBack = holdsBack(findings);
  const lines = [isHeldBack ? issuesFound : noIssues, '', inertLine(review.summary, longestText), ''];
  let room = longestList;
  for (const severity of severities) {
    const alike = findings.filter((one) => one.severity === severity);
    if (severity === 'minor' && alike.length > 0) {
      if (isHeldBack) lines.push('');
      lines.push('### Remarks', '', 'None of these stands in the way of merging.', '');
    }
    for (const finding of alike) {
      const place = finding.line === null ? finding.path : `${finding.path}:${finding.line}`;
      const line = `- **${severity}** ${inCode(place)} ${inertLine(finding.title)} (${finding.id})`;
      const detail = finding.detail === '' ? '' : `  ${inertLine(finding.detail, longestText)}`;
      // Forges limit the length of a text: each finding comes first, its explanation only while there is room.
      for (const part of [line, detail].filter((one) => one !== '' && one.length <= room)) {
        lines.push(part);
        room -= part.length;
      }
    }
  }
  if (dismissed.length > 0) {
    lines.push('', `Dismissed earlier and not raised again: ${dismissed.map(({ id }) => id).join(', ')}.`);
  }
  if (unseen.length > 0) {
    lines.push('', '**Not looked at**, so that a person has to merge it:', '');
    lines.push(...unseen.slice(0, mostUnseen).map((part) => `- ${inertLine(part)}`));
    if (unseen.length > mostUnseen) lines.push(`- and ${unseen.length - mostUnseen} more`);
  }
  if (isHeldBack) {
    const id = findings[0]?.id ?? '';
    const example = inCode(`@${handle} dismiss ${id} because …`);
    lines.push('', `A person with write permission can dismiss a finding with a comment: ${example}`);
  }
  lines.push('', `Reviewed at ${review.commit.slice(0, 12)}.`);
  return `${lines.join('\n')}\n`;
}
