/** What the small GitHub remembers. Dates are whole seconds, as GitHub's are. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Permission } from '../../src/ports/forge/forge.ts';
import { GitStore } from './git-store.ts';
import { makeActionsSettings, type StoredActions, type StoredRun } from './github-actions-settings.ts';
import { makeRules, type StoredRules } from './github-rules.ts';
import { findQuickFolder } from './run-folder.ts';
import { shiftTimes } from './shift-times.ts';

export interface StoredComment {
  readonly id: number;
  readonly author: string;
  body: string;
  readonly at: string;
  updatedAt: string;
}

export interface StoredCommitComment extends StoredComment {
  readonly sha: string;
}

export interface StoredReview {
  readonly id: number;
  readonly author: string;
  readonly state: string;
  readonly commit: string;
  readonly body: string;
  readonly at: string;
}

export interface StoredReviewComment extends StoredComment {
  readonly review: number;
  readonly path: string;
  readonly line: number;
  readonly commit: string;
}

export interface StoredPull {
  readonly head: string;
  /** The repository that the head is in, when it is another one. */
  readonly fork?: string;
  headSha: string;
  base: string;
  baseSha: string;
  isDraft: boolean;
  mergedAt: string | null;
  mergeCommit: string | null;
  readonly reviews: StoredReview[];
  readonly reviewComments: StoredReviewComment[];
  /** The commits for which it was last worked out whether it can be merged; the first one to ask is told nothing. */
  settledFor: string;
}

export interface StoredIssue {
  /** Where its opening stands in the order of all that happens. */
  readonly id: number;
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  readonly author: string;
  labels: string[];
  assignees: string[];
  readonly createdAt: string;
  updatedAt: string;
  /** What became of it, when it is not here any more. */
  gone: null | 'deleted' | { readonly repository: number; readonly number: number };
  /** Who changed the text last; who changed the title is among the events. */
  editor: string | null;
  closedAt: string | null;
  readonly pull: StoredPull | null;
  readonly comments: StoredComment[];
  readonly events: {
    readonly id: number;
    readonly event: string;
    readonly actor: string;
    readonly at: string;
    readonly label?: string;
    /** Of `assigned`. */
    readonly assignee?: string;
    /** The head then: of `synchronized`, which stands on no list of events, and of labels; told to webhooks only. */
    readonly sha?: string;
    /** Why the merge queue took it out; told to webhooks only. */
    readonly reason?: string;
  }[];
}

export type StoredPullRequest = StoredIssue & { readonly pull: StoredPull };

export interface StoredLabel {
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface StoredStatus {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
  readonly target_url: string | null;
  readonly at: string;
  readonly author: string;
}

export interface StoredCheckRun {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  readonly conclusion: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly at: string;
  /** The number of the app that reported it. */
  readonly app?: number;
}

export interface StoredRepository {
  readonly id: number;
  name: string;
  readonly roles: Map<string, Permission>;
  /** By name in small letters. */
  readonly labels: Map<string, StoredLabel>;
  readonly issues: StoredIssue[];
  /** Who brought something that was merged. */
  readonly contributors: Set<string>;
  /** By what is reacted to: `issue 3`, `comment 101` … */
  readonly reactions: Map<
    string,
    { readonly id: number; readonly content: string; readonly author: string; readonly at: string }[]
  >;
  readonly statuses: StoredStatus[];
  readonly checkRuns: StoredCheckRun[];
  readonly commitComments: StoredCommitComment[];
  readonly runs: StoredRun[];
  readonly rules: StoredRules;
  readonly actions: StoredActions;
  /** What happens a few requests later. */
  readonly later: { requests: number; readonly work: () => void }[];
  /** Its commits, in a bare repository that is made when it is first asked for. */
  readonly git: GitStore;
}

let first: string | null = null;

/** Every repository begins in the same way; a copy is made much faster than another one. */
function firstRepository(): string {
  if (first === null) {
    // Within what is removed after all tests: workers end without notice.
    const folder = mkdtempSync(join(findQuickFolder(), 'gw-github-'));
    first = GitStore.make(join(folder, 'first.git'), { isBare: true }).folder;
    rmSync(join(first, 'hooks'), { recursive: true, force: true });
  }
  return first;
}

/** What a delivery about a pull request tells with it. */
function headOf({ pull }: StoredIssue): { readonly sha?: string } {
  return pull === null ? {} : { sha: pull.headSha };
}

export class GithubState {
  readonly repositories = new Map<string, StoredRepository>();
  /** Former names, with those of now. */
  readonly renamed = new Map<string, string>();
  #offset = 0;
  #lastId = 100;
  #folder: string | null = null;

