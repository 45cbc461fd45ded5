/** Errors about the command line, the settings and the program itself. */
import type { CatalogueEntry } from './catalogue-entry.ts';

export const setupErrors = {
  usage: {
    retry: 'never',
    meaning: 'The command line could not be understood.',
    hint: 'Run the command with --help to see what it takes.',
  },
  'server-cannot-listen': {
    retry: 'after-human',
    meaning: 'The address or the port to receive deliveries at cannot be used.',
    hint: 'Choose another with --port or --host; something else may be using it.',
  },
  'server-busy': {
    retry: 'later',
    meaning:
      'Deliveries were turned away, because requests that are not known to be signed took all the room.',
    hint: 'Send what failed again from the list of deliveries on GitHub. If it goes on, let only GitHub reach the port: a proxy or a firewall can.',
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
  'config-invalid': {
    retry: 'after-human',
    meaning: 'A setting has a value that cannot be used.',
    hint: 'Correct the setting named in the message.',
  },
  'sandbox-missing': {
    retry: 'after-human',
    meaning: 'A sandbox is required for what agents and their commands do, and none can be had here.',
    hint: 'Install the package "bubblewrap" (Linux) or allow unprivileged user namespaces; see: gatewright doctor. Or do without one: GATEWRIGHT_SANDBOX=prefer',
  },
  'sandbox-untried': {
    retry: 'later',
    meaning:
      'Trying out the sandbox of this machine took too long, so it is not known whether there is one; nothing was run without it.',
    hint: 'Try again when the machine is less busy. If it is not busy, look with: gatewright doctor',
  },
  internal: {
    retry: 'never',
    meaning: 'Something happened that should not be possible.',
    hint: 'Run again with GATEWRIGHT_DEBUG=1 and report what it prints.',
  },
} as const satisfies Record<string, CatalogueEntry>;
