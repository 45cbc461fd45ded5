/** What a fine-grained token or a GitHub App has to be granted, and what each is for. One table for `doctor` and the docs. */

export interface NeededPermission {
  /** As GitHub's API calls it. */
  readonly name: string;
  /** As GitHub's pages call it. */
  readonly title: string;
  readonly level: 'read' | 'write';
  readonly use: string;
  /** Nothing of ours works without it; the others are for a part only. */
  readonly isVital: boolean;
  /** What a fine-grained token cannot be granted, no matter what its owner may do. */
  readonly isForAppsOnly: boolean;
}

function need(
  [name, title, level]: readonly [string, string, 'read' | 'write'],
  use: string,
  how: { readonly isVital?: boolean; readonly isForAppsOnly?: boolean } = {},
): NeededPermission {
  const { isVital = false, isForAppsOnly = false } = how;
  return { name, title, level, use, isVital, isForAppsOnly };
}

export const neededPermissions: readonly NeededPermission[] = [
  need(['metadata', 'Metadata', 'read'], 'the repository, its rules, and who may do what', { isVital: true }),
  need(['issues', 'Issues', 'write'], 'issues, labels, comments, assignees, reactions', { isVital: true }),
  need(['contents', 'Contents', 'write'], 'branches, pushing, merging, comments on commits'),
  need(['pull_requests', 'Pull requests', 'write'], 'pull requests and reviews'),
  need(['statuses', 'Commit statuses', 'read'], 'commit statuses, before something is merged'),
  need(['actions', 'Actions', 'read'], 'builds of GitHub Actions and their logs'),
  need(['checks', 'Checks', 'read'], 'check runs, before something is merged', { isForAppsOnly: true }),
];

const levels: readonly string[] = ['read', 'write', 'admin'];

/** Of an installation, by what GitHub says that it was granted. */
export function listMissingPermissions(granted: Readonly<Record<string, string>>): NeededPermission[] {
  return neededPermissions.filter(({ name, level }) => {
    const had = levels.indexOf(granted[name] ?? '');
    return had < levels.indexOf(level);
  });
}
