/** The commands of `forge pr …`, in the words of gh: names, options and texts only. */
import type { Command, Option } from './command.ts';
import { json, repo } from './table-options.ts';

const which = {
  name: 'NUMBER|BRANCH',
  about: 'The number of the pull request (default: that of the branch that is checked out)',
  isOptional: true,
};

const body: Option = { name: 'body', short: 'b', value: 'TEXT', about: 'The text' };
const bodyFile: Option = {
  name: 'body-file',
  short: 'F',
  value: 'FILE',
  about: 'Read it from a file (- for standard input)',
};

export const pullRequestCommands: readonly Command[] = [
  {
    name: 'forge pr create',
    about: 'Open a pull request on the local forge',
    options: [
      { name: 'title', short: 't', value: 'TEXT', about: 'Title' },
      body,
      bodyFile,
      {
        name: 'head',
        short: 'H',
        value: 'BRANCH',
        about: 'The branch to merge (default: the one that is checked out)',
      },
      {
        name: 'base',
        short: 'B',
        value: 'BRANCH',
        about: 'The branch to merge into (default: the default branch)',
      },
      { name: 'draft', short: 'd', about: 'Open it as a draft, which cannot be merged' },
      { name: 'label', short: 'l', value: 'NAME', about: 'Add a label', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr.ts')).createPullRequest,
  },
  {
    name: 'forge pr list',
    about: 'List pull requests of the local forge',
    options: [
      {
        name: 'state',
        short: 's',
        value: 'STATE',
        about: 'The state to list (default open)',
        oneOf: ['open', 'closed', 'merged', 'all'],
      },
      { name: 'label', short: 'l', value: 'NAME', about: 'Only with this label' },
      { name: 'author', short: 'A', value: 'LOGIN', about: 'Only by this author' },
      { name: 'head', short: 'H', value: 'BRANCH', about: 'Only from this branch' },
      { name: 'base', short: 'B', value: 'BRANCH', about: 'Only to this branch' },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr.ts')).listPullRequests,
  },
  {
    name: 'forge pr view',
    about: 'Show a pull request with its reviews and comments',
    args: [which],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-pr-look.ts')).viewPullRequest,
  },
  {
    name: 'forge pr diff',
    about: 'Show what a pull request changes',
    args: [which],
    options: [
      { name: 'stat', about: 'Only the number of lines in each file' },
      { name: 'name-only', about: 'Only the names of the files' },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr-look.ts')).diffPullRequest,
  },
  {
    name: 'forge pr checks',
    about: 'Show the checks of a pull request',
    more: 'Exits with 1 when a check failed or has not ended yet.',
    args: [which],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-pr-look.ts')).checkPullRequest,
  },
  {
    name: 'forge pr review',
    about: 'Review a pull request at its current head',
    args: [which],
    options: [
      { name: 'approve', short: 'a', about: 'Approve it' },
      { name: 'request-changes', short: 'r', about: 'Request changes' },
      { name: 'comment', short: 'c', about: 'Only comment' },
      body,
      bodyFile,
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr-merge.ts')).reviewPullRequest,
  },
  {
    name: 'forge pr merge',
    about: 'Merge a pull request as one commit',
    args: [which],
    options: [
      { name: 'squash', short: 's', about: 'Merge as one commit (required; there is no other way yet)' },
      {
        name: 'subject',
        short: 't',
        value: 'TEXT',
        about: 'Title of the commit (default: "TITLE (#NUMBER)")',
      },
      {
        name: 'body',
        short: 'b',
        value: 'TEXT',
        about: 'Text of the commit (default: the text of the pull request)',
      },
      bodyFile,
      { name: 'delete-branch', short: 'd', about: 'Delete its branch afterwards' },
      {
        name: 'match-head-commit',
        value: 'SHA',
        about: 'Refuse if its last commit is not this one',
      },
      repo,
      json,
    ],
    examples: [['gatewright forge pr merge 7 --squash --delete-branch', 'merge, and delete the branch']],
    load: async () => (await import('../commands/forge/forge-pr-merge.ts')).mergePullRequest,
  },
  {
    name: 'forge pr update-branch',
    about: 'Merge the base into the branch of a pull request',
    args: [which],
    options: [repo, json],
    load: async () => (await import('../commands/forge/forge-pr-merge.ts')).updatePullRequest,
  },
  {
    name: 'forge pr comment',
    about: 'Comment on a pull request',
    args: [which],
    options: [body, bodyFile, repo, json],
    load: async () => (await import('../commands/forge/forge-pr.ts')).commentOnPullRequest,
  },
  {
    name: 'forge pr edit',
    about: 'Change a pull request',
    args: [which],
    options: [
      { name: 'title', short: 't', value: 'TEXT', about: 'New title' },
      body,
      bodyFile,
      { name: 'base', short: 'B', value: 'BRANCH', about: 'Merge into another branch' },
      { name: 'add-label', value: 'NAME', about: 'Add a label', repeatable: true },
      { name: 'remove-label', value: 'NAME', about: 'Remove a label', repeatable: true },
      { name: 'add-assignee', value: 'LOGIN', about: 'Assign this person', repeatable: true },
      { name: 'remove-assignee', value: 'LOGIN', about: 'Remove an assignee', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr.ts')).editPullRequest,
  },
  {
    name: 'forge pr ready',
    about: 'Mark a draft as ready to be merged',
    args: [which],
    options: [{ name: 'undo', about: 'Make it a draft again' }, repo, json],
    load: async () => (await import('../commands/forge/forge-pr.ts')).readyPullRequest,
  },
  {
    name: 'forge pr close',
    about: 'Close a pull request without merging it',
    args: [which],
    options: [
      { name: 'comment', short: 'c', value: 'TEXT', about: 'Also post this comment' },
      { name: 'delete-branch', short: 'd', about: 'Delete its branch afterwards' },
      repo,
      json,
    ],
    load: async () => (await import('../commands/forge/forge-pr.ts')).closePullRequest,
  },
  {
    name: 'forge pr reopen',
    about: 'Reopen a pull request',
    args: [which],
    options: [{ name: 'comment', short: 'c', value: 'TEXT', about: 'Also post this comment' }, repo, json],
    load: async () => (await import('../commands/forge/forge-pr.ts')).reopenPullRequest,
  },
];
