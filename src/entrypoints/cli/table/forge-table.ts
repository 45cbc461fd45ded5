/** The commands of `forge …`, in the words of gh: names, options and texts only. */
import type { Command } from './command.ts';
import { pullRequestCommands } from './forge-pr-table.ts';
import { json, repo } from './table-options.ts';

export const forgeCommands: readonly Command[] = [
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
    load: async () => (await import('../commands/forge/forge-issue.ts')).createIssue,
  },
  {
    name: 'forge issue list',
    about: 'List issues of the local forge',
    options: [
      {
        name: 'state',
        short: 's',
        value: 'STATE',
        about: 'The state to list (default open)',
        oneOf: ['open', 'closed', 'all'],
      },
      { name: 'label', short: 'l', value: 'NAME', about: 'Only with this label' },
      { name: 'author', short: 'A', value: 'LOGIN', about: 'Only by this author' },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-issue.ts')).listIssues,
  },
  {
    name: 'forge issue view',
    about: 'Show an issue with its comments',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-issue.ts')).viewIssue,
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
    load: async () => (await import('../commands/forge/forge-issue.ts')).commentOnIssue,
  },
  {
    name: 'forge issue close',
    about: 'Close an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [{ name: 'comment', short: 'c', value: 'TEXT', about: 'Also post this comment' }, repo, json],
    load: async () => (await import('../commands/forge/forge-issue.ts')).closeIssue,
  },
  {
    name: 'forge issue reopen',
    about: 'Reopen an issue',
    args: [{ name: 'NUMBER', about: 'Issue number' }],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-issue.ts')).reopenIssue,
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
      { name: 'add-assignee', value: 'LOGIN', about: 'Assign this person', repeatable: true },
      { name: 'remove-assignee', value: 'LOGIN', about: 'Remove an assignee', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-issue.ts')).editIssue,
  },
  ...pullRequestCommands,
  {
    name: 'forge label list',
    about: 'List the labels of the local forge',
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-label.ts')).listLabels,
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
    load: async () => (await import('../commands/forge/forge-label.ts')).createLabel,
  },
  {
    name: 'forge run report',
    about: 'Report the result of a build to the local forge',
    more: 'For the script, hook or machine that runs your builds. Agents react as they do to the builds of GitHub: ci-doctor explains a failed build, and a pull request that waited for a green build continues. The end of the log of a failed build is kept.',
    args: [{ name: 'NAME', about: 'The name of the build' }],
    options: [
      {
        name: 'conclusion',
        short: 'c',
        value: 'WORD',
        about: 'The result of the build',
        oneOf: ['success', 'failure'],
      },
      {
        name: 'branch',
        short: 'b',
        value: 'NAME',
        about: 'The branch that was built (default: the one that is checked out)',
      },
      { name: 'step', value: 'NAME', about: 'The step that failed (default: the name of the build)' },
      { name: 'log', short: 'l', value: 'FILE', about: 'The output of the build (- for standard input)' },
      repo,
      json,
    ],
    examples: [
      ['npm test 2>&1 | gatewright forge run report ci --conclusion failure --log -', 'a failed build'],
    ],
    load: async () => (await import('../commands/forge/forge-run.ts')).reportRun,
  },
  {
    name: 'forge run list',
    about: 'List the builds that were reported to the local forge',
    options: [{ name: 'branch', short: 'b', value: 'NAME', about: 'Only of this branch' }, repo, json],
    load: async () => (await import('../commands/forge/forge-run.ts')).listRuns,
  },
  {
    name: 'forge permission list',
    about: 'List the permissions on the local forge',
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-permission.ts')).listPermissions,
  },
  {
    name: 'forge permission set',
    about: 'Give a login a permission on the local forge',
    args: [
      { name: 'LOGIN', about: 'Whom' },
      { name: 'LEVEL', about: 'Which', oneOf: ['none', 'read', 'triage', 'write', 'maintain', 'admin'] },
    ],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-permission.ts')).setPermission,
  },
];
