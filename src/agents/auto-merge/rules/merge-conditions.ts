/**
 * Whether a pull request may be merged without a person, and if not, everything that stands in the way. One list serves
 * the agent that merges and the command that explains why nothing moves.
 */
import type { RiskLabel } from '../../../domain/changes/change-risk.ts';
import {
  type MergeRules,
  ruleRemedies,
  type UnmetRule,
  unmetForgeRules,
} from '../../../domain/forge/forge-rules.ts';
import { labelNames } from '../../../domain/forge/labels.ts';
import type { Sha256 } from '../../../domain/ledger/hash.ts';
import type { MergeGrant } from './merge-grant.ts';

/** The result of a review of one commit, read from the ledger. The text of comments counts for nothing. */
interface ReviewRecord {
  readonly commit: string;
  readonly isClean: boolean;
  /** Whether all of the change was looked at. */
  readonly isWhole: boolean;
  /** The hash of its entry, and who gave it. */
  readonly entry?: Sha256;
  readonly by?: string;
}

interface CheckRecord {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure' | 'neutral' | 'skipped' | 'cancelled' | 'unreadable';
  /** The app that reported it, where that is known. */
  readonly app?: number;
}

export interface MergeFacts {
  readonly number: number;
  readonly state: 'open' | 'closed' | 'merged';
  readonly isDraft: boolean;
  readonly head: string;
  readonly isFromFork: boolean;
  readonly mergeable: 'clean' | 'conflicting' | 'unknown';
  readonly labels: readonly string[];
  /** What the label for merging was granted for; null when the label is absent, or no known actor set it. */
  readonly grant: MergeGrant | null;
  /** What it changes that only a person's own hand merges, one sentence each. */
  readonly byHand: readonly string[];
  /** What of it asks a person by the rules about paths, sizes and tests, one sentence each. */
  readonly asking: readonly string[];
  /** The branch that it is to go onto. */
  readonly base: string;
  /** Other branches that it was to go onto when it was reviewed: against them it was another change. */
  readonly otherBases: readonly string[];
  /** Reviews of ours for this base, any order. */
  readonly reviews: readonly ReviewRecord[];
  readonly checks: readonly CheckRecord[];
  /** Checks that have to be there; one that has not reported yet is not green. */
  readonly requiredChecks: readonly string[];
  /** Whether a person asked for changes on this head and has not taken it back. */
  readonly changesRequestedBy: readonly string[];
  /** Approvals on the forge that trusted people gave and did not take back. */
  readonly approvals?: readonly { readonly by: string; readonly commit: string }[];
  /** What the forge itself requires; null where the forge was not asked, because the pull request is closed or merged. */
  readonly rules: MergeRules | null;
  /** Why its commits could not be fetched, for commands that only explain; null or missing when the commits are here. */
  readonly unfetched?: string | null;
  /**
   * Why the forge's merge queue removed exactly this head; null when it did not, or when the merge was granted again
   * since.
   */
  readonly queueRemoval?: string | null;
}

export interface UnmetCondition {
  readonly code:
    | 'not-open'
    | 'draft'
    | 'fork'
    | 'label-missing'
    | 'label-untrusted'
    | 'label-unplaced'
    | 'label-outdated'
    | 'label-other-base'
    | 'by-hand'
    | 'asks-person'
    | 'held'
    | 'conflict'
    | 'mergeable-unknown'
    | 'not-reviewed'
    | 'review-outdated'
    | 'review-other-base'
    | 'issues-found'
    | 'not-fully-reviewed'
    | 'changes-requested'
    | 'check-failed'
    | 'check-pending'
    | 'check-missing'
    | 'check-unreadable'
    | 'not-fetched'
    | 'queue-asks-person'
    | 'queue-removed'
    | UnmetRule['code'];
  readonly what: string;
  readonly who: string;
}

