/** Errors about the forge and what is put there. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const forgeErrors = {
  'forge-not-authenticated': {
    retry: 'after-human',
    meaning: 'The forge does not know your login.',
    hint: 'On the local forge set GATEWRIGHT_ACTOR to your login; on GitHub set GITHUB_TOKEN or run: gh auth login',
  },
  'forge-forbidden': {
    retry: 'after-human',
    meaning: 'You do not have the permission for this on the forge.',
    hint: 'Ask an administrator of the repository for the permission; on the local forge: gatewright forge permission set LOGIN write',
  },
  'forge-sso-required': {
    retry: 'after-human',
    meaning: 'The organisation requires that the token is authorized for single sign-on.',
    hint: 'Authorize the token for the organisation in the settings of the token (Configure SSO).',
  },
  'forge-app-not-installed': {
    retry: 'after-human',
    meaning: 'The GitHub App is not installed on the repository.',
    hint: 'Install the App on the repository (its settings, Install App), or check GATEWRIGHT_GITHUB_INSTALLATION_ID.',
  },
  'forge-app-refused': {
    retry: 'after-human',
    meaning: 'GitHub does not accept the App: its number, its key, or its installation.',
    hint: 'Check GATEWRIGHT_GITHUB_APP_ID and the key against the settings of the App.',
  },
  'forge-issues-disabled': {
    retry: 'after-human',
    meaning: 'Issues are turned off in the repository.',
    hint: 'An administrator turns issues on under Settings, General, Features.',
  },
  'forge-archived': {
    retry: 'after-human',
    meaning: 'The repository is archived, so nothing can be changed in it.',
    hint: 'An administrator can unarchive it under Settings.',
  },
  'forge-not-found': {
    retry: 'never',
    meaning: 'The forge does not have what was asked for.',
    hint: 'Check the name and the number; on the local forge list issues and pull requests with: gatewright forge issue list, gatewright forge pr list',
  },
  'forge-moved': {
    retry: 'never',
    meaning: 'The issue, pull request or repository has moved to another repository or name.',
    hint: 'Nothing was done in the other repository. Ask again at the new place, or point the git remote "origin" (or --repo) at the repository that you mean.',
  },
  'forge-gone': {
    retry: 'never',
    meaning: 'The issue or pull request was deleted on the forge.',
    hint: 'If it is still needed, file it again.',
  },
  'forge-rejected': {
    retry: 'after-human',
    meaning: 'The forge refused the content.',
    hint: 'Change the part that the message names and try again; if it is a draft, edit it and resume the run.',
  },
  'forge-unavailable': {
    retry: 'later',
    meaning: 'The forge did not answer.',
    hint: 'Try again in a moment; nothing is filed twice.',
  },
  'forge-lagging': {
    retry: 'later',
    meaning: 'The forge does not know yet what was pushed or made a moment ago.',
    hint: 'Resume the run in a minute; paid answers are kept, and nothing is done twice.',
  },
  'forge-rate-limited': {
    retry: 'later',
    meaning: 'The forge refuses further requests until its rate limit is reset.',
    hint: 'Wait until the time in the message, then resume the run; nothing is filed twice.',
  },
  'forge-github-only': {
    retry: 'never',
    meaning: 'The command works with GitHub only.',
    hint: 'For the local forge use: gatewright watch',
  },
  'forge-local-only': {
    retry: 'never',
    meaning: 'The command works on the local forge only.',
    hint: 'On GitHub use gh or the web pages; for the local forge set GATEWRIGHT_FORGE=local.',
  },
  'forge-repository-unknown': {
    retry: 'after-human',
    meaning: 'Gatewright cannot tell which repository on the forge belongs to this folder.',
    hint: 'Name it with --repo OWNER/NAME, or point the git remote "origin" at it.',
  },
  'label-invalid': {
    retry: 'after-human',
    meaning: 'The name of a label is not allowed.',
    hint: 'Use 1 to 50 visible characters without commas.',
  },
  'label-reserved': {
    retry: 'after-human',
    meaning: 'The label steers Gatewright itself; a draft may not ask for it.',
    hint: 'Remove it from the **Labels:** line. A person with write permission can set it on the issue later.',
  },
  'title-invalid': {
    retry: 'after-human',
    meaning: 'The draft has no usable title.',
    hint: 'Start the draft with one "# Title" line of 1 to 256 visible characters.',
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
  'branch-exists': {
    retry: 'after-human',
    meaning: 'The forge already has a branch with this name.',
    hint: 'Choose another name, or delete the branch if it is not needed.',
  },
  'remark-outside-diff': {
    retry: 'after-human',
    meaning: 'A remark of a review is about a line that is not in the diff on the forge.',
    hint: 'Put the remark into the text of the review.',
  },
  'head-moved': {
    retry: 'later',
    meaning: 'The branch has a newer commit, so a decision about the earlier commit does not count.',
    hint: 'Look at the new commit and decide again.',
  },
  'pull-request-exists': {
    retry: 'after-human',
    meaning: 'A pull request from that branch to that base is already open.',
    hint: 'Use the open one, or close it first.',
  },
  'merge-conflict': {
    retry: 'after-human',
    meaning: 'The change and its base change the same lines.',
    hint: 'Merge the base into the branch with git, resolve the conflicts, commit and try again.',
  },
  'push-refused': {
    retry: 'after-human',
    meaning:
      'The push was refused: the branch is protected or checked out in a work tree, or changes of this kind may not be pushed.',
    hint: 'The message contains the answer of the forge. Change the rule or push to another branch.',
  },
  'checkout-in-the-way': {
    retry: 'after-human',
    meaning:
      'The branch is checked out in a work tree with changes that are not committed, or with a file in the way; nothing was changed.',
    hint: 'Commit or stash your changes in that folder (git stash --include-untracked), or switch to another branch there, and continue.',
  },
  'merge-refused': {
    retry: 'after-human',
    meaning:
      'The pull request cannot be merged: it is closed, a draft, or blocked by a rule of the repository.',
    hint: 'See what the pull request waits for.',
  },
} as const satisfies Record<string, CatalogueEntry>;
