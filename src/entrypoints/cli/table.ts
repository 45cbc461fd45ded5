/** All commands. Names, options and texts only: what they do is loaded when it is called. */
import type { Command, Option } from './command.ts';

const json: Option = { name: 'json', about: 'Print the result as JSON' };
const repo: Option = {
  name: 'repo',
  value: 'PATH|OWNER/NAME',
  about: 'Another repository: its folder, or its name on the forge',
};

/** Understood by every command. */
export const globalOptions: readonly Option[] = [
  {
    name: 'database',
    value: 'FILE',
    about: 'Use another database (default: the XDG data folder; also GATEWRIGHT_DATABASE_URL)',
  },
  { name: 'no-input', about: 'Never ask; stop at the first gate instead' },
  { name: 'help', short: 'h', about: 'Show help' },
  { name: 'version', short: 'V', about: 'Show the version' },
];

const forge: Option = {
  name: 'forge',
  value: 'WHICH',
  about: 'Where the issues are (default local; also GATEWRIGHT_FORGE)',
  oneOf: ['local', 'github'],
};

/** Of every authoring workflow. */
const authoring: readonly Option[] = [
  { name: 'auto', about: 'No editor and no questions: send drafts on, follow the verdict' },
  { name: 'strict', about: 'A person decides after every verdict' },
  { name: 'dry-run', about: 'Show what would be done; change nothing' },
  { name: 'max-iterations', value: 'N', about: 'Rounds before the run stops (default 20)' },
  { name: 'slug', value: 'NAME', about: 'Short name of the run and its lineage folder' },
  {
    name: 'on-collision',
    value: 'WHAT',
    about: 'When the short name is in use',
    oneOf: ['resume', 'clean', 'abort'],
  },
  { name: 'drafter', value: 'PROVIDER:MODEL', about: 'Who drafts (default builtin:outline)' },
  { name: 'reviewer', value: 'PROVIDER:MODEL', about: 'Who reviews (default builtin:checklist)' },
  {
    name: 'waive-independence',
    value: 'REASON',
    about: 'Accept a drafter and a reviewer of one model family',
  },
];

