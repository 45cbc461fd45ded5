/** What a repository has set for GitHub Actions, for telling a person what is missing. Everything here only reads. */

/** `unseen`: the credential may not read this; nothing is known then. */
export type Seen<T> = { readonly seen: T } | { readonly unseen: string };

interface WorkflowPermissions {
  readonly usual: 'read' | 'write';
  readonly mayOpenPullRequests: boolean;
}

export interface ActionsSettings {
  readonly isEnabled: Seen<boolean>;
  /** `selected`: only actions that an administrator listed. */
  readonly allowedActions: Seen<'all' | 'local_only' | 'selected'>;
  readonly workflowPermissions: Seen<WorkflowPermissions>;
  /** By name; never their values. Those of the organisation that the repository may use are among them. */
  readonly secrets: Seen<readonly string[]>;
  readonly variables: Seen<readonly string[]>;
  readonly labels: Seen<readonly string[]>;
  readonly defaultBranch: string;
  /** Whether a rule or a protection holds for the default branch. */
  readonly isProtected: Seen<boolean>;
  /** Those of the default branch, by path, with whether GitHub starts them. */
  readonly workflows: Seen<readonly { readonly path: string; readonly isActive: boolean }[]>;
}
