/** Errors about files, git, the database, the ledger and effects. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const storageErrors = {
  'not-a-repository': {
    retry: 'after-human',
    meaning: 'The folder is not inside a git work tree.',
    hint: 'Run the command inside a git repository, point to one with --repo PATH, or make one with: git init',
  },
  'git-failed': {
    retry: 'later',
    meaning: 'A git command did not succeed.',
    hint: 'The message holds what git said. Fix it and resume the run.',
  },
  'git-busy': {
    retry: 'later',
    meaning: 'Another git process holds the index lock of this repository.',
    hint: 'Let it finish (or remove a stale .git/index.lock) and resume the run.',
  },
  'template-unreachable': {
    retry: 'later',
    meaning: 'The template that changes are to be brought over from could not be fetched.',
    hint: 'Try it yourself with: git ls-remote SOURCE HEAD. The setting fleet.template names it.',
  },
  'path-outside-root': {
    retry: 'never',
    meaning: 'A path would leave the repository, directly or through a link.',
    hint: 'Remove the link or choose a path inside the repository.',
  },
  'file-conflict': {
    retry: 'after-human',
    meaning: 'A file or folder stands where Gatewright has to write its own.',
    hint: 'Move it away and resume the run.',
  },
  'cannot-write': {
    retry: 'after-human',
    meaning: 'The folder is read-only or may not be written by this user.',
    hint: 'Give yourself write access to the folder named in the message and resume the run.',
  },
  'disk-full': {
    retry: 'after-human',
    meaning: 'There is no room left on the disk.',
    hint: 'Free some space and resume the run; what was done so far is kept.',
  },
  'database-corrupt': {
    retry: 'after-human',
    meaning: 'The database file is damaged or is not a Gatewright database.',
    hint: 'Restore it from a backup, or move it away to start with an empty one. Gatewright did not change it.',
  },
  'database-newer': {
    retry: 'after-human',
    meaning: 'The database was written by a newer Gatewright.',
    hint: 'Update Gatewright, or use another database with --database.',
  },
  'database-unsupported': {
    retry: 'never',
    meaning: 'The database address is of a kind this version cannot use.',
    hint: 'Give a file path or sqlite:PATH in --database or GATEWRIGHT_DATABASE_URL.',
  },
  'database-busy': {
    retry: 'later',
    meaning: 'Another process kept the database locked for too long.',
    hint: 'Try again in a moment.',
  },
  'ledger-conflict': {
    retry: 'never',
    meaning: 'An entry that may exist only once is already in the ledger.',
    hint: 'Nothing was written. If you did nothing unusual, this is a bug worth reporting.',
  },
  'ledger-broken': {
    retry: 'never',
    meaning: 'The ledger was changed by something other than Gatewright.',
    hint: 'The entries are named above. Compare with a backup before you trust what they say.',
  },
  'effect-not-allowed': {
    retry: 'never',
    meaning: 'A workflow tried to do something its definition does not list.',
    hint: 'Nothing was done. This is a bug worth reporting.',
  },
  'effect-over-cap': {
    retry: 'never',
    meaning: 'A run tried to do more of one kind of thing than its definition allows.',
    hint: 'See what it did with: gatewright runs show RUN',
  },
} as const satisfies Record<string, CatalogueEntry>;
