/**
 * What the forge itself asks for before something goes onto a branch: protection, rulesets, allowed ways of merging.
 * The forge enforces most of that; but it does not refuse a credential that may bypass a rule, so the rules are obeyed
 * here as well.
 */

export type MergeMethod = 'squash' | 'merge' | 'rebase';

export interface MergeRules {
  /** Ways of merging that are allowed, the preferred one first; empty when the rules leave none. */
  readonly methods: readonly MergeMethod[];
  /** Each by its name, and by the number of the app that has to report it if only that one counts. */
  readonly requiredChecks: readonly { readonly name: string; readonly app: number | null }[];
  /** Whether the branch has to hold its newest base. */
  readonly isStrict: boolean;
  /** How many approving reviews it takes. */
  readonly approvals: number;
  readonly needsCodeOwners: boolean;
  /** What the forge makes of the reviews that there are; `unknown` when it could not be asked. */
  readonly reviews: 'enough' | 'missing' | 'changes-requested' | 'unknown';
  /** Conversations that have to be resolved first and are not. */
  readonly openConversations: number;
  /** Kinds of rules that we cannot read: only an attempt to merge shows whether they allow it. */
  readonly unknownRules: readonly string[];
  /** Whether the forge itself says that nothing has failed or is still running: it sees more than we may. */
  readonly isCalledClean: boolean;
  /** Whether the forge says that some rule stands in the way. */
  readonly isBlocked: boolean;
  /** Whether our credential can bypass the rules, or may be able to. */
  readonly canBypass: boolean;
  /** The forge's own merge queue, where one has to be used; null where there is none. */
  readonly queue: {
    readonly isQueued: boolean;
    /** Why it was last taken out of it, in the forge's word; null when it never was. */
    readonly removedFor: string | null;
    readonly removedAt: string | null;
  } | null;
  /** What could not be read for want of permission. */
  readonly unread: readonly string[];
}

/** Where the forge asks for nothing. */
export const noMergeRules: MergeRules = {
  methods: ['squash'],
  requiredChecks: [],
  isStrict: false,
  approvals: 0,
  needsCodeOwners: false,
  reviews: 'enough',
  openConversations: 0,
  unknownRules: [],
  isCalledClean: true,
  isBlocked: false,
  canBypass: false,
  queue: null,
  unread: [],
};

interface ReportedCheck {
  readonly name: string;
  /** The app that reported it; null for a status, and where it is not known. */
  readonly app?: number | null;
}

export interface UnmetRule {
  readonly code:
    | 'rule-approvals'
    | 'rule-reviews'
    | 'rule-conversations'
    | 'rule-check-missing'
    | 'rule-methods'
    | 'rule-not-seen';
  readonly what: string;
  readonly who: string;
}

export const ruleRemedies: Readonly<Record<UnmetRule['code'], string>> = {
  'rule-approvals': 'approve it on the forge, or change the rule of the branch',
  'rule-reviews': 'review it again, or have that review dismissed',
  'rule-conversations': 'resolve the conversations',
  'rule-check-missing': 'let the build report it, or change the rule of the branch',
  'rule-methods': 'allow squash merges, or another way that the rules of the branch allow',
  'rule-not-seen': 'merge it by hand, or use a credential that cannot bypass the rules',
};

const administrator = 'an administrator of the repository';

function countOf(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

function reviewRules(rules: MergeRules): UnmetRule[] {
  if (rules.reviews === 'changes-requested')
    return [
      {
        code: 'rule-reviews',
        what: 'GitHub counts a review that requests changes',
        who: 'the person who requested changes',
      },
    ];
  if (rules.reviews !== 'missing') return [];
  const reviews = countOf(Math.max(1, rules.approvals), 'approving review');
  const what = `GitHub requires ${reviews}${rules.needsCodeOwners ? ', of code owners too' : ''}`;
  const who = rules.needsCodeOwners
    ? 'code owners with write permission'
    : 'a person with write permission, not its author';
  return [{ code: 'rule-approvals', what, who }];
}

function isReported(
  { name, app }: MergeRules['requiredChecks'][number],
  checks: readonly ReportedCheck[],
  canBypass: boolean,
): boolean {
  return checks.some((check) => {
    if (check.name !== name) return false;
    if (app === null || check.app === app) return true;
    // The forge does not report which App set a status. GitHub itself knows it and refuses the merge of an account that
    // cannot bypass the rule, so the status counts for such an account only.
    return check.app == null && !canBypass;
  });
}

/** Everything of the forge's rules that stands in the way. What cannot be seen is left to the forge if it binds us. */
export function unmetForgeRules(rules: MergeRules, checks: readonly ReportedCheck[]): UnmetRule[] {
  const unmet = reviewRules(rules);
  for (const required of rules.requiredChecks) {
    if (isReported(required, checks, rules.canBypass)) continue;
    const app = required.app === null ? '' : ` of the app ${required.app}`;
    const what = `GitHub requires the check "${required.name}"${app}, which has not reported`;
    unmet.push({ code: 'rule-check-missing', what, who: 'the build' });
  }
  if (rules.openConversations > 0) {
    const are = countOf(rules.openConversations, 'conversation is', 'conversations are');
    const what = `GitHub requires conversations to be resolved, and ${are} open`;
    unmet.push({ code: 'rule-conversations', what, who: 'the people who take part in them' });
  }
  if (rules.methods.length === 0) {
    const what = 'the repository and its rules allow no common merge method';
    unmet.push({ code: 'rule-methods', what, who: administrator });
  }
  const unseen = [...rules.unknownRules, ...rules.unread];
  if (rules.canBypass && unseen.length > 0) {
    const what = `our credential could bypass rules that we cannot read (${unseen.join(', ')})`;
    unmet.push({ code: 'rule-not-seen', what, who: administrator });
  } else if (rules.canBypass && rules.isBlocked && rules.queue === null && unmet.length === 0) {
    const what = 'GitHub says that a rule blocks it, and our credential could bypass that rule';
    unmet.push({ code: 'rule-not-seen', what, who: administrator });
  }
  return unmet;
}
