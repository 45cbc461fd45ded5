/** Errors about briefs, runs and gates. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const runErrors = {
  'brief-not-found': {
    retry: 'after-human',
    meaning: 'The brief file does not exist or cannot be read.',
    hint: 'Check the path, or list the ideas with: gatewright issue --select',
  },
  'brief-empty': {
    retry: 'after-human',
    meaning: 'The brief contains no text.',
    hint: 'Write down what you want, even three sentences, and run the command again.',
  },
  'brief-unreadable': {
    retry: 'after-human',
    meaning: 'The brief is not a text file in UTF-8 of at most 256 KiB.',
    hint: 'Save it as UTF-8 text (Markdown); put large material into other files and mention them in the brief.',
  },
  'slug-invalid': {
    retry: 'after-human',
    meaning: 'The file name gives no usable short name, or the given short name is not allowed.',
    hint: 'Give one with --slug: lower-case letters, digits and single hyphens, at most 80 characters.',
  },
  'slug-taken': {
    retry: 'after-human',
    meaning: 'Another run already uses this short name.',
    hint: 'Choose with --on-collision resume|clean, or give another name with --slug.',
  },
  'step-unknown': {
    retry: 'never',
    meaning: 'The run has no such step.',
    hint: 'See its steps with: gatewright runs show RUN',
  },
  'second-issue': {
    retry: 'after-human',
    meaning: 'A fork would file a second issue beside the one of the run that it was forked from.',
    hint: 'To file it all the same, continue the run with --second-issue. Else give the fork up: gatewright runs cancel RUN.',
  },
  'fork-refused': {
    retry: 'never',
    meaning: 'A fork cannot start at this step, or cannot change this.',
    hint: 'Fork from a draft (N2) with --prompt, from a gate (N3, N5) with --draft, or an agent from a question to a model.',
  },
  'setup-failed': {
    retry: 'after-human',
    meaning:
      'The command of fleet.setup failed in a copy of the repository, so the agent did no work and no check there.',
    hint: 'Try the command in a fresh clone. It can reach only the hosts in fleet.setupHosts (GATEWRIGHT_SETUP_HOSTS), and sees no keys and no home folder.',
  },
  'run-not-found': {
    retry: 'never',
    meaning: 'No run has this name or id.',
    hint: 'List the runs with: gatewright runs',
  },
  'run-finished': {
    retry: 'never',
    meaning: 'The run is already done; there is nothing to resume.',
    hint: 'See what it did with: gatewright runs show RUN',
  },
  'subject-not-found': {
    retry: 'never',
    meaning: 'Gatewright knows nothing with this name.',
    hint: 'Use a brief file, a short name, a run id, a gate id or the number of an issue; list runs with: gatewright runs',
  },
  'gate-not-found': {
    retry: 'never',
    meaning: 'No gate has that id.',
    hint: 'List the open gates with: gatewright gates',
  },
  'gate-answered': {
    retry: 'never',
    meaning: 'The gate is already answered; the first valid answer counts.',
    hint: 'See where the run is now with: gatewright explain RUN',
  },
  'gate-content-changed': {
    retry: 'after-human',
    meaning: 'The content of the gate changed after you saw it, so the answer was refused.',
    hint: 'Look at the content again (gatewright gates) and answer again.',
  },
  'gate-content-gone': {
    retry: 'after-human',
    meaning: 'A file that the gate asks about was removed.',
    hint: 'Restore the file and resume the run, or start again with --on-collision clean.',
  },
  'run-in-circle': {
    retry: 'after-human',
    meaning:
      'The run came back to a gate that it had already passed, without new content, and would repeat for ever.',
    hint: 'This is probably a bug: report it. First check whether the database was set back to an earlier state (gatewright ledger verify). To start again: --on-collision clean',
  },
  'verdict-not-approved': {
    retry: 'after-human',
    meaning: 'You chose to approve, but the verdict does not approve; nothing was recorded.',
    hint: 'Edit the verdict file if its findings are resolved, choose "revise", or approve against the verdict with: gatewright gate answer ID --choice approve --against-verdict',
  },
  'gate-choice-invalid': {
    retry: 'after-human',
    meaning: 'The gate does not offer that choice.',
    hint: 'See the choices with: gatewright gates',
  },
  'lease-held': {
    retry: 'later',
    meaning: 'Another process is working on this subject now.',
    hint: 'Wait until it ends, or see its open gate with: gatewright gates',
  },
  'lease-lost': {
    retry: 'later',
    meaning:
      'This process lost its lease on the subject: another process took the lease while this one was stopped.',
    hint: 'Nothing was written after that. See which process holds the lease with: gatewright status',
  },
  'effect-held-back': {
    retry: 'later',
    meaning:
      'This process may change nothing outside; the process that applies the proposal makes the change.',
    hint: 'Hand the proposal to: gatewright actions apply --proposal FILE',
  },
  'waits-for-model': {
    retry: 'later',
    meaning: 'The run needs a model, and this process asks none; nothing was spent and no attempt was used.',
    hint: 'The next propose job of the workflow asks the model. On a machine with models, continue with: gatewright dispatch --resume RUN',
  },
  'proposal-refused': {
    retry: 'never',
    meaning: 'The proposal is not what this workflow run has to get; nothing of it was used.',
    hint: 'Run the workflow again: its propose job makes a new proposal. The message says what was wrong.',
  },
  'preflight-failed': {
    retry: 'after-human',
    meaning: 'Something that the workflow needs is missing. No model was called, so nothing was spent.',
    hint: 'Fix each marked line, then resume the run.',
  },
  'iteration-limit': {
    retry: 'after-human',
    meaning: 'The run reached its limit of rounds.',
    hint: 'Look at the last verdict, then continue with a higher --max-iterations.',
  },
  'no-progress': {
    retry: 'after-human',
    meaning: 'A revision came back unchanged, so another round would change nothing.',
    hint: 'Edit the draft yourself: resume the run without --auto.',
  },
  'verdict-undecided': {
    retry: 'after-human',
    meaning: 'The verdict does not have exactly one ticked box, or asks to discuss.',
    hint: 'Resume the run without --auto and decide, or edit the verdict file so that exactly one box is ticked.',
  },
  'design-approved': {
    retry: 'after-human',
    meaning: 'The issue has an approved design, and its text has not changed since.',
    hint: 'Use the existing design, or make another one with --again.',
  },
  'issue-changed': {
    retry: 'after-human',
    meaning: 'The text of the issue was changed while its design was being made.',
    hint: 'Give the run up and start again with: gatewright lld NUMBER --on-collision clean. Or restore the text of the issue and resume the run.',
  },
  'work-refused': {
    retry: 'after-human',
    meaning:
      'Some files of the coding agent cannot be taken over. The rest is on its branch, and no pull request was made.',
    hint: 'The message names the files and the reasons. Say in a comment how to do the work without them.',
  },
  'conflict-by-hand': {
    retry: 'after-human',
    meaning:
      'A pull request conflicts with its base in files that only a person settles: links, binary files, files that steer builds or agents, or files that both sides moved.',
    hint: 'Merge the base into the branch with git, settle the conflicts and push. The comment on the pull request names the files.',
  },
  'work-has-secret': {
    retry: 'after-human',
    meaning:
      'A change by a coding agent contains text that looks like a key or a password. These files were not pushed; the rest is on its branch.',
    hint: 'If the key is real, revoke it at its provider and make a new one. Say in a comment where the program should get it from.',
  },
  'nothing-changed': {
    retry: 'after-human',
    meaning: 'The coding agent ended without a change.',
    hint: 'A comment on the issue contains its message. Answer there.',
  },
  'plan-unfinished': {
    retry: 'after-human',
    meaning: 'The planning agent used all its turns before it had a plan.',
    hint: 'Say in a comment what to look at, or split the issue.',
  },
  'prd-invalid': {
    retry: 'after-human',
    meaning: 'The file prd.json does not have the form of a task list.',
    hint: 'Correct the fields that are named above. The form is in docs/prd.schema.json.',
  },
  'issue-state-invalid': {
    retry: 'after-human',
    meaning: 'The file issue-state.json does not have the form of the state of a pipeline.',
    hint: 'Correct the fields that are named above. The form is in docs/issue-state.schema.json.',
  },
  'stage-overstepped': {
    retry: 'after-human',
    meaning:
      'A stage of the pipeline wrote into sections that are not its own, twice. None of it was taken over.',
    hint: 'Have it tried again with other words or another model; "gatewright runs show" shows what it wrote.',
  },
  'analysis-invalid': {
    retry: 'after-human',
    meaning: 'The analysis of an issue names files or tests that cannot be, also after it was sent back.',
    hint: 'Have it tried again, and say which files are meant.',
  },
  'no-test-command': {
    retry: 'after-human',
    meaning: 'The work needs a test, and it is not known how the tests of the project are run.',
    hint: 'Set fleet.verify in the settings of the repository (gatewright init proposes it), then resume the run.',
  },
  'branch-taken': {
    retry: 'after-human',
    meaning:
      'The branch that a pipeline pushes to holds commits that no pipeline of the issue made, or an open pull request rests on it.',
    hint: 'Delete or rename that branch if it is not needed any more, then resume the run.',
  },
  held: {
    retry: 'after-human',
    meaning: 'The issue or pull request has the label "hold", so no work starts there.',
    hint: 'A person with write permission removes the label; the work then resumes by itself.',
  },
  'order-outdated': {
    retry: 'after-human',
    meaning:
      'An account without permission to give orders, or an unknown one, changed the text of the issue after the order, so the work did not start.',
    hint: 'Read the issue again. If it says what you want, give the order again in a comment; an earlier plan is then made again.',
  },
  'prd-not-approved': {
    retry: 'after-human',
    meaning:
      'The file prd.json holds a verify command that no approved plan has. None of its commands was run.',
    hint: 'Take the command out of prd.json on the branch and push it, or have a new plan approved that holds it.',
  },
  'loop-config-invalid': {
    retry: 'after-human',
    meaning: 'The file .issueloop.config.json of the base branch has errors; each is listed with its place.',
    hint: 'Correct the file on the base branch, then continue.',
  },
  'branch-gone': {
    retry: 'after-human',
    meaning: 'The branch that a loop works on was deleted.',
    hint: 'Restore the branch on the forge, or end the loop with: gatewright runs cancel RUN',
  },
  'event-invalid': {
    retry: 'never',
    meaning: 'The event does not have the form of its kind.',
    hint: 'Pass the payload unchanged, and the name from the header x-github-event.',
  },
  'event-unreadable': {
    retry: 'never',
    meaning: 'A stored event cannot be read: another version wrote it, or it is damaged.',
    hint: 'Check the ledger with: gatewright ledger verify. Then give the order again on the issue or the pull request.',
  },
} as const satisfies Record<string, CatalogueEntry>;
