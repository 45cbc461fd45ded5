/** Branch protection, rulesets, ways of merging and the merge queue of the small GitHub: shown, and enforced. */
import { isAtLeast, type Permission } from '../../src/domain/forge/permission.ts';
import { type Answer, type Call, listed, notFound, ok, Refusal, type Route } from './github-answer.ts';
import { readCommits, showCommit } from './github-code-shapes.ts';
import { branchTip } from './github-git.ts';
import { apiUrl, webUrl } from './github-repository-shape.ts';
import type { StoredPullRequest, StoredRepository } from './github-state.ts';

interface Ruleset {
  readonly id: number;
  readonly branch: string;
  /** Whether whoever asks may get round it, in GitHub's words. */
  readonly bypass: 'never' | 'always';
  readonly rules: readonly {
    readonly type: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  }[];
}

/** Of one branch, as an administrator sets it. */
interface Protection {
  readonly checks?: readonly { readonly context: string; readonly app_id: number | null }[];
  readonly approvals?: number;
  readonly codeOwners?: boolean;
  readonly conversations?: boolean;
  readonly linear?: boolean;
  readonly signatures?: boolean;
}

export interface StoredRules {
  readonly methods: { squash: boolean; merge: boolean; rebase: boolean };
  readonly rulesets: Ruleset[];
  readonly protection: Map<string, Protection>;
  /** Pull requests in the queue, first come first served. */
  readonly queue: { readonly number: number; readonly head: string; readonly by: string }[];
  /** Those that the queue took out again. */
  readonly removed: { readonly number: number; readonly reason: string; readonly at: string }[];
  /** Conversations that nobody has resolved, by pull request. */
  readonly openThreads: Map<number, number>;
}

export function makeRules(): StoredRules {
  return {
    methods: { squash: true, merge: true, rebase: true },
    rulesets: [],
    protection: new Map(),
    queue: [],
    removed: [],
    openThreads: new Map(),
  };
}

/** The rule about pull requests, with all that GitHub puts into it. */
export const pullRequestRule = (more: Readonly<Record<string, unknown>>) => ({
  type: 'pull_request',
  parameters: {
    required_approving_review_count: 0,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
    ...more,
  },
});

type Rule = Ruleset['rules'][number];

