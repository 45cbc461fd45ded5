/** All commands. Names, options and texts only: what they do is loaded when it is called. */
import type { Command, Option } from './command.ts';
import { forgeCommands } from './forge-table.ts';
import { actionsCommands } from './table-actions.ts';
import { fleetCommands } from './table-fleet.ts';
import { learningCommands } from './table-learnings.ts';
import { loopCommands } from './table-loop.ts';
import { notifyCommands } from './table-notify.ts';
import { agentModels, json, repo } from './table-options.ts';
import { setupCommands } from './table-setup.ts';
import { solveCommands } from './table-solve.ts';

/** Understood by every command. */
export const globalOptions: readonly Option[] = [
  {
    name: 'database',
    value: 'FILE',
    about: 'Use another database (default: the XDG data folder; also GATEWRIGHT_DATABASE_URL)',
  },
  { name: 'no-input', about: 'Ask no questions; stop at the first gate' },
  { name: 'help', short: 'h', about: 'Show help' },
  { name: 'version', short: 'V', about: 'Show the version' },
];

const record: Option = {
  name: 'record',
  value: 'FILE',
  about: 'Record the run to this file whenever it stops',
};
const models: readonly Option[] = [
  {
    name: 'drafter',
    value: 'PROVIDER:MODEL',
    about: 'Who drafts (default: as configured, else builtin:outline)',
  },
  {
    name: 'reviewer',
    value: 'PROVIDER:MODEL',
    about: 'Who reviews (default: as configured, else builtin:checklist)',
  },
  {
    name: 'waive-independence',
    value: 'REASON',
    about: 'Accept a drafter and a reviewer of one model family',
  },
  {
    name: 'accept-unpriced',
    about: 'Accept models whose price is not known; only tokens and turns are limited then',
  },
];
const forge: Option = {
  name: 'forge',
  value: 'WHICH',
  about: 'Where the issues are (default: as configured, else local)',
  oneOf: ['local', 'github'],
};

/** Of every authoring workflow. */
const authoring: readonly Option[] = [
  { name: 'auto', about: 'No editor and no questions: send drafts to review, follow the verdict' },
  { name: 'strict', about: 'A person decides after every verdict' },
  {
    name: 'dry-run',
    about: 'Show what would be done; change nothing (models are still called and paid)',
  },
  {
    name: 'max-iterations',
    value: 'N',
    about: 'Rounds before the run stops (default: as configured, else 20)',
  },
  { name: 'slug', value: 'NAME', about: 'Short name of the run and its lineage folder' },
  {
    name: 'on-collision',
    value: 'WHAT',
    about: 'When the short name is in use',
    oneOf: ['resume', 'clean', 'abort'],
  },
  ...models,
  record,
];

const fresh: Option = {
  name: 'fresh',
  about: 'Ask GitHub which of the listed issues and pull requests are closed by now, and leave them out',
};

const secondIssue: Option = {
  name: 'second-issue',
  about: 'In a fork: file its issue, although the run that it was forked from has filed one',
};

/** How a run, or what it is about, can be named. */
const runToEnd =
  'A run id (its beginning is enough) or gate id; in the repository of the run also its brief file, short name or issue number';
const anyRun = 'A brief file, short name, run id (its beginning is enough), gate id or issue number';

