/** The commands that set things up and look at how they are set up. */
import type { Command, Option } from './command.ts';
import { agentModels } from './table-options.ts';

/** Of the files for GitHub Actions. */
const actionsOptions: readonly Option[] = [
  {
    name: 'actions',
    about:
      'Write the workflow files with which the agents work on GitHub Actions, without a server; and nothing else',
  },
  {
    name: 'agents',
    value: 'NAME,…',
    about: 'With --actions: only these agents (default: as chosen before, else all)',
  },
  {
    name: 'runner',
    value: 'LABEL,…',
    about: 'With --actions: the labels of the machines (default: as chosen before, else ubuntu-latest)',
  },
  {
    name: 'source',
    value: 'PATH',
    about: 'With --actions: install Gatewright from this folder or tarball, not from the registry',
  },
  { name: 'check', about: 'With --actions: show what would change, and exit with 1 if something would' },
  {
    name: 'overwrite',
    value: 'PATH',
    about: 'With --actions: replace this file, although a person changed it',
    repeatable: true,
  },
  {
    name: 'ledger-key',
    about:
      'With --actions: print a new key for the ledger, to be piped to: gh secret set GATEWRIGHT_LEDGER_KEY',
  },
];

export function setupCommands(shared: {
  readonly json: Option;
  readonly repo: Option;
  readonly forge: Option;
}): readonly Command[] {
  const { json, repo, forge } = shared;
  const folder: Option = { ...repo, value: 'PATH', about: 'Another repository: its folder' };
  const drafter: Option = { name: 'drafter', value: 'PROVIDER:MODEL', about: 'Who drafts' };
  const reviewer: Option = { name: 'reviewer', value: 'PROVIDER:MODEL', about: 'Who reviews' };
  return [
    {
      name: 'init',
      about: 'Set a repository up: configuration, folders, labels, commands',
      more: 'Asks a few questions, shows everything that it would do, asks once, then does it. You can run it again at any time: it changes what exists only where you name it with an option.',
      options: [
        {
          ...forge,
          about: 'Where issues are filed (default: github if the remote "origin" is there, else local)',
        },
        drafter,
        reviewer,
        {
          name: 'setup',
          value: 'COMMAND',
          about: 'What installs dependencies in a copy, such as "npm ci"; none for nothing',
        },
        {
          name: 'verify',
          value: 'COMMAND',
          about: 'What runs the tests, such as "npm test"; none for nothing',
        },
        { name: 'slash-commands', about: 'Also write slash commands for Claude Code' },
        ...actionsOptions,
        { name: 'dry-run', about: 'Show what would be done; change nothing' },
        { name: 'yes', short: 'y', about: 'Ask nothing; accept the proposals' },
        repo,
        json,
      ],
      examples: [
        ['gatewright init', 'ask, show, do'],
        ['gatewright init --yes --forge local', 'without questions'],
        ['gatewright init --drafter claude:default --reviewer google:gemini-2.5-pro', 'with these models'],
        ['gatewright init --actions --agents implementer,reviewer', 'workflow files of GitHub Actions'],
        ['gatewright init --actions --check', 'what would change of them; exits with 1 if something would'],
      ],
      load: async () => (await import('../commands/init.ts')).runInit,
    },
    {
      name: 'doctor',
      about: 'Check everything that a workflow needs, and say how to fix what is missing',
      options: [
        {
          name: 'actions',
          about: 'Instead, what GitHub Actions needs: settings, secrets by name, labels, the generated files',
        },
        ...[forge, drafter, reviewer, ...agentModels, repo, json],
      ],
      load: async () => (await import('../commands/doctor.ts')).runDoctor,
    },
    {
      name: 'feedback',
      about:
        'Print what a bug report should hold: versions, doctor, the last run of this repository without its texts',
      more: 'Outside of a repository it takes the last run of all. It holds versions, numbers, codes, the names of checks and settings, and public names of models. Texts, paths, names of people and repositories, and commands are never in it. Nothing is sent; read it before you send it.',
      args: [{ name: 'RUN', about: 'Another run than the last one: its id', isOptional: true }],
      options: [folder, json],
      load: async () => (await import('../commands/feedback.ts')).runFeedback,
    },
    {
      name: 'actions lint',
      about: 'Check GitHub Actions workflows for faults that put a repository at risk',
      more: 'Every fault has a name, a place, a reason and a remedy; docs/actions-lint.md explains each of them. A comment allows one where it stands: # gatewright: allow FAULT: REASON. Exits with 1 when there is an error or a warning; notes count with --strict. Nothing is sent, and no workflow is run.',
      args: [
        {
          name: 'FILE',
          about:
            'A workflow file, an action.yml, or a folder of a repository (default: the workflows and actions of this one)',
          isOptional: true,
          isRepeated: true,
        },
      ],
      options: [
        {
          name: 'format',
          value: 'FORM',
          about: 'How to print: for people, or as annotations of a workflow run (default text)',
          oneOf: ['text', 'github'],
        },
        { name: 'strict', about: 'Notes count as well' },
        folder,
        json,
      ],
      examples: [
        ['gatewright actions lint', 'all workflows of this repository'],
        ['gatewright actions lint .github/workflows/ci.yml', 'one of them'],
      ],
      load: async () => (await import('../commands/lint-actions.ts')).lintActions,
    },
    {
      name: 'config validate',
      about: 'Check the configuration files, and name every problem with its line',
      args: [
        {
          name: 'FILE',
          about: 'Only this file (default: yours and the one of the repository)',
          isOptional: true,
        },
      ],
      options: [folder, json],
      load: async () => (await import('../commands/config.ts')).validateConfig,
    },
    {
      name: 'config show',
      about: 'Show every setting with where its value comes from',
      options: [forge, drafter, reviewer, ...agentModels, folder, json],
      load: async () => (await import('../commands/config.ts')).showConfig,
    },
    {
      name: 'config schema',
      about: 'Print the JSON Schema of the configuration files',
      load: async () => (await import('../commands/config.ts')).printSchema,
    },
  ];
}
