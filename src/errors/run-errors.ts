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
  'step-unknown': {
    retry: 'never',
    meaning: 'The run has no such step.',
    hint: 'See its steps with: gatewright runs show RUN',
  },
  'fork-refused': {
    retry: 'never',
    meaning: 'A fork may not begin there, or may not change that.',
    hint: 'Fork from a draft (N2) with --prompt, or from a gate (N3, N5) with --draft.',
  },
  'setup-failed': {
    retry: 'after-human',
    meaning:
      'The command of fleet.setup failed in a copy of the repository, so nothing was worked on or checked there.',
    hint: 'Try the command in a fresh clone. What it may reach is listed in fleet.setupHosts (GATEWRIGHT_SETUP_HOSTS); it sees no keys and no home folder.',
  },
  'run-not-found': {
    retry: 'never',
    meaning: 'No run matches what was asked for.',
    hint: 'List the runs with: gatewright runs',
  },
  'run-finished': {
    retry: 'never',
    meaning: 'The run is already done; there is nothing to resume.',
    hint: 'See what it did with: gatewright runs show RUN',
  },
  'subject-not-found': {
    retry: 'never',
    meaning: 'Nothing is known under that name.',
    hint: 'Use a brief file, a short name, a run id, a gate id or the number of an issue; list runs with: gatewright runs',
  },
  'gate-not-found': {
    retry: 'never',
    meaning: 'No gate has that id.',
    hint: 'List the open gates with: gatewright gates',
  },
  'gate-answered': {
    retry: 'never',
    meaning: 'The gate was answered already; the first valid answer counts.',
    hint: 'See where the run is now with: gatewright explain RUN',
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
  'run-in-circle': {
    retry: 'after-human',
    meaning:
      'The run came back to a gate that it had passed, without anything new; it would go round for ever.',
    hint: 'This should not happen: look whether the database was put back to an earlier state (gatewright ledger verify), and report it. Begin anew with --on-collision clean.',
  },
  'verdict-not-approved': {
    retry: 'after-human',
    meaning: 'Approval was chosen, but the verdict does not approve; nothing was recorded.',
    hint: 'Edit the verdict file if it is settled, choose "revise", or approve against the verdict with: gatewright gate answer ID --choice approve --against-verdict',
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
  'design-approved': {
    retry: 'after-human',
    meaning: 'The issue has an approved design, and its text has not changed since.',
    hint: 'Use the design that is there, or make another with --again.',
  },
  'issue-changed': {
    retry: 'after-human',
    meaning: 'The text of the issue was changed while its design was being made.',
    hint: 'Give the run up and begin anew with: gatewright lld NUMBER --on-collision clean. Or put the text of the issue back and resume.',
  },
  'work-refused': {
    retry: 'after-human',
    meaning:
      'Some of what a coding agent left in its folder cannot be taken over. The rest is on its branch, and no pull request was made.',
    hint: 'The message says what stands in the way. Say in a comment how to do without it.',
  },
  'work-has-secret': {
    retry: 'after-human',
    meaning:
      'A change by a coding agent holds what looks like a key or a password. The files that hold it were not pushed; the rest is on its branch.',
    hint: 'If the key is real, replace it with its provider. Say in a comment where it should come from instead.',
  },
  'nothing-changed': {
    retry: 'after-human',
    meaning: 'A coding agent ended without having changed anything.',
    hint: 'What it said stands in a comment on the issue. Answer there.',
  },
  'plan-unfinished': {
    retry: 'after-human',
    meaning: 'The turns for planning ran out before there was a plan.',
    hint: 'Say in a comment what to look at, or split the issue.',
  },
  held: {
    retry: 'after-human',
    meaning: 'The label "hold" is on the issue or pull request, so that nothing is begun there.',
    hint: 'Take the label off: the work then goes on by itself. It has to be a person with write permission.',
  },
  'order-outdated': {
    retry: 'after-human',
    meaning:
      'The text of the issue was changed after somebody ordered work on it, by somebody who may not give orders or is not known, so nothing was run.',
    hint: 'Read the issue again. If it says what you want, order it anew in a comment; a plan that was made before is made anew then.',
  },
  'event-invalid': {
    retry: 'never',
    meaning: 'An event does not have the form that its sender gives such events.',
    hint: 'Pass the payload as it was delivered, and the name from the header x-github-event.',
  },
  'event-unreadable': {
    retry: 'never',
    meaning: 'An event that was stored cannot be read back: another version wrote it, or it was damaged.',
    hint: 'Look at the ledger with: gatewright ledger verify. Ask again on the issue or the pull request to have it worked on.',
  },
} as const satisfies Record<string, CatalogueEntry>;
