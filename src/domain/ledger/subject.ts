/**
 * A subject is what a run works on and what a ledger chain is about: an issue or pull request of a repository
 * (`owner/repo#42`), a brief that has no number yet (`owner/repo:slug`), a commit (`owner/repo@sha`), or a chore that is
 * about the repository as a whole (`owner/repo~daily-digest`).
 */

export type Subject = string;

export function briefSubject(repository: string, slug: string): Subject {
  return `${repository}:${slug}`;
}

/** A commit of a repository, for what is not about any issue. */
export function commitSubject(repository: string, commit: string): Subject {
  return `${repository}@${commit}`;
}

/** What a repository as a whole is worked on for, such as a schedule. */
export function choreSubject(repository: string, chore: string): Subject {
  return `${repository}~${chore}`;
}

export function issueSubject(repository: string, number: number): Subject {
  return `${repository}#${number}`;
}

/** Whether it is one of the repository: of `owner/name`, and not of `owner/name-two`. */
export function isSubjectOf(repository: string, subject: Subject): boolean {
  return subject.startsWith(repository) && '#:@~'.includes(subject.charAt(repository.length) || ' ');
}

/** Forges do not tell capitals apart; null is the repository of a fork that is gone. */
export function isSameRepository(a: string | null, b: string): boolean {
  return a !== null && a.toLowerCase() === b.toLowerCase();
}

/** `owner/name` as forges spell it; anything else could be a path or an option in disguise. */
export function isRepositoryName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/u.test(text);
}
