/**
 * The place where issues live: GitHub, or the local forge. Consumers take `Pick<Forge, …>` of what they need; every
 * adapter passes `test/contracts/forge.contract.ts`. Reads that may be long are lists, never searches, because search
 * indexes lag behind writes and a crash could then file something twice.
 */

export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

const ranks: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

export function isAtLeast(permission: Permission, needed: Permission): boolean {
  return ranks.indexOf(permission) >= ranks.indexOf(needed);
}

export interface ForgeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly author: string;
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
}

export interface ForgeComment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly createdAt: string;
}

export interface ForgeLabel {
  readonly name: string;
  readonly colour: string;
  readonly description: string;
}

export interface IssueFilter {
  readonly state?: 'open' | 'closed' | 'all';
  readonly author?: string;
  readonly label?: string;
  /** Only issues created at or after this moment, ISO 8601. */
  readonly since?: string;
}

export interface Forge {
  /** `local` or the host of a GitHub; test mode works on `local` only. */
  readonly kind: 'local' | 'github';
  /** Who the credentials belong to; fails with `forge-not-authenticated`. */
  whoAmI(): Promise<string>;
  permissionOf(repository: string, actor: string): Promise<Permission>;

  listLabels(repository: string): Promise<ForgeLabel[]>;
  /** Makes the label if it is missing; tells whether it made it. Never changes one that exists. */
  ensureLabel(repository: string, label: ForgeLabel): Promise<{ readonly created: boolean }>;

  createIssue(
    repository: string,
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ): Promise<ForgeIssue>;
  getIssue(repository: string, number: number): Promise<ForgeIssue>;
  /** Newest first. */
  listIssues(repository: string, filter?: IssueFilter): Promise<ForgeIssue[]>;
  editIssue(
    repository: string,
    number: number,
    change: {
      readonly title?: string;
      readonly body?: string;
      readonly state?: 'open' | 'closed';
      readonly addLabels?: readonly string[];
      readonly removeLabels?: readonly string[];
    },
  ): Promise<ForgeIssue>;

  createComment(repository: string, number: number, body: string): Promise<ForgeComment>;
  /** Oldest first. */
  listComments(repository: string, number: number): Promise<ForgeComment[]>;
}
