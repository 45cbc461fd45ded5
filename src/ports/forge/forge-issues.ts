/** Issues, their labels, comments and reactions, and who may do what. Half of the `Forge` port. */
import type { Permission } from '../../domain/forge/permission.ts';

/** Whether an account is a person or a program: a program's word counts only if the program is listed. */
export type ActorKind = 'person' | 'bot';

/** The role of an account in the repository. It is shown; what the account may do is asked with `permissionOf`. */
export type Association = 'owner' | 'member' | 'collaborator' | 'contributor' | 'none';

export interface ForgeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly url: string;
}

export interface ForgeComment {
  readonly id: number;
  readonly author: string;
  readonly authorKind: ActorKind;
  readonly association: Association;
  readonly body: string;
  readonly createdAt: string;
  /** Later than `createdAt` when it was edited. */
  readonly updatedAt: string;
  readonly url: string;
}

/**
 * The words of an issue with their last editors, read at one moment. An editor is null when the words were never
 * edited, or when the editor is not known.
 */
export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly titleBy: Editor | null;
  readonly bodyBy: Editor | null;
}

export interface Editor {
  readonly login: string;
  readonly kind: ActorKind;
}

export interface ForgeLabel {
  readonly name: string;
  readonly colour: string;
  readonly description: string;
}

/** One change of a label, with its actor: a label counts only if an account with the permission has set it. */
export interface LabelEvent {
  readonly label: string;
  readonly change: 'added' | 'removed';
  readonly actor: string;
  readonly actorKind: ActorKind;
  readonly at: string;
  /** Of a pull request: its head at that moment; null where the forge does not say. */
  readonly head: string | null;
  /** Of a pull request: the branch that it was to go onto at that moment; null where the forge does not say. */
  readonly base: string | null;
}

export const reactionContents = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
] as const;
export type ReactionContent = (typeof reactionContents)[number];

export type ReactionTarget =
  | { readonly kind: 'issue'; readonly number: number }
  | { readonly kind: 'comment'; readonly id: number }
  | { readonly kind: 'review-comment'; readonly id: number };

export interface ForgeReaction {
  readonly content: ReactionContent;
  readonly actor: string;
}

export interface IssueFilter {
  readonly state?: 'open' | 'closed' | 'all';
  readonly author?: string;
  readonly label?: string;
  /** Only issues created at or after this moment, ISO 8601. */
  readonly since?: string;
  /** Only issues changed at or after this moment, ISO 8601. */
  readonly updatedSince?: string;
}

export interface RepositoryIdentity {
  /** Stays when it is renamed. */
  readonly id: string;
  /** What it is called now. */
  readonly name: string;
}

export interface IssueForge {
  /** Who the credentials belong to; fails with `forge-not-authenticated`. */
  whoAmI(): Promise<string>;
  /** Which repository the name stands for now: it may be a former one. */
  identify(repository: string): Promise<RepositoryIdentity>;
  permissionOf(repository: string, actor: string): Promise<Permission>;

  listLabels(repository: string): Promise<ForgeLabel[]>;
  /** Makes the label if it is missing; returns whether it made it. Never changes one that exists. */
  ensureLabel(repository: string, label: ForgeLabel): Promise<{ readonly created: boolean }>;

  createIssue(
    repository: string,
    issue: { readonly title: string; readonly body: string; readonly labels: readonly string[] },
  ): Promise<ForgeIssue>;
  /** Of an issue or of a pull request, which has the same fields and is labelled in the same way. */
  getIssue(repository: string, number: number): Promise<ForgeIssue>;
  /** Of an issue; a pull request has none. */
  getIssueText(repository: string, number: number): Promise<IssueText>;
  /** Newest first; pull requests are not among them. */
  listIssues(repository: string, filter?: IssueFilter): Promise<ForgeIssue[]>;
  /** Also of a pull request. Assigning an account that cannot be assigned changes nothing, as on GitHub. */
  editIssue(
    repository: string,
    number: number,
    change: {
      readonly title?: string;
      readonly body?: string;
      readonly state?: 'open' | 'closed';
      readonly addLabels?: readonly string[];
      readonly removeLabels?: readonly string[];
      readonly addAssignees?: readonly string[];
      readonly removeAssignees?: readonly string[];
    },
  ): Promise<ForgeIssue>;
  /** Oldest first. */
  listLabelEvents(repository: string, number: number): Promise<LabelEvent[]>;

  /** On an issue or a pull request. */
  createComment(repository: string, number: number, body: string): Promise<ForgeComment>;
  updateComment(repository: string, id: number, body: string): Promise<ForgeComment>;
  /** Oldest first. */
  listComments(repository: string, number: number): Promise<ForgeComment[]>;

  /** Once per actor and content; a second time changes nothing. */
  addReaction(repository: string, target: ReactionTarget, content: ReactionContent): Promise<void>;
  listReactions(repository: string, target: ReactionTarget): Promise<ForgeReaction[]>;
}
