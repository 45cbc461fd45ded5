/**
 * The one catalogue of errors. Every failure a user can meet has a code here, says whether trying again helps, and
 * how to fix it. Code is what callers test for; messages are for people and may change.
 * Entrypoints, and only they, turn a code into an exit or HTTP status.
 */

type Retry = 'never' | 'later' | 'after-human';

interface CatalogueEntry {
  /** Whether the same call may succeed: on its own later, after a person did something, or never. */
  readonly retry: Retry;
  /** What went wrong, in general. The thrown error carries the particular message. */
  readonly meaning: string;
  /** What a person does about it when the thrower knows nothing better. */
  readonly hint: string;
}

const catalogue = {
  usage: {
    retry: 'never',
    meaning: 'The command line could not be understood.',
    hint: 'Run the command with --help to see what it takes.',
  },
  cancelled: {
    retry: 'after-human',
    meaning: 'A person stopped the command.',
    hint: 'Run it again when you are ready; nothing was lost.',
  },
  'brief-not-found': {
    retry: 'after-human',
    meaning: 'The brief file does not exist or cannot be read.',
    hint: 'Check the path, or list the ideas with: gatewright issue --select',
  },
  'brief-empty': {
    retry: 'after-human',
    meaning: 'The brief holds no text.',
    hint: 'Write down what you want, even three sentences, and run the command again.',
  },
  'brief-unreadable': {
    retry: 'after-human',
    meaning: 'The brief is not a text file in UTF-8 of at most 256 KiB.',
    hint: 'Save it as UTF-8 text (Markdown); put large material in files the brief only mentions.',
  },
  'slug-invalid': {
    retry: 'after-human',
    meaning: 'No usable short name can be made of the file name, or the given one is not allowed.',
    hint: 'Give one with --slug: lower-case letters, digits and single hyphens, at most 80 characters.',
  },
  'slug-taken': {
    retry: 'after-human',
    meaning: 'Another run already uses this short name.',
    hint: 'Choose with --on-collision resume|clean, or give another name with --slug.',
  },
  'run-not-found': {
    retry: 'never',
    meaning: 'No run matches what was asked for.',
    hint: 'List the runs with: gatewright runs',
  },
  'run-finished': {
    retry: 'never',
    meaning: 'The run is already done; there is nothing to resume.',
    hint: 'See what it did with: gatewright runs show ID',
  },
  'subject-not-found': {
    retry: 'never',
    meaning: 'Nothing is known under that name.',
    hint: 'Use a brief file, a slug, a run id, a gate id or an issue such as #42; list runs with: gatewright runs',
  },
  'gate-not-found': {
    retry: 'never',
    meaning: 'No gate has that id.',
    hint: 'List the open gates with: gatewright gates',
  },
  'gate-answered': {
    retry: 'never',
    meaning: 'The gate was answered already; the first valid answer counts.',
    hint: 'See where the run is now with: gatewright explain ID',
  },
  'gate-content-changed': {
    retry: 'after-human',
    meaning: 'What the gate asks about changed after it was shown, so the answer was not taken.',
    hint: 'Look at the content again (gatewright gates) and answer once more.',
  },
  'gate-content-gone': {
    retry: 'after-human',
    meaning: 'A file that the gate asks about was removed.',
    hint: 'Put the file back and resume, or begin anew with --on-collision clean.',
  },
  'gate-choice-invalid': {
    retry: 'after-human',
    meaning: 'The gate does not offer that choice.',
    hint: 'See the choices with: gatewright gates',
  },
  'lease-held': {
    retry: 'later',
    meaning: 'Somebody else is working on this subject right now.',
    hint: 'Wait for it to finish, or answer its gate with: gatewright gates',
  },
  'lease-lost': {
    retry: 'later',
    meaning: 'This process no longer holds the subject: another took over while it was stopped.',
    hint: 'Nothing was written after the loss. See who holds it with: gatewright status',
  },
  'preflight-failed': {
    retry: 'after-human',
    meaning: 'Something the workflow needs is missing. Nothing was spent: no model was called.',
    hint: 'Fix each line that is marked, then resume.',
  },
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
    hint: 'See what it did with: gatewright runs show ID',
  },
  'forge-not-authenticated': {
    retry: 'after-human',
    meaning: 'The forge does not know who is asking.',
    hint: 'On the local forge set GATEWRIGHT_ACTOR to your login; on GitHub set GITHUB_TOKEN or run: gh auth login',
  },
  'forge-forbidden': {
    retry: 'after-human',
    meaning: 'You may not do this on the forge.',
    hint: 'Ask an administrator of the repository for the permission; on the local forge: gatewright forge permission set LOGIN write',
  },
  'forge-not-found': {
    retry: 'never',
    meaning: 'The forge has no such thing.',
    hint: 'Check the name and the number; on the local forge list what is there with: gatewright forge issue list',
  },
  'forge-rejected': {
    retry: 'after-human',
    meaning: 'The forge refused the content.',
    hint: 'The message says what it did not accept. Edit the draft and try again.',
  },
  'forge-unavailable': {
    retry: 'later',
    meaning: 'The forge did not answer.',
    hint: 'Try again in a moment; nothing is filed twice.',
  },
  'forge-rate-limited': {
    retry: 'later',
    meaning: 'The forge wants no more requests for a while.',
    hint: 'Wait until the moment named in the message, then resume the run; nothing is filed twice.',
  },
  'forge-local-only': {
    retry: 'never',
    meaning: 'The command works on the local forge only.',
    hint: 'On GitHub use gh or the web pages; for the local forge set GATEWRIGHT_FORGE=local.',
  },
  'forge-repository-unknown': {
    retry: 'after-human',
    meaning: 'It is not known which repository on the forge belongs to this folder.',
    hint: 'Name it with --repo OWNER/NAME, or point the git remote "origin" at it.',
  },
  'label-invalid': {
    retry: 'after-human',
    meaning: 'A label name cannot be used.',
    hint: 'Use 1 to 50 visible characters without commas.',
  },
  'label-reserved': {
    retry: 'after-human',
    meaning: 'The label steers Gatewright itself; a draft may not ask for it.',
    hint: 'Remove it from the **Labels:** line. A person with write access can set it on the issue later.',
  },
  'title-invalid': {
    retry: 'after-human',
    meaning: 'The draft has no usable title.',
    hint: 'Start the draft with one "# Title" line of 1 to 256 visible characters.',
  },
  'model-unknown': {
    retry: 'after-human',
    meaning: 'No such model is available.',
    hint: 'Use google:MODEL, anthropic:MODEL, openai:MODEL, claude:MODEL (drafter only), cassette:FILE, builtin:outline or builtin:checklist.',
  },
  'model-not-authenticated': {
    retry: 'after-human',
    meaning: 'The provider of the model accepts none of the credentials.',
    hint: 'Replace the credentials named in the message, then resume the run.',
  },
  'model-refused': {
    retry: 'after-human',
    meaning: 'The provider of the model refused the request itself.',
    hint: 'The message says what it did not accept. Choose another model or change the brief, then resume.',
  },
  'model-unavailable': {
    retry: 'later',
    meaning: 'The model did not answer: overloaded, unreachable, or silent for too long.',
    hint: 'Resume the run in a few minutes; the same step is tried again.',
  },
  'model-mismatch': {
    retry: 'after-human',
    meaning: 'Another model answered than the one that was asked for, so the answer was not used.',
    hint: 'Check the model name and the base URL of the provider, then resume the run.',
  },
  'quota-exhausted': {
    retry: 'later',
    meaning: 'Every credential for the model is out of quota, so the run is paused.',
    hint: 'Resume the run at the time named in the message, or add another credential; it costs no attempt.',
  },
  'model-unusable-answer': {
    retry: 'later',
    meaning: 'The model answered something that cannot be used.',
    hint: 'Resume the run to ask again.',
  },
  'models-not-independent': {
    retry: 'after-human',
    meaning: 'Drafter and reviewer are of one model family, so the review would not be independent.',
    hint: 'Choose another reviewer, or accept it knowingly with --waive-independence "REASON" (recorded).',
  },
  'cassette-invalid': {
    retry: 'after-human',
    meaning: 'The cassette file cannot be used.',
    hint: 'The format is described in docs/cassettes.md.',
  },
  'cassette-mismatch': {
    retry: 'after-human',
    meaning: 'The cassette has no answer for exactly this request, and a replay never guesses.',
    hint: 'Use a cassette recorded for this brief and this version of the prompts.',
  },
  'iteration-limit': {
    retry: 'after-human',
    meaning: 'The run went round as often as it may.',
    hint: 'Look at the last verdict, then continue with a higher --max-iterations.',
  },
  'no-progress': {
    retry: 'after-human',
    meaning: 'A revision came back unchanged, so another round would change nothing.',
    hint: 'Edit the draft yourself: resume the run without --auto.',
  },
  'verdict-undecided': {
    retry: 'after-human',
    meaning: 'The verdict does not tick exactly one box, or asks for a person.',
    hint: 'Resume without --auto and decide, or edit the verdict file so that exactly one box is ticked.',
  },
  'filing-failed': {
    retry: 'after-human',
    meaning: 'The issue could not be filed; all files stay where they are.',
    hint: 'Fix the cause and resume the run.',
  },
  'filing-aborted': {
    retry: 'after-human',
    meaning: 'A person chose not to file the issue; all files stay in active/.',
    hint: 'Resume the run to be asked again.',
  },
  'budget-exceeded': {
    retry: 'after-human',
    meaning: 'The next model call could cost more than the budget allows, so it was not made.',
    hint: 'Raise the limit named in the message, or wait until tomorrow for a daily one.',
  },
  'test-mode-refused': {
    retry: 'never',
    meaning: 'Test mode approves everything, so it works on the local forge only.',
    hint: 'Unset GATEWRIGHT_TEST_MODE.',
  },
  'editor-failed': {
    retry: 'after-human',
    meaning: 'The editor did not start or ended with an error.',
    hint: 'Set GATEWRIGHT_EDITOR to a command that opens a file and waits, for example: code --wait',
  },
  'config-invalid': {
    retry: 'after-human',
    meaning: 'A setting has a value that cannot be used.',
    hint: 'Correct the setting named in the message.',
  },
  internal: {
    retry: 'never',
    meaning: 'Something happened that should not be possible.',
    hint: 'Run again with GATEWRIGHT_DEBUG=1 and report what it prints.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = catalogue;

interface ErrorDetails {
  readonly hint?: string;
  readonly cause?: unknown;
  /** Further lines shown under the message, one fact each. */
  readonly details?: readonly string[];
  /** Options to add to the command that resumes a run, when resuming as before would only stop again. */
  readonly resumeWith?: string;
  /** When trying again may succeed, ISO 8601, if that is known. */
  readonly until?: string;
}

/** The only error class that is thrown on purpose. */
export class GatewrightError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: readonly string[];
  readonly resumeWith: string;
  readonly until: string | null;
  /** Set when the error stopped a run: what became of it and how to go on. */
  stop: {
    readonly run: string;
    readonly status: string;
    readonly owner: string;
    readonly resume: string;
  } | null = null;

  constructor(code: ErrorCode, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'GatewrightError';
    this.code = code;
    this.hint = more.hint ?? errorCatalogue[code].hint;
    this.details = more.details ?? [];
    this.resumeWith = more.resumeWith ?? '';
    this.until = more.until ?? null;
  }

  get retry(): Retry {
    return errorCatalogue[this.code].retry;
  }
}

export function isGatewrightError(error: unknown, ...codes: ErrorCode[]): error is GatewrightError {
  return error instanceof GatewrightError && (codes.length === 0 || codes.includes(error.code));
}

/** The operating system's code of an error (`ENOENT` …), or '' when it has none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
