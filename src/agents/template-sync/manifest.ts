/** The manifest of template-sync: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const templateSyncManifest: Manifest<'template-sync'> = {
  name: 'template-sync',
  purpose: 'Proposes what changed in the template of the repository.',
  triggers: [{ schedule: { weekday: 1, hour: 0, minute: 0 } }],
  model: 'none',
  turns: 0,
  may: {
    'push-branch': 1,
    'create-pull-request': 1,
    'create-issue': 2,
    'create-comment': 3,
    'close-issue': 1,
    'edit-labels': 1,
    'ensure-label': 4,
  },
  help: {
    does: 'Compares the repository with the template of fleet.template and opens a pull request labelled "template_sync" with what changed there. It skips the paths in .templatesyncignore.',
    stops:
      'It does nothing without a template or without changes in it. It leaves out what does not fit, names it in the pull request and sets "conflict". It does not touch its pull request after a person pushed to it. When something stops it, it opens an issue labelled "agent-stopped" that says why and how to go on, and closes it after the next good run.',
    holdBack:
      'List paths in .templatesyncignore, or close the pull request: then its changes are not proposed again.',
    never: 'Resolves a conflict by guessing, or merges its own pull request.',
  },
};
