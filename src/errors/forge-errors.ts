/** Errors about the forge and what is put there. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const forgeErrors = {
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
  'forge-sso-required': {
    retry: 'after-human',
    meaning: 'The organisation wants the token to be authorized for single sign-on.',
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
    meaning: 'The repository has no issues: they are turned off.',
    hint: 'An administrator turns issues on under Settings, General, Features.',
  },
  'forge-archived': {
    retry: 'after-human',
    meaning: 'The repository is archived, so nothing can be changed in it.',
    hint: 'An administrator can unarchive it under Settings.',
  },
  'forge-not-found': {
    retry: 'never',
    meaning: 'The forge has no such thing.',
    hint: 'Check the name and the number; on the local forge list what is there with: gatewright forge issue list, gatewright forge pr list',
  },
  'forge-moved': {
    retry: 'never',
    meaning: 'What it is about is in another repository now.',
    hint: 'Nothing was done in the other repository. Go on there: ask for it again where it is now, or point the git remote "origin" (or --repo) at the repository that you mean.',
  },
  'forge-gone': {
    retry: 'never',
    meaning: 'What it is about was deleted on the forge.',
    hint: 'Nothing can be done about it any more; if it is still wanted, file it again.',
  },
  'forge-rejected': {
    retry: 'after-human',
    meaning: 'The forge refused the content.',
    hint: 'Change what the message names and try again; if it is a draft, edit it and resume the run.',
  },
  'forge-unavailable': {
    retry: 'later',
    meaning: 'The forge did not answer.',
    hint: 'Try again in a moment; nothing is filed twice.',
  },
  'forge-lagging': {
    retry: 'later',
    meaning: 'The forge does not know yet what was pushed or made a moment ago.',
    hint: 'Resume the run in a minute; what was paid for is kept, and nothing is done twice.',
  },
  'forge-rate-limited': {
    retry: 'later',
    meaning: 'The forge wants no more requests for a while.',
    hint: 'Wait until the moment named in the message, then resume the run; nothing is filed twice.',
  },
  'forge-github-only': {
    retry: 'never',
    meaning: 'The command works with GitHub only.',
    hint: 'For the local forge there is: gatewright watch',
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
    meaning: 'The forge has a branch of that name already.',
    hint: 'Choose another name, or delete the branch if nobody needs it.',
  },
  'remark-outside-diff': {
    retry: 'after-human',
    meaning: 'A remark of a review is about a line that the forge does not show in the diff.',
    hint: 'Say it in the text of the review.',
  },
  'head-moved': {
    retry: 'later',
    meaning:
      'A branch has moved on since it was looked at, so a decision about the earlier commit does not count.',
    hint: 'Look at the new commit and decide again.',
  },
  'pull-request-exists': {
    retry: 'after-human',
    meaning: 'A pull request from that branch to that base is open already.',
    hint: 'Use the open one, or close it first.',
  },
  'merge-conflict': {
    retry: 'after-human',
    meaning: 'The change and its base touch the same lines.',
    hint: 'Merge the base into the branch with git, settle the conflicts, commit and try again.',
  },
  'push-refused': {
    retry: 'after-human',
    meaning:
      'The branch may not be moved: it is protected, checked out by somebody, or the change is of a kind that may not be pushed.',
    hint: 'The message holds what the forge said. Change the rule or push to another branch.',
  },
  'merge-refused': {
    retry: 'after-human',
    meaning:
      'The pull request cannot be merged as it stands: closed, a draft, or held up by a rule of the repository.',
    hint: 'See what the pull request waits for.',
  },
} as const satisfies Record<string, CatalogueEntry>;
