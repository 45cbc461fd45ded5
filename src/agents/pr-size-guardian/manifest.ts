/** The manifest of pr-size-guardian: its purpose, the events that start it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const prSizeGuardianManifest: Manifest<'pr-size-guardian'> = {
  name: 'pr-size-guardian',
  purpose: 'Warns about changes that are too large to review well.',
  triggers: [
    { on: 'pull-request-opened', as: 'observation', when: 'always' },
    { on: 'pull-request-synchronized', as: 'observation', when: 'always' },
  ],
  model: 'none',
  turns: 3,
  may: { 'create-comment': 3 },
  help: {
    does: 'Counts the changed lines and asks to split a pull request of more than 400.',
    stops: 'It warns once for each pull request. It does not count pull requests of template-sync.',
    holdBack: 'Split the pull request, or ignore the warning: it blocks no merge.',
    never: 'Blocks a pull request or asks a model.',
  },
};
