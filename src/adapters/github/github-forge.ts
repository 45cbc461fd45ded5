/** The forge on GitHub or GitHub Enterprise, acting for the owner of the credential. Put together from its parts. */
import type { ActionsSettings } from '../../ports/forge/actions-settings.ts';
import type { Forge } from '../../ports/forge/forge.ts';
import type { WorkflowStarter } from '../../ports/forge/workflow-starter.ts';
import type { Transport } from '../../ports/transport.ts';
import type { BareGit } from '../git/bare-git.ts';
import { GithubCalls, placeOf } from './client/github-calls.ts';
import { GithubClient, type GithubClientOptions } from './client/github-client.ts';
import { GithubBranches } from './github-branches.ts';
import { GithubChecks } from './github-checks.ts';
import { GithubGit, type GitService } from './github-git.ts';
import { GithubIssues } from './github-issues.ts';
import { GithubMerges } from './github-merges.ts';
import { type GithubAccess, GithubPeople } from './github-people.ts';
import { GithubPulls } from './github-pulls.ts';
import { GithubQueue } from './github-queue.ts';
import { GithubReviews } from './github-reviews.ts';
import { GithubRules } from './github-rules.ts';
import { GithubRuns } from './github-runs.ts';
import { GithubSettings } from './github-settings.ts';
import { GithubTalk } from './github-talk.ts';
import { GithubTransport } from './github-transport.ts';
import { GithubWorkflows } from './github-workflows.ts';

interface GithubGitOf {
  talk(service: GitService, run: Parameters<GithubGit['ask']>[2]): ReturnType<GithubGit['ask']>;
}

export interface GithubForge extends Forge {
  readonly kind: 'github';
  /** What the credential is and was granted, for telling a person what is missing. */
  describeAccess(): Promise<GithubAccess>;
  /** What is missing of what we need, by permission; null when that cannot be told. */
  findMissing(repository: string): ReturnType<GithubPeople['findMissing']>;
  readonly workflows: WorkflowStarter;
  readActionsSettings(repository: string): Promise<ActionsSettings>;
  /** For one repository on this machine; `scratch` is a folder for what is needed during a command. */
  openTransport(git: BareGit, scratch: string): Transport;
  /** Git with a repository there, past its branches. */
  openGit(repository: string): GithubGitOf;
}

export function makeGithubForge(options: GithubClientOptions): GithubForge {
  const calls = new GithubCalls(new GithubClient(options));
  const people = new GithubPeople(calls);
  const issues = new GithubIssues(calls);
  const talk = new GithubTalk(calls);
  const branches = new GithubBranches(calls);
  const pulls = new GithubPulls(calls);
  const reviews = new GithubReviews(calls);
  const merges = new GithubMerges(calls, branches);
  const rules = new GithubRules(calls);
  const queue = new GithubQueue(calls, rules);
  const checks = new GithubChecks(calls);
  const runs = new GithubRuns(calls);
  const settings = new GithubSettings(calls);
  return {
    kind: 'github',
    workflows: new GithubWorkflows(calls),
    describeAccess: () => people.describeAccess(),
    findMissing: (repository) => people.findMissing(repository),
    readActionsSettings: (repository) => settings.readActionsSettings(repository),
    openTransport: (git, scratch) => new GithubTransport({ calls, git, scratch }),
    openGit: (repository) => {
      const server = new GithubGit(calls);
      const place = placeOf(repository);
      return { talk: (service, run) => server.ask(place, service, run) };
    },
    whoAmI: () => people.whoAmI(),
    identify: (...given) => people.identify(...given),
    permissionOf: (...given) => people.permissionOf(...given),
    listLabels: (...given) => issues.listLabels(...given),
    ensureLabel: (...given) => issues.ensureLabel(...given),
    createIssue: (...given) => issues.createIssue(...given),
    getIssue: (...given) => issues.getIssue(...given),
    getIssueText: (...given) => issues.getIssueText(...given),
    listIssues: (...given) => issues.listIssues(...given),
    editIssue: (...given) => issues.editIssue(...given),
    listLabelEvents: (...given) => issues.listLabelEvents(...given),
    createComment: (...given) => talk.createComment(...given),
    updateComment: (...given) => talk.updateComment(...given),
    listComments: (...given) => talk.listComments(...given),
    addReaction: (...given) => talk.addReaction(...given),
    listReactions: (...given) => talk.listReactions(...given),
    createCommitComment: (...given) => talk.createCommitComment(...given),
    listCommitComments: (...given) => talk.listCommitComments(...given),
    defaultBranch: (...given) => branches.defaultBranch(...given),
    listBranches: (...given) => branches.listBranches(...given),
    getBranch: (...given) => branches.getBranch(...given),
    createBranch: (...given) => branches.createBranch(...given),
    deleteBranch: (...given) => branches.deleteBranch(...given),
    listCommits: (...given) => branches.listCommits(...given),
    createPullRequest: (...given) => pulls.createPullRequest(...given),
    getPullRequest: (...given) => pulls.getPullRequest(...given),
    listPullRequests: (...given) => pulls.listPullRequests(...given),
    editPullRequest: (...given) => pulls.editPullRequest(...given),
    listFiles: (...given) => pulls.listFiles(...given),
    createReview: (...given) => reviews.createReview(...given),
    listReviews: (...given) => reviews.listReviews(...given),
    listReviewComments: (...given) => reviews.listReviewComments(...given),
    readMergeRules: (...given) => rules.readMergeRules(...given),
    mergesTogether: false,
    mergeTogether: (repository) => merges.mergeTogether(repository),
    enqueuePullRequest: (...given) => queue.enqueuePullRequest(...given),
    mergePullRequest: (...given) => merges.mergePullRequest(...given),
    updateBranch: (...given) => merges.updateBranch(...given),
    listChecks: (...given) => checks.listChecks(...given),
    setStatus: (...given) => checks.setStatus(...given),
    listWorkflowRuns: (...given) => runs.listWorkflowRuns(...given),
    readFailedLogs: (...given) => runs.readFailedLogs(...given),
  };
}
