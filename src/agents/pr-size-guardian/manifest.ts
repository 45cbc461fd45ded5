/** What pr-size-guardian is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

export const prSizeGuardianManifest: Manifest<'pr-size-guardian'> = {
  name: 'pr-size-guardian',
  purpose: 'Warns when a change is too large to be reviewed well.',
  triggers: [
    { on: 'pull-request-opened', as: 'observation', when: 'always' },
    { on: 'pull-request-synchronized', as: 'observation', when: 'always' },
  ],
  model: 'none',
  turns: 3,
  may: { 'create-comment': 3 },
  help: {
    does: 'Counts the changed lines, by code, and asks to split a pull request of more than 400.',
    stops: 'After one warning for each pull request. Changes of the template sync are not counted.',
    holdBack: 'Make it smaller, or let the warning stand: it keeps nothing from being merged.',
    never: 'Blocks a pull request or asks a model.',
  },
};
