/** Errors about models, their keys, budgets and cassettes. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const modelErrors = {
  'model-unknown': {
    retry: 'after-human',
    meaning: 'No such model is available.',
    hint: 'Use google:MODEL, anthropic:MODEL, openai:MODEL, claude:MODEL (drafter only), cassette:FILE, builtin:outline or builtin:checklist.',
  },
  'model-not-authenticated': {
    retry: 'after-human',
    meaning: 'The provider of the model accepts none of the credentials.',
    hint: 'Replace the credentials named in the message, then resume the run.',
  },
  'coder-not-installed': {
    retry: 'after-human',
    meaning: 'The program of the coding agent is not there.',
    hint: 'Install the Claude Code CLI so that `claude` is found in PATH, or name another coder (GATEWRIGHT_CODER, --coder); `gatewright doctor` looks. Then resume the run.',
  },
  'model-not-installed': {
    retry: 'after-human',
    meaning: 'The program that the model is asked through is not there or cannot be started.',
    hint: 'Install the Claude Code CLI so that `claude` is found in PATH and log in there, or name another model for that role (GATEWRIGHT_DRAFTER, GATEWRIGHT_CODE_REVIEWER, GATEWRIGHT_WRITER); `gatewright doctor` looks. Then resume the run.',
  },
  'model-refused': {
    retry: 'after-human',
    meaning: 'The provider of the model refused the request itself.',
    hint: 'The message says what it did not accept. Choose another model or change the brief, then resume.',
  },
  'model-unavailable': {
    retry: 'later',
    meaning: 'The model did not answer: overloaded, unreachable, or silent for too long.',
    hint: 'Resume the run in a few minutes; the same step is tried again.',
  },
  'call-cut-off': {
    retry: 'later',
    meaning:
      'Gatewright was ended while a model or a coding agent was at work, so nobody was told what that cost. The most that it can have been is counted against the budgets.',
    hint: 'Nothing has to be done. What was really paid is on the bill of the provider.',
  },
  'model-mismatch': {
    retry: 'after-human',
    meaning: 'Another model answered than the one that was asked for, so the answer was not used.',
    hint: 'Check the model name and the base URL of the provider, then resume the run.',
  },
  'quota-exhausted': {
    retry: 'later',
    meaning: 'Every credential for the model is out of quota, so the run is paused.',
    hint: 'Resume the run at the time named in the message, or add another credential; it costs no attempt.',
  },
  'model-unusable-answer': {
    retry: 'later',
    meaning: 'The model answered something that cannot be used.',
    hint: 'Resume the run to ask again.',
  },
  'models-not-independent': {
    retry: 'after-human',
    meaning: 'Drafter and reviewer are of one model family, so the review would not be independent.',
    hint: 'Choose another reviewer, or accept it knowingly with --waive-independence "REASON" (recorded).',
  },
  'cassette-invalid': {
    retry: 'after-human',
    meaning: 'The cassette file cannot be used.',
    hint: 'The format is described in docs/cassettes.md.',
  },
  'cassette-secret': {
    retry: 'after-human',
    meaning: 'A recording would hold one of your keys, so it was not written.',
    hint: 'Replace the key with its provider: it stands in the brief, a draft or an answer.',
  },
  'cassette-mismatch': {
    retry: 'after-human',
    meaning: 'The cassette has no answer for exactly this request, and a replay never guesses.',
    hint: 'Use a cassette recorded for this brief and this version of the prompts.',
  },
  'budget-exceeded': {
    retry: 'after-human',
    meaning: 'The next model call could cost more than the budget allows, so it was not made.',
    hint: 'Raise the limit named in the message, or wait until tomorrow for a daily one.',
  },
} as const satisfies Record<string, CatalogueEntry>;
