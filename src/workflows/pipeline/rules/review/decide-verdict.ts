/**
 * What a review means. Only one thing approves: a verdict that says so and names nothing that should not be merged. A
 * verdict that contradicts its own findings is a rejection.
 */
import type { ReviewFinding } from '../../../../domain/changes/review-finding.ts';
import type { ReviewerAnswer } from '../asking/stage-answers.ts';

interface Decided {
  readonly verdict: ReviewerAnswer['verdict'];
  /** What the writer is told; null when it is approved. */
  readonly feedback: string | null;
}

function listFindings(findings: readonly ReviewFinding[]): string[] {
  return findings.map(({ id, path, line, severity, title, detail }) => {
    const place = line === null ? path : `${path}:${line}`;
    return `- ${id} ${severity} ${place}: ${title}${detail === '' ? '' : `\n  ${detail}`}`;
  });
}

export function decideVerdict(
  { verdict, feedback_for_writer }: Pick<ReviewerAnswer, 'verdict' | 'feedback_for_writer'>,
  findings: readonly ReviewFinding[],
): Decided {
  const blocking = findings.filter(({ severity }) => severity !== 'minor');
  if (verdict === 'APPROVED' && blocking.length === 0) return { verdict, feedback: null };
  const decided = verdict === 'APPROVED' ? 'REJECTED' : verdict;
  const words = [feedback_for_writer ?? '', ...listFindings(findings)].filter((text) => text !== '');
  return {
    verdict: decided,
    feedback:
      words.length === 0
        ? 'The reviewer rejected it without saying why.'
        : words.join('\n\n').slice(0, 90_000),
  };
}
