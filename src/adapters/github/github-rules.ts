/**
 * What GitHub asks for before a pull request goes onto its base: rulesets, branch protection, the reviews that it counts,
 * the ways of merging that are allowed. All of it can be read without being an administrator; what cannot is named.
 */
import type { z } from 'zod';
import type { MergeMethod, MergeRules } from '../../domain/forge/forge-rules.ts';
import type { CodeForge } from '../../ports/forge/forge.ts';
import { hasStatus } from './client/explain-github-error.ts';
import { type GithubCalls, type Place, placeOf, repositoryRoute } from './client/github-calls.ts';
import { pullOf, readPull } from './github-pulls.ts';
import type { repositoryPayload } from './payloads/people-payloads.ts';
import {
  branchRulePayload,
  mergeStatePayload,
  mergeStateQuery,
  protectedBranchPayload,
  pullRequestRule,
  rulesetPayload,
  statusChecksRule,
} from './payloads/rule-payloads.ts';

type BranchRule = z.infer<typeof branchRulePayload>;
type PullState = NonNullable<NonNullable<z.infer<typeof mergeStatePayload>['repository']>['pullRequest']>;

/** In the order in which we like them. */
const allMethods: readonly MergeMethod[] = ['squash', 'merge', 'rebase'];

/** Rules that do not restrict GitHub's own merge of a pull request. */
const harmlessRules: readonly string[] = [
  ...['creation', 'deletion', 'non_fast_forward', 'branch_name_pattern', 'tag_name_pattern'],
  // What they ask for is read elsewhere, or limits the ways of merging.
  ...['pull_request', 'required_status_checks', 'merge_queue', 'required_linear_history'],
  'required_signatures',
];

/** All checks and statuses are green then, also those that we may not read. */
const cleanStates: readonly string[] = ['clean', 'has_hooks'];

const reviewStates: Readonly<Record<string, MergeRules['reviews']>> = {
  APPROVED: 'enough',
  REVIEW_REQUIRED: 'missing',
  CHANGES_REQUESTED: 'changes-requested',
};

function methodsOf(
  repository: z.infer<typeof repositoryPayload>,
  rules: readonly BranchRule[],
  state: PullState | null,
): MergeMethod[] {
  const isOff: Readonly<Record<MergeMethod, boolean>> = {
    squash: repository.allow_squash_merge === false,
    merge: repository.allow_merge_commit === false,
    rebase: repository.allow_rebase_merge === false,
  };
  const has = (type: string) => rules.some((rule) => rule.type === type);
  const protection = state?.baseRef?.refUpdateRule;
  const isLinear = has('required_linear_history') || protection?.requiresLinearHistory === true;
  const isSigned = has('required_signatures') || protection?.requiresSignatures === true;
  const lists = rules.flatMap((rule) => {
    if (rule.type !== 'pull_request') return [];
    const { allowed_merge_methods: allowed } = pullRequestRule.parse(rule.parameters ?? {});
    return allowed === undefined ? [] : [allowed];
  });
  return allMethods.filter(
    (method) =>
      !isOff[method] &&
      !(isLinear && method === 'merge') &&
      // GitHub cannot sign commits that it rebases.
      !(isSigned && method === 'rebase') &&
      lists.every((allowed) => allowed.includes(method)),
  );
}

export class GithubRules implements Pick<CodeForge, 'readMergeRules'> {
  readonly #calls: GithubCalls;

  constructor(calls: GithubCalls) {
    this.#calls = calls;
  }

