/**
 * The local forge: issues and what is said about them in SQLite, code in the repository's own git, acting for one actor,
 * with GitHub's rules where they matter (who may do what, limits on texts, numbers that are never used twice).
 */
import { noMergeRules } from '../../domain/forge/forge-rules.ts';
import type { Permission } from '../../domain/forge/permission.ts';
import { GatewrightError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Happening } from '../../ports/event-feed.ts';
import type { Forge } from '../../ports/forge/forge.ts';
import type { Transport } from '../../ports/transport.ts';
import type { Environment } from '../git/git-environment.ts';
import type { SqliteDatabase } from '../sqlite/database.ts';
import { ForgeRecords, type ForgeUse } from './forge-records.ts';
import { LocalBranches } from './local-branches.ts';
import { LocalChecks, type RecordedCheck, type RecordedRun } from './local-checks.ts';
import { LocalComments } from './local-comments.ts';
import { LocalEventFeed } from './local-event-feed.ts';
import { LocalIssues } from './local-issues.ts';
import { LocalLabels } from './local-labels.ts';
import { LocalMerges } from './local-merges.ts';
import { LocalPullRequests } from './local-pull-requests.ts';
import { LocalRepositories } from './local-repositories.ts';
import { LocalReviews } from './local-reviews.ts';
import { LocalTransport } from './local-transport.ts';
import { PullRows } from './pull-rows.ts';

export class LocalForge implements Forge {
  readonly kind = 'local';
  readonly transport: Transport;
  readonly eventFeed: LocalEventFeed;
  readonly #records: ForgeRecords;
  readonly #repositories: LocalRepositories;
  readonly #labels: LocalLabels;
  readonly #issues: LocalIssues;
  readonly #comments: LocalComments;
  readonly #rows: PullRows;
  readonly #pulls: LocalPullRequests;
  readonly #branches: LocalBranches;
  readonly #reviews: LocalReviews;
  readonly #merges: LocalMerges;
  readonly #checks: LocalChecks;

