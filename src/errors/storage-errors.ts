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
    meaning: 'A git command failed.',
    hint: 'The message contains the output of git. Fix the cause and resume the run.',
  },
  'git-busy': {
    retry: 'later',
    meaning: 'Another git process holds the index lock of this repository.',
    hint: 'Wait until it ends (or remove a stale .git/index.lock) and resume the run.',
  },
  'template-unreachable': {
    retry: 'later',
    meaning: 'The template repository could not be fetched.',
    hint: 'Try it yourself with: git ls-remote SOURCE HEAD. The setting fleet.template contains SOURCE.',
  },
  'path-outside-root': {
    retry: 'never',
    meaning: 'A path would leave the repository, directly or through a link.',
    hint: 'Remove the link or choose a path inside the repository.',
  },
  'file-conflict': {
    retry: 'after-human',
    meaning: 'A file or folder is in the place where Gatewright has to write its own.',
    hint: 'Move it to another place and resume the run.',
  },
  'cannot-write': {
    retry: 'after-human',
    meaning: 'The folder is read-only or may not be written by this user.',
    hint: 'Give yourself write permission for the folder in the message and resume the run.',
  },
  'disk-full': {
    retry: 'after-human',
    meaning: 'The disk is full.',
    hint: 'Free some space and resume the run; the work so far is kept.',
  },
  'database-corrupt': {
    retry: 'after-human',
    meaning: 'The database file is damaged or is not a Gatewright database.',
    hint: 'Restore it from a backup, or move it to another place to start with an empty one. Gatewright did not change it.',
  },
  'database-newer': {
    retry: 'after-human',
    meaning: 'A newer version of Gatewright wrote the database.',
    hint: 'Update Gatewright, or use another database with --database.',
  },
  'database-unsupported': {
    retry: 'never',
    meaning: 'This version cannot use this kind of database address.',
    hint: 'Give a file path or sqlite:PATH in --database or GATEWRIGHT_DATABASE_URL.',
  },
  'database-busy': {
    retry: 'later',
    meaning: 'Another process kept the database locked for too long.',
    hint: 'Try again in a moment.',
  },
  'inbox-damaged': {
    retry: 'never',
    meaning:
      'A file with deliveries that were not on the ledger yet was changed by another program or damaged.',
    hint: 'The file is kept. Send what is missing again from the list of deliveries in the settings of the webhook.',
  },
  'ledger-conflict': {
    retry: 'never',
    meaning: 'An entry that may exist only once is already in the ledger.',
    hint: 'Nothing was written. This is probably a bug; please report it.',
  },
  'ledger-broken': {
    retry: 'never',
    meaning: 'Another program than Gatewright changed the ledger.',
    hint: 'The message names the entries. Compare them with a backup before you trust them.',
  },
  'effect-not-allowed': {
    retry: 'never',
    meaning: 'A workflow or agent tried an effect that its definition does not list.',
    hint: 'Nothing was done. This is a bug; please report it.',
  },
  'effect-over-cap': {
    retry: 'never',
    meaning: 'A run tried one kind of effect more often than its definition allows.',
    hint: 'See what it did with: gatewright runs show RUN',
  },
} as const satisfies Record<string, CatalogueEntry>;