export const commands: readonly Command[] = [
  {
    name: 'issue',
    about: 'Turn a brief into a reviewed, filed issue',
    more: 'Drafts the issue, shows it to you, has it reviewed, revises it as often as needed and files it. Everything is kept in docs/lineage/. It can be stopped at any moment and resumed.',
    options: [
      { name: 'brief', value: 'FILE', about: 'Begin with this brief' },
      { name: 'select', about: 'Choose from the ideas in ideas/active/' },
      { name: 'resume', value: 'FILE', about: 'Go on with the run of this brief (or short name, or run id)' },
      ...authoring,
      repo,
      forge,
      json,
    ],
    examples: [
      ['gatewright issue --brief ideas/active/export-csv.md', 'begin'],
      ['gatewright issue --resume ideas/active/export-csv.md', 'go on'],
      ['gatewright issue --brief notes.md --auto', 'without questions'],
      ['gatewright issue --brief notes.md --forge github', 'file on GitHub'],
    ],
    load: async () => (await import('./commands/issue.ts')).runIssue,
  },
  {
    name: 'lld',
    about: 'Turn an issue into an approved low-level design',
    more: 'Drafts a design of the issue, has code check its paths, requirements and tests against the repository, shows it to you, has it reviewed, revises it as often as needed and puts it into docs/lld/active/. Stops when the issue is changed meanwhile.',
    args: [{ name: 'NUMBER', about: 'Issue number', isOptional: true }],
    options: [
      { name: 'resume', value: 'RUN', about: 'Go on with this run (its id, its short name, or #NUMBER)' },
      {
        name: 'context',
        value: 'FILE',
        about: 'Show the drafter this file of the repository',
        repeatable: true,
      },
      { name: 'again', about: 'Although a design is approved and the issue has not changed' },
      ...authoring,
      repo,
      forge,
      json,
    ],
    examples: [
      ['gatewright lld 42', 'begin'],
      ['gatewright lld 42 --context src/report.ts --auto', 'without questions, with a file to look at'],
      ['gatewright lld status', 'which designs there are'],
    ],
    load: async () => (await import('./commands/lld.ts')).runLld,
  },
  {
    name: 'lld status',
    about: 'Which issues have an approved design, by whom, and which are stale',
    options: [repo, forge, json],
    load: async () => (await import('./commands/lld.ts')).showDesigns,
  },
  {
    name: 'runs',
    about: 'List the runs, newest first',
    options: [{ name: 'all', about: 'Dry runs too' }, json],
    load: async () => (await import('./commands/runs.ts')).listRuns,
  },
  {
    name: 'runs show',
    about: 'Show one run: what happened, step by step',
    args: [{ name: 'ID', about: 'Run id (its beginning is enough)' }],
    options: [json],
    load: async () => (await import('./commands/runs.ts')).showRun,
  },
  {
    name: 'gates',
    about: 'List the gates that wait for an answer',
    options: [json],
    load: async () => (await import('./commands/gates.ts')).listGates,
  },
  {
    name: 'gate answer',
    about: 'Answer a gate, and go on with its run',
    more: 'The answer is bound to what the files hold at this moment; give --expect to be sure that it is what you read.',
    args: [{ name: 'ID', about: 'Gate id, as listed by: gatewright gates' }],
    options: [
      { name: 'choice', value: 'NAME', about: 'One of the choices of the gate' },
      { name: 'feedback', value: 'TEXT', about: 'What the drafter should change (with "revise")' },
      {
        name: 'expect',
        value: 'HASH',
        about: 'Refuse if the draft is not the one with this hash (its beginning is enough)',
      },
      { name: 'no-run', about: 'Only record the answer; do not go on with the run here' },
      json,
    ],
    examples: [
      [
        'gatewright gate answer G7K2QD --choice revise --feedback "Name the file size limit"',
        'ask for a revision',
      ],
    ],
    load: async () => (await import('./commands/gates.ts')).answerGate,
  },
  {
    name: 'status',
    about: 'One screen: what waits for you, what runs, what stopped and why, what it cost today',
    options: [json],
    load: async () => (await import('./commands/status.ts')).showStatus,
  },
  {
    name: 'explain',
    about: 'Why something is where it is, and what would move it',
    args: [{ name: 'SUBJECT', about: 'A brief file, short name, run id, gate id or issue (#42)' }],
    options: [json],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'ledger show',
    about: 'Show the ledger of a subject',
    args: [{ name: 'SUBJECT', about: 'As for explain' }],
    options: [json],
    load: async () => (await import('./commands/ledger.ts')).showLedger,
  },
  {
    name: 'ledger verify',
    about: 'Prove that nothing in the ledger was changed, removed or reordered',
    args: [{ name: 'SUBJECT', about: 'As for explain; all subjects without it', isOptional: true }],
    options: [json],
    load: async () => (await import('./commands/ledger.ts')).verifyLedger,
  },
  {
    name: 'forge issue create',
    about: 'Open an issue on the local forge',
    options: [
      { name: 'title', short: 't', value: 'TEXT', about: 'Title' },
      { name: 'body', short: 'b', value: 'TEXT', about: 'Body' },
      {
        name: 'body-file',
        short: 'F',
        value: 'FILE',
        about: 'Read the body from a file (- for standard input)',
      },
      { name: 'label', short: 'l', value: 'NAME', about: 'Add a label', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-issue.ts')).createIssue,
  },
  {
    name: 'forge issue list',
    about: 'List issues of the local forge',
    options: [
      {
        name: 'state',
        short: 's',
        value: 'STATE',
        about: 'Which ones (default open)',
        oneOf: ['open', 'closed', 'all'],
      },
      { name: 'label', short: 'l', value: 'NAME', about: 'Only with this label' },
      { name: 'author', short: 'A', value: 'LOGIN', about: 'Only by this author' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-issue.ts')).listIssues,
  },
  {
    name: 'forge issue view',
    about: 'Show an issue with its comments',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [repo, json],
    load: async () => (await import('./commands/forge-issue.ts')).viewIssue,
  },
  {
    name: 'forge issue comment',
    about: 'Comment on an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [
      { name: 'body', short: 'b', value: 'TEXT', about: 'The comment' },
      { name: 'body-file', short: 'F', value: 'FILE', about: 'Read it from a file (- for standard input)' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-issue.ts')).commentOnIssue,
  },
  {
    name: 'forge issue close',
    about: 'Close an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [{ name: 'comment', short: 'c', value: 'TEXT', about: 'Leave a comment with it' }, repo, json],
    load: async () => (await import('./commands/forge-issue.ts')).closeIssue,
  },
  {
    name: 'forge issue reopen',
    about: 'Reopen an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [repo, json],
    load: async () => (await import('./commands/forge-issue.ts')).reopenIssue,
  },
  {
    name: 'forge issue edit',
    about: 'Change an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [
      { name: 'title', short: 't', value: 'TEXT', about: 'New title' },
      { name: 'body', short: 'b', value: 'TEXT', about: 'New body' },
      { name: 'body-file', short: 'F', value: 'FILE', about: 'New body from a file (- for standard input)' },
      { name: 'add-label', value: 'NAME', about: 'Add a label', repeatable: true },
      { name: 'remove-label', value: 'NAME', about: 'Remove a label', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-issue.ts')).editIssue,
  },
  {
    name: 'forge label list',
    about: 'List the labels of the local forge',
    options: [repo, json],
    load: async () => (await import('./commands/forge-label.ts')).listLabels,
  },
  {
    name: 'forge label create',
    about: 'Make a label',
    args: [{ name: 'NAME', about: 'Its name' }],
    options: [
      { name: 'color', short: 'c', value: 'HEX', about: 'Six hexadecimal digits' },
      { name: 'description', short: 'd', value: 'TEXT', about: 'What it means' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-label.ts')).createLabel,
  },
  {
    name: 'forge permission list',
    about: 'Who may do what on the local forge',
    options: [repo, json],
    load: async () => (await import('./commands/forge-permission.ts')).listPermissions,
  },
  {
    name: 'forge permission set',
    about: 'Give somebody a permission on the local forge',
    args: [
      { name: 'LOGIN', about: 'Whom' },
      { name: 'LEVEL', about: 'Which', oneOf: ['none', 'read', 'triage', 'write', 'maintain', 'admin'] },
    ],
    options: [repo, json],
    load: async () => (await import('./commands/forge-permission.ts')).setPermission,
  },
  {
    name: 'demo',
    about: 'Watch an idea become a filed issue, in a new folder, with recorded models',
    options: [{ name: 'once', about: 'Run through once and exit' }, json],
    load: async () => (await import('./commands/demo.ts')).runDemo,
  },
  {
    name: 'completion',
    about: 'Print a shell completion script',
    args: [{ name: 'SHELL', about: 'Which shell', oneOf: ['bash', 'zsh', 'fish'] }],
    examples: [['source <(gatewright completion bash)', 'for this session']],
    load: async () => (await import('./commands/completion.ts')).printCompletion,
  },
];
