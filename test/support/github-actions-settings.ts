/** What a repository of the small GitHub has set for GitHub Actions. */

export interface StoredActions {
  readonly secrets: Map<string, string>;
  readonly variables: Map<string, string>;
  /** "Workflow permissions", for workflows that declare none. */
  defaultPermissions: 'read' | 'write';
  /** "Allow GitHub Actions to create and approve pull requests". */
  mayApprove: boolean;
  isEnabled: boolean;
  allowed: 'all' | 'local_only' | 'selected';
  /** Whose pull requests from forks wait for approval before workflows run. */
  forkApproval: 'first_time_contributors' | 'all_external_contributors' | 'none';
}

/** As in a new repository. */
export function makeActionsSettings(): StoredActions {
  return {
    ...{ secrets: new Map(), variables: new Map(), defaultPermissions: 'read', mayApprove: false },
    ...{ isEnabled: true, allowed: 'all', forkApproval: 'first_time_contributors' },
  };
}