function rulesFor({ rules }: StoredRepository, branch: string): (Rule & { readonly ruleset: Ruleset })[] {
  return rules.rulesets
    .filter((one) => one.branch === branch)
    .flatMap((ruleset) => ruleset.rules.map((rule) => ({ ...rule, ruleset })));
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

interface Wanted {
  readonly checks: readonly { readonly context: string; readonly app: number | null }[];
  readonly approvals: number;
  readonly conversations: boolean;
  readonly linear: boolean;
  readonly methods: readonly string[];
  readonly unknown: readonly string[];
}

function wantedOn(repository: StoredRepository, branch: string): Wanted {
  const rules = rulesFor(repository, branch);
  const protection = repository.rules.protection.get(branch);
  const ofType = (type: string) =>
    rules.filter((rule) => rule.type === type).map((rule) => rule.parameters ?? {});
  const checks = ofType('required_status_checks').flatMap(
    (given) => given.required_status_checks as readonly { context: string; integration_id?: number }[],
  );
  const lists = ofType('pull_request').flatMap((given) =>
    given.allowed_merge_methods === undefined ? [] : [given.allowed_merge_methods as string[]],
  );
  const { methods } = repository.rules;
  return {
    checks: [
      ...(protection?.checks ?? []).map((one) => ({ context: one.context, app: one.app_id })),
      ...checks.map((one) => ({ context: one.context, app: one.integration_id ?? null })),
    ],
    approvals: Math.max(
      protection?.approvals ?? 0,
      ...ofType('pull_request').map((given) => numberOf(given.required_approving_review_count)),
    ),
    conversations:
      protection?.conversations === true ||
      ofType('pull_request').some((given) => given.required_review_thread_resolution === true),
    linear: protection?.linear === true || ofType('required_linear_history').length > 0,
    methods: ['squash', 'merge', 'rebase'].filter(
      (method) => methods[method as 'squash'] && lists.every((list) => list.includes(method)),
    ),
    unknown: rules.map(({ type }) => type).filter((type) => type === 'code_scanning'),
  };
}

/** As GitHub decides it: null where no review is required. */
function reviewDecision(repository: StoredRepository, issue: StoredPullRequest): string | null {
  const { approvals } = wantedOn(repository, issue.pull.base);
  if (approvals === 0) return null;
  const last = new Map(
    issue.pull.reviews
      .filter(({ author, state }) => state !== 'COMMENTED' && author !== issue.author)
      .filter(({ author }) => isAtLeast(repository.roles.get(author) ?? 'none', 'write'))
      .map((review) => [review.author, review.state]),
  );
  const states = [...last.values()];
  if (states.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  return states.filter((state) => state === 'APPROVED').length >= approvals ? 'APPROVED' : 'REVIEW_REQUIRED';
}

function isGreen(repository: StoredRepository, sha: string, context: string, app: number | null): boolean {
  const status = repository.statuses.findLast((one) => one.sha === sha && one.context === context);
  const run = repository.checkRuns.findLast((one) => one.sha === sha && one.name === context);
  if (run !== undefined && (app === null || run.app === app))
    return ['success', 'neutral', 'skipped'].includes(run.conclusion ?? '');
  return app === null && status?.state === 'success';
}

/** Why it may not be merged, in GitHub's words; null when nothing is in the way. */
export function violationOf(repository: StoredRepository, issue: StoredPullRequest): string | null {
  const { pull } = issue;
  const wanted = wantedOn(repository, pull.base);
  const decision = reviewDecision(repository, issue);
  if (decision === 'REVIEW_REQUIRED')
    return `At least ${wanted.approvals} approving review is required by reviewers with write access.`;
  if (decision === 'CHANGES_REQUESTED') return 'Changes were requested.';
  const missing = wanted.checks.find(({ context, app }) => !isGreen(repository, pull.headSha, context, app));
  if (missing !== undefined) return `Required status check "${missing.context}" is expected.`;
  if (wanted.conversations && (repository.rules.openThreads.get(issue.number) ?? 0) > 0)
    return 'A conversation must be resolved before this pull request can be merged.';
  if (wanted.unknown.length > 0)
    return 'Repository rule violations found\n\nCode scanning is waiting for results from CodeQL.';
  return null;
}

function hasQueue(repository: StoredRepository, branch: string): boolean {
  return rulesFor(repository, branch).some(({ type }) => type === 'merge_queue');
}

/** Whether whoever merges is held by the rules at all. */
function isBound(repository: StoredRepository, branch: string, role: Permission): boolean {
  const rules = rulesFor(repository, branch);
  if (rules.some(({ ruleset }) => ruleset.bypass === 'never')) return true;
  return rules.length > 0 ? false : !isAtLeast(role, 'admin');
}

/** Refuses a merge as GitHub does. */
export function requireRules(call: Call, issue: StoredPullRequest, method: string): void {
  const { repository } = call;
  const { base } = issue.pull;
  const wanted = wantedOn(repository, base);
  const names = { squash: 'Squash merges', merge: 'Merge commits', rebase: 'Rebase merges' } as const;
  if (!wanted.methods.includes(method))
    throw new Refusal(405, `${names[method as 'squash'] ?? 'These'} are not allowed on this repository.`);
  if (!isBound(repository, base, call.role)) return;
  if (hasQueue(repository, base)) throw new Refusal(405, 'Changes must be made through the merge queue');
  if (wanted.linear && method === 'merge')
    throw new Refusal(405, 'Repository rule violations found\n\nThis branch must not contain merge commits.');
  const violation = violationOf(repository, issue);
  if (violation !== null) throw new Refusal(405, violation);
}

function showBranch({ repository, path }: Call): Answer {
  const name = path[1] ?? '';
  const sha = branchTip(repository.git, name);
  if (sha === null) throw new Refusal(404, 'Branch not found');
  const [commit] = readCommits(repository.git, '-1', sha);
  if (commit === undefined) throw notFound();
  const protection = repository.rules.protection.get(name);
  const url = `${apiUrl(repository)}/branches/${name}`;
  const checks = protection?.checks ?? [];
  return ok({
    name,
    commit: showCommit(repository, commit),
    _links: { html: `${webUrl(repository)}/tree/${name}`, self: url },
    protected: protection !== undefined,
    protection: {
      enabled: protection !== undefined,
      required_status_checks: {
        enforcement_level: checks.length === 0 ? 'off' : 'non_admins',
        contexts: checks.map(({ context }) => context),
        checks,
      },
    },
    protection_url: `${url}/protection`,
  });
}

export const routeRules: Route = (call) => {
  const { repository, path } = call;
  const [first, second = '', third = ''] = path;
  if (first === 'branches' && path.length === 2) return showBranch(call);
  if (first === 'branches' && third === 'protection')
    throw isAtLeast(call.role, 'admin')
      ? new Refusal(404, 'Branch not protected')
      : new Refusal(403, 'Resource not accessible by personal access token');
  if (first === 'rules' && second === 'branches')
    return listed(
      rulesFor(repository, third).map(({ type, parameters, ruleset }) => ({
        type,
        ...(parameters === undefined ? {} : { parameters }),
        ruleset_source_type: 'Repository',
        ruleset_source: repository.name,
        ruleset_id: ruleset.id,
      })),
    );
  if (first === 'rulesets' && path.length === 2) {
    const found = repository.rules.rulesets.find(({ id }) => String(id) === second);
    if (found === undefined) throw notFound();
    return ok({
      id: found.id,
      name: `Rules ${found.id}`,
      target: 'branch',
      source_type: 'Repository',
      source: repository.name,
      enforcement: 'active',
      current_user_can_bypass: found.bypass,
      conditions: { ref_name: { include: [`refs/heads/${found.branch}`], exclude: [] } },
      rules: found.rules,
    });
  }
  return null;
};

/** What came of an attempt to queue it: null when it is in the queue now, else why not. */
export function enqueue(
  repository: StoredRepository,
  issue: StoredPullRequest,
  by: string,
  head: string,
): string | null {
  const { queue } = repository.rules;
  if (!hasQueue(repository, issue.pull.base)) return 'Merge queue is not enabled for this branch';
  if (issue.pull.headSha !== head) return 'Head oid is not up to date';
  if (queue.some(({ number }) => number === issue.number)) return 'Pull request is already in the queue';
  const violation = violationOf(repository, issue);
  if (violation === null) queue.push({ number: issue.number, head, by });
  return violation;
}

/** What GraphQL tells of a pull request and the rules of its base. */
export function showMergeState(repository: StoredRepository, issue: StoredPullRequest) {
  const { base } = issue.pull;
  const protection = repository.rules.protection.get(base);
  const threads = repository.rules.openThreads.get(issue.number) ?? 0;
  const position = repository.rules.queue.findIndex(({ number }) => number === issue.number);
  return {
    reviewDecision: reviewDecision(repository, issue),
    isMergeQueueEnabled: hasQueue(repository, base),
    isInMergeQueue: position !== -1,
    timelineItems: {
      nodes: repository.rules.removed
        .filter(({ number }) => number === issue.number)
        .slice(-1)
        .map(({ reason, at }) => ({ reason, createdAt: at })),
    },
    baseRef: {
      refUpdateRule:
        protection === undefined
          ? null
          : {
              requiredApprovingReviewCount: protection.approvals ?? null,
              requiresCodeOwnerReviews: protection.codeOwners === true,
              requiresConversationResolution: protection.conversations === true,
              requiresLinearHistory: protection.linear === true,
              requiresSignatures: protection.signatures === true,
            },
    },
    reviewThreads: { nodes: Array.from({ length: threads }, () => ({ isResolved: false })) },
  };
}
