/** A code review as the forge shows it: for people, with the words of models made inert. */
import { holdsBack, type ReviewFinding, severities } from '../../../domain/changes/review-finding.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';

/** A review is read by people. */
const mostUnseen = 20;
const longestList = 40_000;
const longestText = 4000;

const issuesFound = '## Issues Found';
const noIssues = '## No Issues';

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