/** What a person does to meet the condition; empty where waiting is the only way. */
export const remedies: Readonly<Record<UnmetCondition['code'], string>> = {
  'not-open': '',
  draft: 'mark it as ready',
  fork: 'merge it by hand',
  'label-missing': 'set the label, or merge it by hand',
  'label-untrusted': 'remove the label and set it again',
  'label-unplaced': 'remove the label and set it again',
  'label-outdated': 'look at what was pushed, then remove the label and set it again',
  'label-other-base': 'look at what it changes on the new base, then remove the label and set it again',
  'by-hand': 'merge it by hand',
  'asks-person': 'look at it, then remove the label and set it again yourself; or merge it by hand',
  held: 'remove the label',
  conflict: 'merge its base into its branch, resolve the conflict and push',
  'mergeable-unknown': '',
  'not-reviewed': '',
  'review-outdated': '',
  'review-other-base': '',
  'issues-found': 'push a fix, or dismiss the findings in a comment',
  'not-fully-reviewed': 'merge it by hand',
  'changes-requested': 'review it again, or have that review dismissed',
  'check-failed': 'push a fix, or run the check again',
  'check-pending': '',
  'check-missing': 'let the build report it, or remove it from fleet.requiredChecks',
  'check-unreadable': 'merge it by hand, or use a GitHub App or a classic token, which can read them',
  'not-fetched': 'try again when git can reach the forge',
  'queue-asks-person': 'remove the label and set it again yourself, or put it into the merge queue by hand',
  'queue-removed': 'push a fix; or remove the label and set it again; or put it into the merge queue by hand',
  ...ruleRemedies,
};

const merging: RiskLabel = labelNames.autoMerge;
/** Any of these keeps it from being merged. */
export const holdingLabels: readonly string[] = [
  labelNames.hold,
  labelNames.blocked,
  labelNames.needsReview,
  labelNames.conflict,
  labelNames.doNotMerge,
];

const writer = 'a person with write permission';

/** One line of sentences, for the middle of another. */
function join(sentences: readonly string[]): string {
  return sentences.map((one) => one.replace(/\.$/u, '')).join('; ');
}

/**
 * What the label permits: merging that head onto that base, including the risks that the rules about paths leave to the
 * person who set it.
 */
function grantConditions({
  grant,
  base,
  byHand,
  asking,
  isFromFork,
  unfetched = null,
}: MergeFacts): UnmetCondition[] {
  // A pull request from a fork is never merged, so the setter of the label was not looked up.
  if (isFromFork) return [];
  if (unfetched !== null) {
    const what = `git could not fetch the commits, so it is not known at which commit "${merging}" was set and whether the change needs a person: ${unfetched}`;
    return [
      {
        code: 'not-fetched',
        what,
        who: 'a person who gives access to git, or no person: wait a while',
      },
    ];
  }
  if (grant === null || grant.by === 'nobody')
    return [
      { code: 'label-untrusted', what: `"${merging}" was set by an account without permission`, who: writer },
    ];
  if (grant.head === null || grant.base === null) {
    const what = `it is not known at which commit${grant.head === null ? '' : ' and for which base'} "${merging}" was set`;
    return [{ code: 'label-unplaced', what, who: writer }];
  }
  if (grant.base !== base) {
    const what = `"${merging}" was set for the base ${grant.base}, and holds for that base only: the base is ${base} now`;
    return [{ code: 'label-other-base', what, who: writer }];
  }
  if (!grant.isCovering) {
    const what = `"${merging}" was set at ${grant.head.slice(0, 12)}, and holds for that commit only: newer commits were pushed`;
    return [{ code: 'label-outdated', what, who: writer }];
  }
  if (byHand.length > 0) {
    const what = `it has to be merged by hand, no matter who set the label: ${join(byHand)}`;
    return [{ code: 'by-hand', what, who: writer }];
  }
  // A person who set it at this head has decided about this change.
  if (asking.length === 0 || grant.by === 'person') return [];
  return [{ code: 'asks-person', what: `no person has allowed the merge: ${join(asking)}`, who: writer }];
}

function labelConditions(facts: MergeFacts): UnmetCondition[] {
  const unmet: UnmetCondition[] = [];
  if (facts.labels.some((name) => name.toLowerCase() === merging)) unmet.push(...grantConditions(facts));
  else {
    const who = 'a person with write permission';
    unmet.push({ code: 'label-missing', what: `it does not carry the label "${merging}"`, who });
  }
  for (const name of facts.labels) {
    if (holdingLabels.includes(name.toLowerCase()))
      unmet.push({ code: 'held', what: `the label "${name}" blocks it`, who: writer });
  }
  return unmet;
}

