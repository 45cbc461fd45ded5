/** What a repository of the small GitHub has set for GitHub Actions, and what it remembers of runs. */

export interface StoredActions {
  readonly secrets: Map<string, string>;
  readonly variables: Map<string, string>;
  /** Secrets of the organisation that the repository may use, by name. */
  readonly sharedSecrets: Set<string>;
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
    ...{
      secrets: new Map(),
      variables: new Map(),
      sharedSecrets: new Set(),
      defaultPermissions: 'read',
      mayApprove: false,
    },
    ...{ isEnabled: true, allowed: 'all', forkApproval: 'first_time_contributors' },
  };
}

export interface StoredJob {
  readonly id: number;
  readonly name: string;
  readonly conclusion: string | null;
  readonly startedAt: number;
  readonly steps: readonly { readonly name: string; readonly conclusion: string; readonly log: string }[];
}

export interface StoredRun {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly branch: string;
  readonly event: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly at: string;
  readonly jobs: readonly StoredJob[];
  readonly path?: string;
  readonly actor?: string;
  /** The fork that its commit is of, by name. */
  readonly fork?: string;
}
