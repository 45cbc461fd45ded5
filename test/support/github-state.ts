/** What the small GitHub remembers, and how it shows it. Dates are whole seconds, as GitHub's are. */
import type { Permission } from '../../src/ports/forge.ts';

interface StoredComment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly at: string;
}

interface StoredIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  readonly author: string;
  labels: string[];
  readonly createdAt: string;
  updatedAt: string;
  readonly isPullRequest: boolean;
  readonly comments: StoredComment[];
}

interface StoredLabel {
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface StoredRepository {
  readonly name: string;
  readonly roles: Map<string, Permission>;
  /** By name in small letters. */
  readonly labels: Map<string, StoredLabel>;
  readonly issues: StoredIssue[];
}

export class GithubState {
  readonly repositories = new Map<string, StoredRepository>();
  #offset = 0;
  #lastId = 100;

  /** Lets time pass, for dates only. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  #now(): string {
    return new Date(Date.now() + this.#offset).toISOString().replace(/\.\d+Z$/u, 'Z');
  }

  addRepository(name: string, roles: Readonly<Record<string, Permission>>): StoredRepository {
    const repository = { name, roles: new Map(Object.entries(roles)), labels: new Map(), issues: [] };
    this.repositories.set(name, repository);
    return repository;
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

  putLabels(repository: StoredRepository, issue: StoredIssue, names: readonly string[]): void {
    for (const name of names) {
      const { name: known } =
        repository.labels.get(name.toLowerCase()) ?? this.addLabel(repository, name, null, null);
      if (!issue.labels.includes(known)) issue.labels.push(known);
    }
    issue.updatedAt = this.#now();
  }

  dropLabel(issue: StoredIssue, name: string): boolean {
    const rest = issue.labels.filter((one) => one.toLowerCase() !== name.toLowerCase());
    if (rest.length === issue.labels.length) return false;
    issue.labels = rest;
    return true;
  }

  addIssue(
    repository: StoredRepository,
    author: string,
    title: string,
    body: string,
    labels: readonly string[],
    isPullRequest = false,
  ): StoredIssue {
    const now = this.#now();
    const issue: StoredIssue = {
      number: repository.issues.length + 1,
      title,
      body,
      state: 'open',
      author,
      labels: [],
      createdAt: now,
      updatedAt: now,
      isPullRequest,
      comments: [],
    };
    repository.issues.push(issue);
    this.putLabels(repository, issue, labels);
    return issue;
  }

  change(issue: StoredIssue, body: Readonly<Record<string, unknown>>): void {
    if (typeof body.title === 'string') issue.title = body.title;
    if (typeof body.body === 'string') issue.body = body.body;
    if (body.state === 'open' || body.state === 'closed') issue.state = body.state;
    issue.updatedAt = this.#now();
  }

  addComment(issue: StoredIssue, author: string, body: string): StoredComment {
    this.#lastId += 1;
    const comment = { id: this.#lastId, author, body, at: this.#now() };
    issue.comments.push(comment);
    issue.updatedAt = comment.at;
    return comment;
  }

  listIssues(repository: StoredRepository, query: URLSearchParams): unknown[] {
    const [state, creator, label, since] = ['state', 'creator', 'labels', 'since'].map((name) =>
      query.get(name),
    );
    return repository.issues
      .filter(
        (issue) =>
          (state === 'all' || issue.state === (state ?? 'open')) &&
          (creator == null || issue.author === creator) &&
          (label == null || issue.labels.some((one) => one.toLowerCase() === label.toLowerCase())) &&
          (since == null || Date.parse(issue.updatedAt) >= Date.parse(since)),
      )
      .reverse()
      .map((issue) => this.showIssue(repository, issue));
  }

  showRepository({ name }: StoredRepository, role: Permission): unknown {
    const levels = ['read', 'triage', 'write', 'maintain', 'admin'];
    const has = (level: string) => levels.indexOf(role) >= levels.indexOf(level);
    return {
      full_name: name,
      private: false,
      has_issues: true,
      permissions: {
        admin: has('admin'),
        maintain: has('maintain'),
        push: has('write'),
        triage: has('triage'),
        // Everybody may read a public repository.
        pull: true,
      },
    };
  }

  showIssue(repository: StoredRepository, issue: StoredIssue): unknown {
    const kind = issue.isPullRequest ? 'pull' : 'issues';
    return {
      id: 1000 + issue.number,
      number: issue.number,
      title: issue.title,
      body: issue.body === '' ? null : issue.body,
      state: issue.state,
      user: { login: issue.author, type: 'User' },
      labels: issue.labels.map((name) => ({ id: 1, ...repository.labels.get(name.toLowerCase()) })),
      comments: issue.comments.length,
      created_at: issue.createdAt,
      updated_at: issue.updatedAt,
      html_url: `https://github.com/${repository.name}/${kind}/${issue.number}`,
      ...(issue.isPullRequest ? { pull_request: { url: 'https://api.github.com/' } } : {}),
    };
  }

  showComment(comment: StoredComment): unknown {
    return {
      id: comment.id,
      body: comment.body,
      user: { login: comment.author, type: 'User' },
      author_association: 'NONE',
      created_at: comment.at,
      updated_at: comment.at,
    };
  }
}