  /** The environment is what git is run with. */
  constructor(
    database: SqliteDatabase,
    clock: Pick<Clock, 'now'>,
    actor: string,
    environment: Environment,
    use: ForgeUse = {},
  ) {
    this.#records = new ForgeRecords(database, clock, actor, use);
    this.#repositories = new LocalRepositories(this.#records, environment);
    this.#labels = new LocalLabels(this.#records);
    this.#issues = new LocalIssues(this.#records, this.#labels);
    this.#comments = new LocalComments(this.#records, this.#issues);
    const rows = new PullRows(this.#records, this.#repositories, this.#issues);
    this.#rows = rows;
    this.eventFeed = new LocalEventFeed(this.#records, rows);
    this.#pulls = new LocalPullRequests(this.#records, this.#repositories, this.#issues, rows);
    this.#branches = new LocalBranches(this.#records, this.#repositories, rows);
    this.transport = new LocalTransport(this.#records, this.#repositories, this.#branches);
    this.#reviews = new LocalReviews(this.#records, this.#repositories, this.#issues, rows);
    this.#merges = new LocalMerges(this.#records, this.#repositories, rows);
    this.#checks = new LocalChecks(this.#records, this.#repositories);
  }

  // Actions that GitHub offers on its settings pages or does on its own machines.

  /** The forge repository of a folder; see `LocalRepositories`. */
  async registerRepository(folder: string, wantedName: string): Promise<string> {
    return this.#repositories.register(folder, wantedName);
  }

  /** The next number that is given; never a lower one than would be given anyway. */
  async startNumbersAt(repository: string, number: number): Promise<void> {
    this.#repositories.startNumbersAt(repository, number);
  }

  async listPermissions(repository: string): Promise<{ actor: string; permission: Permission }[]> {
    return this.#repositories.listPermissions(repository);
  }

  async setPermission(repository: string, actor: string, permission: Permission): Promise<void> {
    this.#repositories.setPermission(repository, actor, permission);
  }

  recordCheckRun(repository: string, sha: string, check: RecordedCheck): Promise<void> {
    return this.#checks.recordCheckRun(repository, sha, check);
  }

  recordWorkflowRun(repository: string, run: RecordedRun): Promise<number> {
    return this.#checks.recordWorkflowRun(repository, run);
  }

  /**
   * Compares the branches of open pull requests with their last known heads. A branch that moved becomes one event,
   * however many processes look.
   */
  async noticeHeads(repository: string): Promise<void> {
    await this.#rows.followAll(repository);
  }

  /** The recorded events; see `EventFeed`. */
  async listEvents(repository: string, after: number, limit: number): Promise<readonly Happening[]> {
    return this.eventFeed.list(repository, after, limit);
  }

  // The port, each call where it belongs.

  readonly whoAmI: Forge['whoAmI'] = async () => this.#records.requireLogin();

  readonly identify: Forge['identify'] = async (repository) =>
    this.#records.look(() => {
      this.#records.requireRepository(repository);
      return { id: repository, name: repository };
    });

  readonly permissionOf: Forge['permissionOf'] = async (repository, actor) =>
    this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records.permissionOf(repository, actor);
    });

  readonly listLabels: Forge['listLabels'] = async (...call) => this.#labels.list(...call);
  readonly ensureLabel: Forge['ensureLabel'] = async (...call) => this.#labels.ensure(...call);

  readonly createIssue: Forge['createIssue'] = async (...call) => this.#issues.create(...call);
  readonly getIssue: Forge['getIssue'] = async (...call) => this.#issues.get(...call);
  readonly getIssueText: Forge['getIssueText'] = async (...call) => this.#issues.getText(...call);
  readonly listIssues: Forge['listIssues'] = async (...call) => this.#issues.list(...call);
  readonly listLabelEvents: Forge['listLabelEvents'] = async (...call) =>
    this.#issues.listLabelEvents(...call);

  readonly editIssue: Forge['editIssue'] = async (repository, number, change) => {
    if (!this.#rows.has(repository, number)) return this.#issues.edit(repository, number, change);
    await this.#pulls.edit(repository, number, change);
    return this.#issues.get(repository, number);
  };

  readonly createComment: Forge['createComment'] = async (...call) => this.#comments.create(...call);
  readonly updateComment: Forge['updateComment'] = async (...call) => this.#comments.update(...call);
  readonly listComments: Forge['listComments'] = async (...call) => this.#comments.list(...call);
  readonly addReaction: Forge['addReaction'] = async (...call) => this.#comments.addReaction(...call);
  readonly listReactions: Forge['listReactions'] = async (...call) => this.#comments.listReactions(...call);

  readonly defaultBranch: Forge['defaultBranch'] = async (repository) =>
    this.#repositories.findDefaultBranch(repository);
  readonly listBranches: Forge['listBranches'] = (...call) => this.#branches.list(...call);
  readonly getBranch: Forge['getBranch'] = (...call) => this.#branches.get(...call);
  readonly createBranch: Forge['createBranch'] = (...call) => this.#branches.create(...call);
  readonly deleteBranch: Forge['deleteBranch'] = (...call) => this.#branches.delete(...call);
  readonly listCommits: Forge['listCommits'] = (...call) => this.#branches.listCommits(...call);

  readonly createPullRequest: Forge['createPullRequest'] = (...call) => this.#pulls.create(...call);
  readonly getPullRequest: Forge['getPullRequest'] = (...call) => this.#pulls.get(...call);
  readonly listPullRequests: Forge['listPullRequests'] = (...call) => this.#pulls.list(...call);
  readonly editPullRequest: Forge['editPullRequest'] = (...call) => this.#pulls.edit(...call);
  readonly listFiles: Forge['listFiles'] = (...call) => this.#pulls.listFiles(...call);
  /** It asks for nothing but what its own permissions are. */
  readonly readMergeRules: Forge['readMergeRules'] = async (...call) => {
    await this.getPullRequest(...call);
    return noMergeRules;
  };
  readonly enqueuePullRequest: Forge['enqueuePullRequest'] = async () => {
    throw new GatewrightError('merge-refused', 'The local forge has no merge queue.');
  };
  readonly mergePullRequest: Forge['mergePullRequest'] = (...call) => this.#merges.merge(...call);
  readonly mergesTogether = true;
  readonly mergeTogether: Forge['mergeTogether'] = (...call) => this.#merges.mergeTogether(...call);
  readonly updateBranch: Forge['updateBranch'] = (...call) => this.#merges.updateBranch(...call);

  readonly createReview: Forge['createReview'] = (...call) => this.#reviews.create(...call);
  readonly listReviews: Forge['listReviews'] = (...call) => this.#reviews.list(...call);
  readonly listReviewComments: Forge['listReviewComments'] = (...call) => this.#reviews.listComments(...call);

  readonly listChecks: Forge['listChecks'] = async (...call) => this.#checks.list(...call);
  readonly setStatus: Forge['setStatus'] = (...call) => this.#checks.setStatus(...call);
  readonly listWorkflowRuns: Forge['listWorkflowRuns'] = async (...call) =>
    this.#checks.listWorkflowRuns(...call);
  readonly readFailedLogs: Forge['readFailedLogs'] = async (...call) => this.#checks.readFailedLogs(...call);

  readonly createCommitComment: Forge['createCommitComment'] = async (repository, sha, body) => {
    await this.#checks.requireCommit(repository, sha);
    return this.#comments.createOnCommit(repository, sha, body);
  };

  readonly listCommitComments: Forge['listCommitComments'] = async (repository, sha) => {
    await this.#checks.requireCommit(repository, sha);
    return this.#comments.listOnCommit(repository, sha);
  };
}