  /** Lets time pass, for dates only. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  now(): string {
    return new Date(Date.now() + this.#offset).toISOString().replace(/\.\d+Z$/u, 'Z');
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  close(): void {
    if (this.#folder === null) return;
    for (const folder of [this.#folder, `${this.#folder}-saved`])
      rmSync(folder, { recursive: true, force: true });
  }

  /** Keeps all that is remembered now; what it returns brings that back, as often as it is called, as old as it was then. */
  save(): () => void {
    const [folder, offset, lastId, savedAt] = [this.#folder, this.#offset, this.#lastId, Date.now()];
    if (folder !== null) cpSync(folder, `${folder}-saved`, { recursive: true });
    const saved = [...this.repositories.values()].map((repository) => {
      const { git: _git, later: _later, ...data } = repository;
      return { repository, data: structuredClone(data) };
    });
    return () => {
      [this.#offset, this.#lastId] = [offset, lastId];
      for (const { repository, data } of saved) {
        Object.assign(repository, shiftTimes(data, savedAt));
        repository.later.length = 0;
        repository.git.forget();
      }
      if (folder === null) return;
      rmSync(folder, { recursive: true, force: true });
      cpSync(`${folder}-saved`, folder, { recursive: true });
    };
  }

  #makeGit(name: string): GitStore {
    this.#folder ??= mkdtempSync(join(findQuickFolder(), 'gw-github-'));
    const folder = join(this.#folder, `${name}.git`);
    cpSync(firstRepository(), folder, { recursive: true });
    return GitStore.open(folder);
  }

  addRepository(name: string, roles: Readonly<Record<string, Permission>>): StoredRepository {
    let git: GitStore | null = null;
    const makeGit = () => this.#makeGit(name);
    const repository: StoredRepository = {
      id: 1000 + this.repositories.size + this.renamed.size * 10,
      name,
      roles: new Map(Object.entries(roles)),
      labels: new Map(),
      issues: [],
      contributors: new Set(),
      reactions: new Map(),
      statuses: [],
      checkRuns: [],
      commitComments: [],
      runs: [],
      rules: makeRules(),
      actions: makeActionsSettings(),
      later: [],
      get git() {
        git ??= makeGit();
        return git;
      },
    };
    this.repositories.set(name, repository);
    return repository;
  }

  /** From now on its former name leads to it. */
  renameRepository(repository: StoredRepository, name: string): void {
    this.repositories.delete(repository.name);
    for (const [former, to] of this.renamed) if (to === repository.name) this.renamed.set(former, name);
    this.renamed.set(repository.name, name);
    this.renamed.delete(name);
    repository.name = name;
    this.repositories.set(name, repository);
  }

  /** The issue as it is there. */
  transferIssue(repository: StoredRepository, number: number, to: StoredRepository): StoredIssue {
    const issue = repository.issues.find((one) => one.number === number);
    if (issue === undefined) throw new Error(`There is no issue ${number}.`);
    const there = this.addIssue(to, issue.author, issue.title, issue.body, issue.labels);
    issue.gone = { repository: to.id, number: there.number };
    return there;
  }

  deleteIssue(repository: StoredRepository, number: number): void {
    const issue = repository.issues.find((one) => one.number === number);
    if (issue !== undefined) issue.gone = 'deleted';
  }

  addLabel(repository: StoredRepository, name: string, color: unknown, description: unknown): StoredLabel {
    const label = {
      name,
      color: typeof color === 'string' ? color : 'ededed',
      description: typeof description === 'string' ? description : null,
    };
    repository.labels.set(name.toLowerCase(), label);
    return label;
  }

  addEvent(
    issue: StoredIssue,
    event: string,
    actor: string,
    more: {
      readonly label?: string;
      readonly assignee?: string;
      readonly sha?: string;
      readonly reason?: string;
    } = {},
  ): void {
    const at = this.now();
    issue.events.push({ id: this.nextId(), event, actor, at, ...more });
    issue.updatedAt = at;
  }

  putLabels(repository: StoredRepository, issue: StoredIssue, names: readonly string[], actor: string): void {
    for (const name of names) {
      const { name: known } =
        repository.labels.get(name.toLowerCase()) ?? this.addLabel(repository, name, null, null);
      if (issue.labels.includes(known)) continue;
      issue.labels.push(known);
      this.addEvent(issue, 'labeled', actor, { label: known, ...headOf(issue) });
    }
  }

  dropLabel(issue: StoredIssue, name: string, actor: string): boolean {
    const known = issue.labels.find((one) => one.toLowerCase() === name.toLowerCase());
    if (known === undefined) return false;
    issue.labels = issue.labels.filter((one) => one !== known);
    this.addEvent(issue, 'unlabeled', actor, { label: known, ...headOf(issue) });
    return true;
  }

  addIssue(
    repository: StoredRepository,
    author: string,
    title: string,
    body: string,
    labels: readonly string[],
    pull: StoredPull | null = null,
  ): StoredIssue {
    const now = this.now();
    const issue: StoredIssue = {
      id: this.nextId(),
      number: repository.issues.length + 1,
      title,
      body,
      state: 'open',
      author,
      labels: [],
      assignees: [],
      createdAt: now,
      updatedAt: now,
      gone: null,
      editor: null,
      closedAt: null,
      pull,
      comments: [],
      events: [],
    };
    repository.issues.push(issue);
    this.putLabels(repository, issue, labels, author);
    return issue;
  }

  change(issue: StoredIssue, body: Readonly<Record<string, unknown>>, actor: string): void {
    if (typeof body.title === 'string' && body.title !== issue.title) {
      issue.title = body.title;
      this.addEvent(issue, 'renamed', actor);
    }
    if (typeof body.body === 'string' && body.body !== issue.body) {
      issue.body = body.body;
      issue.editor = actor;
    }
    if (body.state === 'open' || body.state === 'closed') this.setState(issue, body.state, actor);
    issue.updatedAt = this.now();
  }

  setState(issue: StoredIssue, state: 'open' | 'closed', actor: string): void {
    if (issue.state === state) return;
    issue.state = state;
    issue.closedAt = state === 'open' ? null : this.now();
    this.addEvent(issue, state === 'open' ? 'reopened' : 'closed', actor);
  }

  makeComment(author: string, body: string): StoredComment {
    const at = this.now();
    return { id: this.nextId(), author, body, at, updatedAt: at };
  }

  addComment(issue: StoredIssue, author: string, body: string): StoredComment {
    const comment = this.makeComment(author, body);
    issue.comments.push(comment);
    issue.updatedAt = comment.at;
    return comment;
  }
}
