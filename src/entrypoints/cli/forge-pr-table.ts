/** The commands of `forge pr …`, in the words of gh: names, options and texts only. */
import type { Command, Option } from './command.ts';
import { json, repo } from './table-options.ts';

const which = {
  name: 'NUMBER|BRANCH',
  about: 'Which one; the one of the branch that is checked out without it',
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
      { name: 'head', short: 'H', value: 'BRANCH', about: 'What to merge (default: what is checked out)' },
      { name: 'base', short: 'B', value: 'BRANCH', about: 'Where to (default: the default branch)' },
      { name: 'draft', short: 'd', about: 'Not ready to be merged' },
      { name: 'label', short: 'l', value: 'NAME', about: 'Add a label', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr.ts')).createPullRequest,
  },
  {
    name: 'forge pr list',
    about: 'List pull requests of the local forge',
    options: [
      {
        name: 'state',
        short: 's',
        value: 'STATE',
        about: 'Which ones (default open)',
        oneOf: ['open', 'closed', 'merged', 'all'],
      },
      { name: 'label', short: 'l', value: 'NAME', about: 'Only with this label' },
      { name: 'author', short: 'A', value: 'LOGIN', about: 'Only by this author' },
      { name: 'head', short: 'H', value: 'BRANCH', about: 'Only from this branch' },
      { name: 'base', short: 'B', value: 'BRANCH', about: 'Only to this branch' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr.ts')).listPullRequests,
  },
  {
    name: 'forge pr view',
    about: 'Show a pull request with its reviews and comments',
    args: [which],
    options: [repo, json],
    load: async () => (await import('./commands/forge-pr-look.ts')).viewPullRequest,
  },
  {
    name: 'forge pr diff',
    about: 'Show what a pull request changes',
    args: [which],
    options: [
      { name: 'stat', about: 'Only how many lines in which files' },
      { name: 'name-only', about: 'Only the names of the files' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr-look.ts')).diffPullRequest,
  },
  {
    name: 'forge pr checks',
    about: 'Show what machines say of a pull request',
    more: 'Ends with 1 when a check failed or is not done yet.',
    args: [which],
    options: [repo, json],
    load: async () => (await import('./commands/forge-pr-look.ts')).checkPullRequest,
  },
  {
    name: 'forge pr review',
    about: 'Review a pull request as it stands now',
    args: [which],
    options: [
      { name: 'approve', short: 'a', about: 'Approve it' },
      { name: 'request-changes', short: 'r', about: 'Ask for changes' },
      { name: 'comment', short: 'c', about: 'Only comment' },
      body,
      bodyFile,
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr-merge.ts')).reviewPullRequest,
  },
  {
    name: 'forge pr merge',
    about: 'Merge a pull request as one commit',
    args: [which],
    options: [
      { name: 'squash', short: 's', about: 'As one commit (has to be given; the only way there is)' },
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
        about: 'Text of the commit (default: that of the pull request)',
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
    examples: [['gatewright forge pr merge 7 --squash --delete-branch', 'merge and tidy up']],
    load: async () => (await import('./commands/forge-pr-merge.ts')).mergePullRequest,
  },
  {
    name: 'forge pr update-branch',
    about: 'Merge the base into the branch of a pull request',
    args: [which],
    options: [repo, json],
    load: async () => (await import('./commands/forge-pr-merge.ts')).updatePullRequest,
  },
  {
    name: 'forge pr comment',
    about: 'Comment on a pull request',
    args: [which],
    options: [body, bodyFile, repo, json],
    load: async () => (await import('./commands/forge-pr.ts')).commentOnPullRequest,
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
      { name: 'add-assignee', value: 'LOGIN', about: 'Assign somebody', repeatable: true },
      { name: 'remove-assignee', value: 'LOGIN', about: 'Take somebody off', repeatable: true },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr.ts')).editPullRequest,
  },
  {
    name: 'forge pr ready',
    about: 'Say that a draft is ready to be merged',
    args: [which],
    options: [{ name: 'undo', about: 'Make it a draft again' }, repo, json],
    load: async () => (await import('./commands/forge-pr.ts')).readyPullRequest,
  },
  {
    name: 'forge pr close',
    about: 'Close a pull request without merging it',
    args: [which],
    options: [
      { name: 'comment', short: 'c', value: 'TEXT', about: 'Leave a comment with it' },
      { name: 'delete-branch', short: 'd', about: 'Delete its branch afterwards' },
      repo,
      json,
    ],
    load: async () => (await import('./commands/forge-pr.ts')).closePullRequest,
  },
  {
    name: 'forge pr reopen',
    about: 'Reopen a pull request',
    args: [which],
    options: [{ name: 'comment', short: 'c', value: 'TEXT', about: 'Leave a comment with it' }, repo, json],
    load: async () => (await import('./commands/forge-pr.ts')).reopenPullRequest,
  },
];
