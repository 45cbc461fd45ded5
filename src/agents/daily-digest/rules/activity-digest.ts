/** The daily digest: what was done, what waits, what is stuck. Composed from facts; nothing on a silent day. */

import { carriesMarker } from '../../../domain/fleet/effect-marker.ts';
import { labelNames } from '../../../domain/forge/labels.ts';
import { inertLine } from '../../../domain/text/inert-markdown.ts';
import { describeCost } from '../../../domain/text/money.ts';

interface DigestItem {
  readonly number: number;
  readonly title: string;
  readonly url: string;
}

export interface DigestPullRequest extends DigestItem {
  readonly labels: readonly string[];
  /** Whether it came in this time. */
  readonly isNew: boolean;
}

/** Something that waits for a person. */
interface DigestBlocked {
  /** Null when it is about the repository as a whole. */
  readonly number: number | null;
  /** The title that another author wrote; empty when there is none. */
  readonly title: string;
  /** Our own words, as Markdown. */
  readonly why: string;
  readonly isNew: boolean;
}

export interface DigestFacts {
  /** Both ends, ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly merged: readonly DigestItem[];
  readonly closedPullRequests: readonly DigestItem[];
  readonly closedIssues: readonly DigestItem[];
  readonly openedIssues: readonly DigestItem[];
  readonly openPullRequests: readonly DigestPullRequest[];
  readonly blocked: readonly DigestBlocked[];
  readonly costUsd: number;
  /** A part of the cost is not known. Missing in facts from before it was counted. */
  readonly hasUnpriced?: boolean;
}

type Urgency = 'CRITICAL' | 'NORMAL' | 'LOW RISK';
const urgencies: readonly Urgency[] = ['CRITICAL', 'NORMAL', 'LOW RISK'];
const longestTitle = 100;
/** Of each list; the rest is counted. Fewer when titles are so long that a forge would refuse the whole. */
const mostItems = [30, 10, 3] as const;
const longestDigest = 60_000;

/** By the risk label, which was set by rule: how much is changed is in it already. */
export function urgencyOf({ labels }: Pick<DigestPullRequest, 'labels'>): Urgency {
  const plain = labels.map((label) => label.toLowerCase());
  if (plain.includes(labelNames.blocked) || plain.includes(labelNames.security)) return 'CRITICAL';
  if (plain.includes(labelNames.needsReview)) return 'NORMAL';
  return plain.includes(labelNames.autoMerge) || plain.includes(labelNames.templateSync)
    ? 'LOW RISK'
    : 'NORMAL';
}

function line(item: DigestItem, more = ''): string {
  return `- [#${item.number}](${item.url}) ${inertLine(item.title, longestTitle)}${more}`;
}

/** In code, not as a link: it is told every day, and forges date a link as a change of what it leads to. */
function blockedLine({ number, title, why }: DigestBlocked): string {
  const what = [...(number === null ? [] : [`\`#${number}\``]), inertLine(title, longestTitle)]
    .filter((word) => word !== '')
    .join(' ');
  return `- ${what === '' ? '' : `${what}: `}${why}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

export function digestTitle(until: string): string {
  return `Daily Digest - ${until.slice(0, 10)}`;
}

/**
 * Our digests of earlier days that are still open and that this one replaces. To keep one open, a person removes its
 * label or sets "hold". One run closes at most as many as its cap allows; later runs close the rest.
 */
export function listEarlierDigests(
  open: readonly {
    readonly number: number;
    readonly title: string;
    readonly body: string;
    readonly author: string;
    readonly labels: readonly string[];
  }[],
  own: string,
  until: string,
  most: number,
): number[] {
  const [day, dated] = [until.slice(0, 10), /^Daily Digest - (\d{4}-\d\d-\d\d)$/u];
  return open
    .filter(({ title, body, author, labels }) => {
      // Where we act under a person's account, what that person wrote themself does not carry our mark.
      const isOurs = author === own && carriesMarker(body);
      const isKept = labels.some((label) => label.toLowerCase() === labelNames.hold);
      return isOurs && !isKept && (dated.exec(title)?.[1] ?? day) < day;
    })
    .map(({ number }) => number)
    .toSorted((a, b) => a - b)
    .slice(0, most);
}

/** Whether anything happened: what only waits as it did the day before is no news. */
function isSilent(facts: DigestFacts): boolean {
  const { merged, closedPullRequests, closedIssues, openedIssues, openPullRequests, blocked } = facts;
  const news = [merged, closedPullRequests, closedIssues, openedIssues].flat().length;
  return news === 0 && ![...openPullRequests, ...blocked].some(({ isNew }) => isNew);
}

function compose(facts: DigestFacts, most: number): string {
  const list = (items: readonly string[]): string[] => {
    const rest = items.length - most;
    return rest > 0 ? [...items.slice(0, most), `- and ${rest} more`] : [...items];
  };
  const done = [
    ...facts.merged.map((item) => line(item, ' (merged)')),
    ...facts.closedPullRequests.map((item) => line(item, ' (closed without merging)')),
    ...facts.closedIssues.map((item) => line(item, ' (closed)')),
  ];
  const waiting = urgencies.flatMap((urgency) => {
    const pulls = facts.openPullRequests.filter((pull) => urgencyOf(pull) === urgency);
    return pulls.length === 0 ? [] : [`**${urgency}**`, '', ...list(pulls.map((pull) => line(pull))), ''];
  });
  const upcoming = facts.openedIssues.map((item) => line(item));
  const isFree = facts.costUsd === 0 && facts.hasUnpriced !== true;
  const cost = isFree ? [] : [`Cost of the agents in this time: ${describeCost(facts)}.`, ''];
  return [
    `From ${facts.since.slice(0, 16).replace('T', ' ')} to ${facts.until.slice(0, 16).replace('T', ' ')} UTC.`,
    '',
    ...section('Completed', list(done)),
    ...section('Needs Review', waiting),
    ...section('Blocked', list(facts.blocked.map(blockedLine))),
    ...section('Upcoming', list(upcoming)),
    ...cost,
  ]
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trimEnd()
    .concat('\n');
}

/** Null when nothing happened and nothing waits that did not wait before. */
export function composeDigest(facts: DigestFacts): string | null {
  if (isSilent(facts)) return null;
  const texts = mostItems.map((most) => compose(facts, most));
  return texts.find((text) => text.length <= longestDigest) ?? texts.at(-1) ?? null;
}
