/** What a person or program may do in a repository, as forges grade it. */
export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

const ranks: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** The message about a login without write permission; every check that notices it uses the same words. */
export function describeMissingWrite(login: string, permission: Permission, repository: string): string {
  return `${login} has "${permission}" permission on ${repository}; "write" is needed`;
}

/** How to get the permission, as the end of a sentence. */
export function howToGetWrite(forge: 'local' | 'github', login: string, repository: string): string {
  return forge === 'local'
    ? `ask an administrator to run: gatewright forge permission set ${login} write --repo ${repository}`
    : `ask an administrator of ${repository} for it, or use a token that has it`;
}

export function isAtLeast(permission: Permission, needed: Permission): boolean {
  return ranks.indexOf(permission) >= ranks.indexOf(needed);
}