  async readMergeRules(repository: string, number: number): Promise<MergeRules> {
    const parameters = pullOf(repository, number);
    const place = placeOf(repository);
    return this.#calls.explained(`rules for ${repository}#${number}`, async () => {
      const unread: string[] = [];
      const pull = await readPull(this.#calls, parameters);
      const branch = pull.base.ref;
      const home = await this.#calls.readRepository(place);
      const rules = await this.#orUnread(unread, 'rulesets', [], () => this.#readRules(place, branch));
      const checks = await this.#orUnread(unread, 'required checks', [], () =>
        this.#readChecks(place, branch),
      );
      const state = await this.#orUnread(unread, 'reviews', null, () => this.#readState(place, number));
      const wanted = rules
        .filter(({ type }) => type === 'pull_request')
        .map(({ parameters: given }) => pullRequestRule.parse(given ?? {}));
      const ofRules = rules
        .filter(({ type }) => type === 'required_status_checks')
        .map(({ parameters: given }) => statusChecksRule.parse(given ?? {}));
      const protection = state?.baseRef?.refUpdateRule;
      const isTalkedOut =
        protection?.requiresConversationResolution === true ||
        wanted.some((rule) => rule.required_review_thread_resolution);
      const open = state?.reviewThreads.nodes.filter((thread) => thread?.isResolved === false).length ?? 0;
      const decision = state?.reviewDecision;
      const requiredChecks = [
        ...checks,
        ...ofRules.flatMap((rule) =>
          rule.required_status_checks.map((one) => ({ name: one.context, app: one.integration_id ?? null })),
        ),
      ];
      const unknownRules = [...new Set(rules.map(({ type }) => type))].filter(
        (type) => !harmlessRules.includes(type),
      );
      const isBlocked = pull.mergeable_state === 'blocked';
      const isBypassOfInterest =
        isBlocked || [unknownRules, unread, requiredChecks].some((list) => list.length > 0);
      return {
        methods: methodsOf(home, rules, state),
        requiredChecks,
        isStrict:
          ofRules.some((rule) => rule.strict_required_status_checks_policy) ||
          pull.mergeable_state === 'behind',
        approvals: Math.max(
          protection?.requiredApprovingReviewCount ?? 0,
          ...wanted.map((rule) => rule.required_approving_review_count),
        ),
        needsCodeOwners:
          protection?.requiresCodeOwnerReviews === true ||
          wanted.some((rule) => rule.require_code_owner_review),
        reviews:
          state === null ? 'unknown' : decision == null ? 'enough' : (reviewStates[decision] ?? 'missing'),
        openConversations: isTalkedOut ? open : 0,
        unknownRules,
        isCalledClean: cleanStates.includes(pull.mergeable_state ?? ''),
        isBlocked,
        canBypass: isBypassOfInterest && (await this.#canBypass(place, home, rules)),
        queue:
          state?.isMergeQueueEnabled === true || rules.some(({ type }) => type === 'merge_queue')
            ? {
                isQueued: state?.isInMergeQueue === true,
                removedFor: state?.timelineItems?.nodes.at(-1)?.reason ?? null,
                removedAt: state?.timelineItems?.nodes.at(-1)?.createdAt ?? null,
              }
            : null,
        unread,
      };
    });
  }

  /** What we may not read is named, and not taken for "nothing is asked for". */
  async #orUnread<T>(unread: string[], what: string, otherwise: T, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!hasStatus(error, 403, 404, 422)) throw error;
      unread.push(what);
      return otherwise;
    }
  }

  #readRules(place: Place, branch: string): Promise<BranchRule[]> {
    const route = `GET ${repositoryRoute}/rules/branches/{branch}` as const;
    return this.#calls.client.list(route, { ...place, branch }, branchRulePayload);
  }

  /** Of the protection of the branch. */
  async #readChecks(place: Place, branch: string): Promise<MergeRules['requiredChecks']> {
    const route = `GET ${repositoryRoute}/branches/{branch}` as const;
    const { protection } = await this.#calls.client.get(route, { ...place, branch }, protectedBranchPayload);
    const required = protection?.required_status_checks;
    if (required === undefined || required.enforcement_level === 'off') return [];
    const named = required.checks ?? required.contexts.map((context) => ({ context, app_id: null }));
    // -1 stands for any app.
    return named.map(({ context, app_id: app }) => ({
      name: context,
      app: app == null || app < 0 ? null : app,
    }));
  }

  async #readState({ owner, repo }: Place, number: number): Promise<PullState | null> {
    const variables = { owner, name: repo, number };
    const { repository } = await this.#calls.client.query(mergeStateQuery, variables, mergeStatePayload);
    return repository?.pullRequest ?? null;
  }

  /** An administrator passes by protection unless it says otherwise; of rulesets GitHub tells. */
  async #canBypass(
    place: Place,
    home: z.infer<typeof repositoryPayload>,
    rules: readonly BranchRule[],
  ): Promise<boolean> {
    if (home.permissions?.admin === true) return true;
    const ids = new Set(rules.flatMap(({ ruleset_id: id }) => (id === undefined ? [] : [id])));
    for (const id of ids) {
      const route = `GET ${repositoryRoute}/rulesets/{ruleset_id}` as const;
      const unread: string[] = [];
      const ruleset = await this.#orUnread(unread, 'ruleset', null, () =>
        this.#calls.client.get(route, { ...place, ruleset_id: id }, rulesetPayload),
      );
      if (ruleset?.current_user_can_bypass !== 'never') return true;
    }
    return false;
  }
}
