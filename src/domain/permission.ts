/** What somebody may do in a repository, as forges grade it. */
export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

const ranks: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

export function isAtLeast(permission: Permission, needed: Permission): boolean {
  return ranks.indexOf(permission) >= ranks.indexOf(needed);
}
