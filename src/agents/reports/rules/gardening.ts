/** What the gardener does with the issues of a repository: marks the quiet, closes the abandoned, labels the unlabelled. */
import { labelNames } from '../../../domain/forge/labels.ts';

export interface GardenIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly createdAt: string;
  /** When a person or another program last commented on it or changed it; the gardener's own changes do not count. */
  readonly activeAt: string;
  /** When the gardener marked it; null when it did not: the same label from another actor is no warning. */
  readonly markedAt: string | null;
}

export type GardenAction =
  | { readonly do: 'mark-stale'; readonly issue: number; readonly days: number }
  | { readonly do: 'unmark'; readonly issue: number }
  | { readonly do: 'close'; readonly issue: number; readonly days: number }
  | { readonly do: 'label'; readonly issue: number; readonly label: ContentLabel };

const staleAfterDays = 30;
const closeAfterDays = 60;
/** Between the warning and closing, however long it had been quiet before. */
const noticeDays = 14;
const labelAfterHours = 24;
/** So that a first run on an old repository does not close hundreds at once. */
export const mostActions = 50;

const day = 86_400_000;

const skippedLabels: readonly string[] = [
  labelNames.dailyDigest,
  labelNames.healthReport,
  labelNames.gardenerReport,
  labelNames.agentStopped,
  labelNames.templateSync,
  labelNames.working,
  labelNames.planning,
  labelNames.blocked,
  labelNames.hold,
  labelNames.pinned,
  labelNames.security,
];

/** Reports of ours, also when they lost their label. */
const reportTitles = /^(?:daily digest|agent health report|gardener report)\s*(?:[-–—].*)?$/iu;

export function isReportTitle(title: string): boolean {
  return reportTitles.test(title.trim());
}

export function isLeftAlone(issue: Pick<GardenIssue, 'labels' | 'title'>): boolean {
  return (
    issue.labels.some((label) => skippedLabels.includes(label.toLowerCase()) || /^ai(:|$)/iu.test(label)) ||
    isReportTitle(issue.title)
  );
}

const contentLabels = [
  labelNames.bug,
  labelNames.feature,
  labelNames.documentation,
  labelNames.question,
] as const;
export type ContentLabel = (typeof contentLabels)[number];

const contentWords: Readonly<Record<ContentLabel, RegExp>> = {
  bug: /\b(bugs?|crash\w*|errors?|exceptions?|fails?|failed|failing|failure|broken|regress\w*|wrong|incorrect|stack ?trace|does(?: not|n't) work|not working|freez\w*|hang(?:s|ing)?)\b/giu,
  feature:
    /\b(features?|add(?:s|ing)?|support(?:s|ing)?|implement\w*|allow\w*|enhance\w*|would be (?:nice|great)|could we|new option|propos\w*)\b/giu,
  documentation:
    /\b(docs?|documentation|documented|readme|typos?|tutorials?|examples? in the|guides?|changelog)\b/giu,
  question:
    /\b(how (?:do|can|to|does)|what is|why (?:does|is)|is it possible|questions?|wonder\w*|confus\w*)\b|\?\s*$/giu,
};

/** By the words of the title, which count three times, and of the text's beginning. Null when nothing speaks for any. */
export function guessContentLabel(title: string, body: string): ContentLabel | null {
  const opening = body.slice(0, 2_000);
  const scores = contentLabels.map((label) => ({
    label,
    score:
      3 * (title.match(contentWords[label])?.length ?? 0) + (opening.match(contentWords[label])?.length ?? 0),
  }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score === 0 ? null : best.label;
}

function daysSince(moment: string, now: Date): number {
  return Math.floor((now.getTime() - new Date(moment).getTime()) / day);
}

/** The day on which a quiet issue that is marked now may be closed. */
export function closingDay(activeAt: string, markedAt: string): string {
  const earliest = Math.max(
    new Date(activeAt).getTime() + closeAfterDays * day,
    new Date(markedAt).getTime() + noticeDays * day,
  );
  return new Date(earliest).toISOString().slice(0, 10);
}

function tend(issue: GardenIssue, now: Date): GardenAction[] {
  if (isLeftAlone(issue)) return [];
  const { number, markedAt } = issue;
  const actions: GardenAction[] = [];
  const quiet = daysSince(issue.activeAt, now);
  const isMarked =
    markedAt !== null && issue.labels.some((label) => label.toLowerCase() === labelNames.stale);
  const isWarned = isMarked && new Date(markedAt) > new Date(issue.activeAt);
  if (isMarked && quiet < staleAfterDays) actions.push({ do: 'unmark', issue: number });
  // An issue is closed only after a warning, however old the issue is.
  else if (isWarned && quiet >= closeAfterDays && daysSince(markedAt, now) >= noticeDays)
    return [{ do: 'close', issue: number, days: quiet }];
  else if (!isWarned && quiet >= staleAfterDays)
    actions.push({ do: 'mark-stale', issue: number, days: quiet });
  const age = now.getTime() - new Date(issue.createdAt).getTime();
  const own = issue.labels.filter((label) => label.toLowerCase() !== labelNames.stale);
  if (own.length === 0 && age >= labelAfterHours * 3_600_000) {
    const label = guessContentLabel(issue.title, issue.body);
    if (label !== null) actions.push({ do: 'label', issue: number, label });
  }
  return actions;
}

/** What to do now, the oldest first; the rest waits for the next time. */
export function planGardening(
  issues: readonly GardenIssue[],
  now: Date,
): { readonly actions: GardenAction[]; readonly left: number } {
  const oldestFirst = [...issues].sort((a, b) => a.activeAt.localeCompare(b.activeAt) || a.number - b.number);
  const all = oldestFirst.flatMap((issue) => tend(issue, now));
  return { actions: all.slice(0, mostActions), left: Math.max(0, all.length - mostActions) };
}
