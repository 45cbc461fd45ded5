/** The daily digest: what was done, what waits, what is stuck. Composed from facts; nothing on a silent day. */
import { inlineMarkdown } from './markdown.ts';

interface DigestItem {
  readonly number: number;
  readonly title: string;
  readonly url: string;
}

export interface DigestPullRequest extends DigestItem {
  readonly labels: readonly string[];
  readonly changedLines: number;
}

/** Something that waits for a person, as the ledger has it. */
interface DigestBlocked extends DigestItem {
  readonly why: string;
}

export interface DigestFacts {
  /** Both ends, ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly merged: readonly DigestItem[];
  readonly closedIssues: readonly DigestItem[];
  readonly openedIssues: readonly DigestItem[];
  readonly openPullRequests: readonly DigestPullRequest[];
  readonly blocked: readonly DigestBlocked[];
  readonly costUsd: number;
}

type Urgency = 'CRITICAL' | 'NORMAL' | 'LOW RISK';
const urgencies: readonly Urgency[] = ['CRITICAL', 'NORMAL', 'LOW RISK'];
const manyLines = 400;
/** Of each list; the rest is counted. */
const mostItems = 30;

export function urgencyOf(pull: DigestPullRequest): Urgency {
  const labels = pull.labels.map((label) => label.toLowerCase());
  if (labels.includes('blocked') || labels.includes('security')) return 'CRITICAL';
  if (labels.includes('needs-review') || pull.changedLines > manyLines) return 'NORMAL';
  return labels.includes('auto-merge') || labels.includes('template_sync') ? 'LOW RISK' : 'NORMAL';
}

function line(item: DigestItem, more = ''): string {
  return `- [#${item.number}](${item.url}) ${inlineMarkdown(item.title)}${more}`;
}

function list(items: readonly string[]): string[] {
  const rest = items.length - mostItems;
  return rest > 0 ? [...items.slice(0, mostItems), `- and ${rest} more`] : [...items];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

export function digestTitle(until: string): string {
  return `Daily Digest - ${until.slice(0, 10)}`;
}

/** Null when nothing happened and nothing waits that did not wait before. */
export function composeDigest(facts: DigestFacts): string | null {
  const happened = facts.merged.length + facts.closedIssues.length + facts.openedIssues.length;
  if (happened + facts.openPullRequests.length + facts.blocked.length === 0) return null;
  const done = [
    ...facts.merged.map((item) => line(item, ' (merged)')),
    ...facts.closedIssues.map((item) => line(item, ' (closed)')),
  ];
  const waiting = urgencies.flatMap((urgency) => {
    const pulls = facts.openPullRequests.filter((pull) => urgencyOf(pull) === urgency);
    const lines = pulls.map((pull) => line(pull, `, ${pull.changedLines} lines`));
    return lines.length === 0 ? [] : [`**${urgency}**`, '', ...list(lines), ''];
  });
  const blocked = facts.blocked.map((item) => line(item, `: ${inlineMarkdown(item.why)}`));
  const upcoming = facts.openedIssues.map((item) => line(item));
  const cost = facts.costUsd > 0 ? [`Models cost $${facts.costUsd.toFixed(2)} in this time.`, ''] : [];
  return [
    `From ${facts.since.slice(0, 16).replace('T', ' ')} to ${facts.until.slice(0, 16).replace('T', ' ')} UTC.`,
    '',
    ...section('Completed', list(done)),
    ...section('Needs Review', waiting),
    ...section('Blocked', list(blocked)),
    ...section('Upcoming', list(upcoming)),
    ...cost,
  ]
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trimEnd()
    .concat('\n');
}