export const commands: readonly Command[] = [
  {
    name: 'issue',
    about: 'Turn a brief into a reviewed, filed issue',
    more: 'Drafts the issue, shows it to you, has it reviewed, revises it as often as needed and files it. Everything is kept in docs/lineage/. It can be stopped at any moment and resumed.',
    options: [
      { name: 'brief', value: 'FILE', about: 'Start with this brief; - reads it from standard input' },
      { name: 'select', about: 'Choose from the ideas in ideas/active/' },
      { name: 'resume', value: 'FILE', about: 'Resume the run of this brief (or short name, or run id)' },
      ...authoring,
      secondIssue,
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
    load: async () => (await import('../commands/issue.ts')).runIssue,
  },
  {
    name: 'lld',
    about: 'Turn an issue into an approved low-level design',
    more: 'Drafts a design of the issue, checks its paths, requirements and tests against the repository, shows it to you, has it reviewed, revises it as often as needed and saves it in docs/lld/active/. Stops when the issue changes meanwhile.',
    args: [{ name: 'NUMBER', about: 'Issue number', isOptional: true }],
    options: [
      { name: 'resume', value: 'RUN', about: 'Resume this run (its id, its short name, or #NUMBER)' },
      {
        name: 'context',
        value: 'FILE',
        about: 'Show the drafter this file of the repository',
        repeatable: true,
      },
      { name: 'again', about: 'Make a new design, although one is approved and the issue has not changed' },
      ...authoring,
      repo,
      forge,
      json,
    ],
    examples: [
      ['gatewright lld 42', 'begin'],
      ['gatewright lld 42 --context src/report.ts --auto', 'no questions; the drafter gets a file'],
      ['gatewright lld status', 'list the designs'],
    ],
    load: async () => (await import('../commands/lld.ts')).runLld,
  },
  {
    name: 'lld status',
    about: 'List the approved designs: who approved them, and which are stale',
    options: [repo, forge, json],
    load: async () => (await import('../commands/lld.ts')).showDesigns,
  },
  ...loopCommands(forge),
  ...solveCommands(forge),
  ...learningCommands(forge),
  ...notifyCommands,
  ...fleetCommands(forge),
  ...setupCommands({ json, repo, forge }),
  ...actionsCommands,
  {
    name: 'runs',
    about: 'List the runs, newest first',
    options: [{ name: 'all', about: 'Include dry runs' }, json],
    load: async () => (await import('../commands/runs.ts')).listRuns,
  },
  {
    name: 'runs show',
    about: 'Show one run: what happened, step by step',
    args: [{ name: 'RUN', about: anyRun }],
    options: [json],
    load: async () => (await import('../commands/runs.ts')).showRun,
  },
  {
    name: 'runs cancel',
    about: 'Give a run up: it ends, and cannot be resumed',
    more: 'Its gates are closed. A process that works on it ends within seconds and changes nothing more. What it has done stays: issues, branches, pull requests, the lineage folder.',
    args: [{ name: 'RUN', about: runToEnd }],
    options: [json],
    load: async () => (await import('../commands/runs.ts')).cancelOneRun,
  },
  {
    name: 'runs dismiss',
    about: 'Put a stopped run aside: status leaves it out until it is resumed',
    args: [{ name: 'RUN', about: runToEnd }],
    options: [json],
    load: async () => (await import('../commands/runs.ts')).dismissOneRun,
  },
  {
    name: 'record',
    about: 'Record a past run to a file',
    more: 'The recording contains everything that its files were made from, and nothing of this machine. Every person who has it can replay the run. For a run of an agent or a loop it contains every answer that the run got: from people, the forge, git, commands, models and the coding agent; look through it before you share it.',
    args: [
      { name: 'RUN', about: anyRun },
      { name: 'FILE', about: 'The file to write; only an earlier recording of the same run is replaced' },
    ],
    options: [json],
    load: async () => (await import('../commands/record.ts')).recordRun,
  },
  {
    name: 'replay',
    about: 'Play a recorded run again and compare every file, or fork it from a step',
    more: 'Without --from it asks no person and calls no model: it plays the run in a new repository and compares each file. The run of an agent or a loop it plays from the recording alone, in no repository, and compares each effect. With --from it makes a new run that copies everything before that step and continues with real models and gates: the fork of a run in its own repository, the fork of a file in a new one. A fork of a run of an agent is a dry run: it shows what the agent would do.',
    args: [
      {
        name: 'RUN|FILE',
        about: 'A recording, or a run: its brief file, short name, run id, gate id or issue number',
      },
    ],
    options: [
      {
        name: 'from',
        value: 'STEP',
        about: 'Fork from this step, such as N3#2 or, for an agent, reviewer#1 (see: gatewright runs show)',
      },
      { name: 'draft', value: 'FILE', about: 'With --from N3 or N5: continue with this draft' },
      {
        name: 'prompt',
        value: 'FILE',
        about:
          'With --from N2, or a step of an agent: give the model this text in addition to its instructions',
      },
      { name: 'into', value: 'DIR', about: 'Make the new repository here and keep it' },
      { name: 'keep', about: 'Keep the new repository' },
      secondIssue,
      { name: 'auto', about: 'In a fork: no editor and no questions' },
      { name: 'strict', about: 'In a fork: a person decides after every verdict' },
      { name: 'max-iterations', value: 'N', about: 'In a fork: rounds before it stops (default 20)' },
      ...models,
      ...agentModels,
      record,
      json,
    ],
    examples: [
      ['gatewright replay run.json', 'play the run and compare its files'],
      ['gatewright replay export-csv --from N3#1 --draft better.md', 'continue with another draft'],
    ],
    load: async () => (await import('../commands/replay.ts')).replayOrFork,
  },
  {
    name: 'gates',
    about: 'List the gates that wait for an answer',
    options: [fresh, json],
    load: async () => (await import('../commands/gates.ts')).listGates,
  },
  {
    name: 'gate answer',
    about: 'Answer a gate and continue its run',
    more: 'The answer is bound to the content of the files at this moment; give --expect to be sure that it is what you read.',
    args: [{ name: 'ID', about: 'Gate id, as listed by: gatewright gates' }],
    options: [
      { name: 'choice', value: 'NAME', about: 'One of the choices of the gate' },
      { name: 'feedback', value: 'TEXT', about: 'What the drafter should change (with "revise")' },
      {
        name: 'expect',
        value: 'HASH',
        about: 'Refuse if the draft is not the one with this hash (its beginning is enough)',
      },
      {
        name: 'against-verdict',
        about: 'With "approve": approve against the verdict (recorded on the ledger)',
      },
      { name: 'no-run', about: 'Only record the answer; do not continue the run here' },
      json,
    ],
    examples: [
      [
        'gatewright gate answer G7K2QD --choice revise --feedback "Name the file size limit"',
        'ask for a revision',
      ],
    ],
    load: async () => (await import('../commands/gates.ts')).answerGate,
  },
  {
    name: 'status',
    about: 'Show what waits for you, what runs, what stopped and why, and the cost of today',
    options: [fresh, json],
    load: async () => (await import('../commands/status.ts')).showStatus,
  },
  {
    name: 'explain',
    about: 'Explain why an issue, pull request or run is where it is, and what unblocks it',
    args: [{ name: 'SUBJECT', about: anyRun }],
    options: [json],
    load: async () => (await import('../commands/explain.ts')).explain,
  },
  {
    name: 'ledger show',
    about: 'Show the ledger of a subject',
    args: [{ name: 'SUBJECT', about: anyRun }],
    options: [json],
    load: async () => (await import('../commands/ledger.ts')).showLedger,
  },
  {
    name: 'ledger verify',
    about: 'Prove that nothing in the ledger was changed, removed or reordered',
    args: [{ name: 'SUBJECT', about: `${anyRun}; all subjects without it`, isOptional: true }],
    options: [{ name: 'projections', about: 'Rebuild the projections from the ledger first' }, json],
    load: async () => (await import('../commands/ledger.ts')).verifyLedger,
  },
  ...forgeCommands,
  {
    name: 'demo',
    about: 'Watch an idea become a filed issue and then merged code, in a new folder, with recorded models',
    options: [
      { name: 'once', about: 'Run the demo once and exit' },
      {
        ...{ name: 'only', value: 'PART', about: 'Show one part only: authoring, fleet or loop' },
        oneOf: ['authoring', 'fleet', 'loop'],
      },
      json,
    ],
    load: async () => (await import('../commands/demo/run-demo.ts')).runDemo,
  },
  {
    name: 'completion',
    about: 'Print a shell completion script',
    args: [{ name: 'SHELL', about: 'Which shell', oneOf: ['bash', 'zsh', 'fish'] }],
    examples: [['source <(gatewright completion bash)', 'for this session']],
    load: async () => (await import('../commands/completion.ts')).printCompletion,
  },
];
