/** Errors about the command line, the settings and the program itself. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const setupErrors = {
  usage: {
    retry: 'never',
    meaning: 'The command line is not valid.',
    hint: 'Run the command with --help to see its arguments and options.',
  },
  cancelled: {
    retry: 'after-human',
    meaning: 'A person stopped the command.',
    hint: 'Run it again when you are ready; nothing was lost.',
  },
  'test-mode-refused': {
    retry: 'never',
    meaning: 'Test mode approves everything, so it works on the local forge only.',
    hint: 'Unset GATEWRIGHT_TEST_MODE.',
  },
  'editor-failed': {
    retry: 'after-human',
    meaning: 'The editor did not start or ended with an error.',
    hint: 'Set GATEWRIGHT_EDITOR to a command that opens a file and waits, for example: code --wait',
  },
  'file-edited': {
    retry: 'after-human',
    meaning: 'A file that would be written anew was changed by a person.',
    hint: 'Look at what would change, then name the file with --overwrite, or leave it as it is.',
  },
  'config-invalid': {
    retry: 'after-human',
    meaning: 'A setting has a value that cannot be used.',
    hint: 'Correct the setting named in the message.',
  },
  'sandbox-missing': {
    retry: 'after-human',
    meaning:
      'The settings require a sandbox for agents and their commands, and this machine cannot make one.',
    hint: 'Install the package "bubblewrap" (Linux) or allow unprivileged user namespaces; see: gatewright doctor. Or run without a sandbox: GATEWRIGHT_SANDBOX=prefer',
  },
  'sandbox-untried': {
    retry: 'later',
    meaning:
      'The test of the sandbox took too long, so Gatewright does not know whether this machine can make one. Nothing was run without it.',
    hint: 'Try again when the machine is less busy. If it is not busy, run: gatewright doctor',
  },
  internal: {
    retry: 'never',
    meaning: 'An unexpected error happened. This is a bug.',
    hint: 'Run the command again with GATEWRIGHT_DEBUG=1 and report its output.',
  },
} as const satisfies Record<string, CatalogueEntry>;
