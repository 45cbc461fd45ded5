/**
 * Whether rounds of correcting and reviewing come to an end. The fleet's fix cycle and the pipeline ask it after each
 * review, before they pay for another correction.
 */
import { convergenceWords } from './convergence-words.ts';
import { areOpposite } from './opposite-demands.ts';
import type { ReviewFinding } from './review-finding.ts';
import { matchFindings, sortFindings } from './similar-findings.ts';

/** What a correction did to one file, line by line, without the marks of a diff. */
export interface ChangedLines {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What one review said. Between two rounds lies one correction. */
export type Round =
  | {
      readonly kind: 'reviewed';
      /** Without those that people dismissed. */
      readonly findings: readonly ReviewFinding[];
      /** What the correction before this review changed, if it is known. */
      readonly change?: readonly ChangedLines[];
    }
  /** The review gave nothing that could be read; the same change was, or is, reviewed again. */
  | { readonly kind: 'unreadable'; readonly why: string };

type Reviewed = Extract<Round, { kind: 'reviewed' }>;

interface Contradiction {
  readonly earlier: ReviewFinding;
  readonly now: ReviewFinding;
}

export type Convergence =
  | { readonly kind: 'converging' }
  | { readonly kind: 'stagnant'; readonly findings: readonly ReviewFinding[] }
  | { readonly kind: 'contradictory'; readonly pairs: readonly Contradiction[] }
  | { readonly kind: 'reviewer-fault'; readonly why: string };

function listBlocking({ findings }: Reviewed): ReviewFinding[] {
  return sortFindings(findings.filter(({ severity }) => severity !== 'minor'));
}

/**
 * The findings that stayed, if the last correction brought nothing. That is so
 *
 * - when it settled none of the blocking findings that it was given, whatever came on top of them; or
 * - when more than half of the blocking findings are the old ones and there are no fewer than before: what was settled
 *   was paid for with as many new ones.
 *
 * Fewer findings than before are progress, and mostly new ones are another matter: for those there is the limit of
 * rounds. A finding that is minor now was settled.
 */
function findStagnation(before: Reviewed, now: Reviewed): ReviewFinding[] {
  const [given, left] = [listBlocking(before), listBlocking(now)];
  const stayed = matchFindings(given, left);
  const isNoneSettled = given.length > 0 && stayed.length === given.length;
  const isNoBetter = left.length >= given.length && stayed.length * 2 > left.length;
  return isNoneSettled || isNoBetter ? sortFindings(stayed.map((pair) => pair.now)) : [];
}

/** Lines that say something: brackets alone come back in every change. */
function meaningful(lines: readonly string[]): Set<string> {
  return new Set(lines.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}_]{3}/u.test(line)));
}

function linesOf(rounds: readonly Reviewed[], path: string, side: 'added' | 'removed'): Set<string> {
  const changes = rounds.flatMap(({ change = [] }) => change).filter((one) => one.path === path);
  return meaningful(changes.flatMap((one) => one[side]));
}

/** Whether later corrections took lines of a file out again that earlier ones had put in, and brought back what those had replaced. */
function isTakenBack(made: readonly Reviewed[], undone: readonly Reviewed[], path: string): boolean {
  const [put, taken] = [linesOf(made, path, 'added'), linesOf(made, path, 'removed')];
  const [out, back] = [linesOf(undone, path, 'removed'), linesOf(undone, path, 'added')];
  const meets = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((line) => b.has(line));
  return meets(put, out) && (taken.size === 0 || meets(taken, back));
}

function isAmong(finding: ReviewFinding, others: readonly ReviewFinding[]): boolean {
  return matchFindings(others, [finding]).length > 0;
}

/**
 * A finding that asks for the opposite of one that was blocking in an earlier round and is settled now. One that stood
 * beside it from the beginning did not come of settling it.
 */
function findReversals(earlier: readonly Reviewed[], now: Reviewed): Contradiction[] {
  const left = listBlocking(now);
  return earlier.flatMap((round) => {
    const given = listBlocking(round);
    const settled = given.filter((finding) => !isAmong(finding, left));
    const fresh = left.filter((finding) => !isAmong(finding, given));
    return fresh.flatMap((finding) =>
      settled.filter((one) => areOpposite(one, finding)).map((one) => ({ earlier: one, now: finding })),
    );
  });
}

/**
 * A finding that was settled, then made way for another one in the same file, and is back because settling that one took
 * the first correction back, as the changed lines show.
 */
function findReturns(earlier: readonly Reviewed[], now: Reviewed): Contradiction[] {
  const left = listBlocking(now);
  const all = [...earlier, now];
  return earlier.flatMap((first, from) =>
    listBlocking(first).flatMap((finding) => {
      const back = left.find((one) => isAmong(one, [finding]));
      if (back === undefined) return [];
      return earlier.flatMap((between, at) => {
        if (at <= from || isAmong(finding, listBlocking(between))) return [];
        if (!isTakenBack(all.slice(from + 1, at + 1), all.slice(at + 1), finding.path)) return [];
        const given = listBlocking(first);
        return listBlocking(between)
          .filter(({ path }) => path === finding.path)
          .filter((one) => !isAmong(one, given) && !isAmong(one, left))
          .map((one) => ({ earlier: one, now: back }));
      });
    }),
  );
}

function withoutRepeats(pairs: readonly Contradiction[]): Contradiction[] {
  const known = new Map(pairs.map((pair) => [`${pair.earlier.id} ${pair.now.id}`, pair]));
  return [...known.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

/**
 * What the rounds so far, oldest first, come to. `converging` says no more than that another round is worth its price:
 * after a single review, too, and after a single unreadable one, which is asked for again. A contradiction is told before
 * stagnation, because only a person can settle it.
 */
export function judgeConvergence(rounds: readonly Round[]): Convergence {
  const last = rounds.at(-1);
  if (last?.kind === 'unreadable') {
    const isAgain = rounds.at(-2)?.kind === 'unreadable';
    return isAgain ? { kind: 'reviewer-fault', why: last.why } : { kind: 'converging' };
  }
  const earlier = rounds.slice(0, -1).filter((round): round is Reviewed => round.kind === 'reviewed');
  const before = earlier.at(-1);
  if (last === undefined || before === undefined) return { kind: 'converging' };
  const pairs = withoutRepeats([...findReversals(earlier, last), ...findReturns(earlier, last)]);
  if (pairs.length > 0) return { kind: 'contradictory', pairs };
  const findings = findStagnation(before, last);
  return findings.length > 0 ? { kind: 'stagnant', findings } : { kind: 'converging' };
}

/** Words for people, as a clause without a full stop, and what a person can do. Of what models wrote it names identities only. */
export function describeConvergence(judged: Exclude<Convergence, { kind: 'converging' }>): {
  readonly what: string;
  readonly next: string;
} {
  const { [judged.kind]: what } = convergenceWords;
  switch (judged.kind) {
    case 'stagnant':
      return {
        what: `${what} (${judged.findings.map(({ id }) => id).join(', ')})`,
        next: 'say what to do differently, correct it yourself, or dismiss the findings that do not apply',
      };
    case 'contradictory':
      return {
        what: `${what} (${judged.pairs.map(({ earlier, now }) => `${now.id} against ${earlier.id}`).join(', ')})`,
        next: 'decide which of the two is meant and say so, or dismiss the finding that does not apply',
      };
    case 'reviewer-fault':
      return { what, next: 'have it reviewed again, name another model as reviewer, or review it yourself' };
  }
}