function reviewConditions(facts: MergeFacts): UnmetCondition[] {
  const unmet: UnmetCondition[] = [];
  const ofHead = facts.reviews.filter((review) => review.commit === facts.head);
  if (facts.reviews.length === 0 && facts.otherBases.length > 0) {
    const what = `it was reviewed for the base ${facts.otherBases.join(', ')}, and is for ${facts.base} now`;
    unmet.push({ code: 'review-other-base', what, who: 'the reviewer' });
  } else if (facts.reviews.length === 0) {
    unmet.push({ code: 'not-reviewed', what: 'it has not been reviewed', who: 'the reviewer' });
  } else if (ofHead.length === 0) {
    const what = 'it was reviewed before its last commit';
    unmet.push({ code: 'review-outdated', what, who: 'the reviewer' });
  } else if (!ofHead.every((review) => review.isClean)) {
    unmet.push({ code: 'issues-found', what: 'its review found issues', who: 'the person who fixes them' });
  } else if (!ofHead.every((review) => review.isWhole)) {
    const who = 'a person with write permission';
    unmet.push({ code: 'not-fully-reviewed', what: 'its review could not cover all of it', who });
  }
  for (const person of facts.changesRequestedBy)
    unmet.push({ code: 'changes-requested', what: `${person} requested changes`, who: person });
  return unmet;
}

function checkConditions(facts: MergeFacts): UnmetCondition[] {
  const unmet: UnmetCondition[] = [];
  for (const { name, state } of facts.checks) {
    if (state === 'failure' || state === 'cancelled')
      unmet.push({
        code: 'check-failed',
        what: `the check "${name}" failed`,
        who: 'the person who fixes it',
      });
    else if (state === 'pending')
      unmet.push({
        code: 'check-pending',
        what: `the check "${name}" has not finished`,
        who: 'no person: it goes on by itself',
      });
    else if (state === 'unreadable' && facts.rules?.isCalledClean !== true) {
      const what = `the ${name} of its commit cannot be read, and GitHub does not call it clean`;
      unmet.push({ code: 'check-unreadable', what, who: 'a person with write permission' });
    }
  }
  for (const name of facts.requiredChecks) {
    if (!facts.checks.some((check) => check.name === name))
      unmet.push({ code: 'check-missing', what: `the check "${name}" has not reported`, who: 'the build' });
  }
  return unmet;
}

/** The forge's queue merges states that no command of ours has tested as a whole: only a person may allow that. */
function queueConditions({ grant, rules, queueRemoval = null }: MergeFacts): UnmetCondition[] {
  // Without a grant for this head there is nothing to hand over.
  if (rules?.queue == null || grant === null || !grant.isCovering) return [];
  if (grant.by === 'us' || grant.by === 'program') {
    const what = 'the forge merges through its merge queue, and only a person may add it there';
    return [{ code: 'queue-asks-person', what, who: writer }];
  }
  if (queueRemoval === null) return [];
  const what = `the merge queue of the forge removed it (${queueRemoval}), and it is not added again at the same commit`;
  return [{ code: 'queue-removed', what, who: writer }];
}

/** Empty when it may be merged. */
export function unmetMergeConditions(facts: MergeFacts): UnmetCondition[] {
  if (facts.state !== 'open') return [{ code: 'not-open', what: `it is ${facts.state}`, who: 'nobody' }];
  const unmet: UnmetCondition[] = [];
  if (facts.isDraft) unmet.push({ code: 'draft', what: 'it is a draft', who: 'its author' });
  if (facts.isFromFork) {
    const who = 'a person with write permission';
    unmet.push({ code: 'fork', what: 'it comes from a fork', who });
  }
  unmet.push(...labelConditions(facts), ...reviewConditions(facts), ...checkConditions(facts));
  if (facts.rules !== null) unmet.push(...unmetForgeRules(facts.rules, facts.checks));
  unmet.push(...queueConditions(facts));
  if (facts.mergeable === 'conflicting')
    unmet.push({
      code: 'conflict',
      what: 'it conflicts with its base',
      who: 'the person who updates the branch',
    });
  if (facts.mergeable === 'unknown') {
    const what = 'the forge has not computed yet whether it conflicts with its base';
    unmet.push({ code: 'mergeable-unknown', what, who: 'no person: it goes on by itself' });
  }
  return unmet;
}

/** The same, before a merge is tried: a forge computes late whether a change fits, and the attempt itself shows it. */
export function unmetBeforeTrying(facts: MergeFacts): UnmetCondition[] {
  return unmetMergeConditions(facts).filter(({ code }) => code !== 'mergeable-unknown');
}
