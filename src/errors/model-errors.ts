/** Errors about models, their keys, budgets and cassettes. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const modelErrors = {
  'answer-outdated': {
    retry: 'later',
    meaning:
      'The question changed after the model had answered it, so the answer was paid for and is not used.',
    hint: 'Nothing has to be done: the model is asked again with what is known now.',
  },
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
    meaning: 'The program of the coding agent is not installed.',
    hint: 'Install the Claude Code CLI so that `claude` is found in PATH, or name another coder (GATEWRIGHT_CODER, --coder); `gatewright doctor` checks both. Then resume the run.',
  },
  'model-not-installed': {
    retry: 'after-human',
    meaning: 'The program that calls the model is not installed or cannot be started.',
    hint: 'Install the Claude Code CLI so that `claude` is found in PATH and log in there, or name another model for that role (GATEWRIGHT_DRAFTER, GATEWRIGHT_CODE_REVIEWER, GATEWRIGHT_WRITER); `gatewright doctor` checks both. Then resume the run.',
  },
  'model-refused': {
    retry: 'after-human',
    meaning: 'The provider of the model refused the request.',
    hint: 'The message says what the provider did not accept. Choose another model or change the brief, then resume the run.',
  },
  'model-unavailable': {
    retry: 'later',
    meaning: 'The model did not answer: it is overloaded or unreachable, or it took too long.',
    hint: 'Resume the run in a few minutes; the same step is tried again.',
  },
  'call-cut-off': {
    retry: 'later',
    meaning:
      'Gatewright was ended while a model or a coding agent worked, so the real cost is not known. The highest possible cost counts against the budgets.',
    hint: 'You need not do anything. The bill of the provider shows the real cost.',
  },
  'model-mismatch': {
    retry: 'after-human',
    meaning: 'Another model answered, not the one that was asked for, so the answer was not used.',
    hint: 'Check the model name and the base URL of the provider, then resume the run.',
  },
  'quota-exhausted': {
    retry: 'later',
    meaning: 'Every credential for the model is out of quota, so the run is paused.',
    hint: 'Resume the run at the time in the message, or add another credential; the same step is repeated and does not count as an attempt.',
  },
  'model-unusable-answer': {
    retry: 'later',
    meaning: 'The answer of the model cannot be used.',
    hint: 'Resume the run to ask again.',
  },
  'models-not-independent': {
    retry: 'after-human',
    meaning: 'Drafter and reviewer are of one model family, so the review would not be independent.',
    hint: 'Choose a reviewer of another family, or accept this with --waive-independence "REASON" (recorded on the ledger).',
  },
  'cassette-invalid': {
    retry: 'after-human',
    meaning: 'The cassette file cannot be used.',
    hint: 'Correct what the message names; docs/cassettes.md describes the format.',
  },
  'cassette-secret': {
    retry: 'after-human',
    meaning: 'The recording would contain one of your keys, so it was not written.',
    hint: 'The brief, a draft or an answer contains the key. Revoke it at its provider and make a new one.',
  },
  'cassette-mismatch': {
    retry: 'after-human',
    meaning: 'The cassette has no answer for exactly this request.',
    hint: 'Use a cassette recorded for this brief and this version of the prompts.',
  },
  'price-unknown': {
    retry: 'after-human',
    meaning: 'The price of the model is not known, so no budget in USD can limit it, and it was not asked.',
    hint: 'Set its price under "prices" in your configuration, or allow models without a price with GATEWRIGHT_BUDGET_UNPRICED=allow.',
  },
  'budget-exceeded': {
    retry: 'after-human',
    meaning: 'The next model call could cost more than the budget allows, so it was not made.',
    hint: 'Raise the limit named in the message, or wait until tomorrow for a daily one.',
  },
} as const satisfies Record<string, CatalogueEntry>;
