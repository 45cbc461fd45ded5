/** The manifest of doc-drift: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const docDriftManifest: Manifest<'doc-drift'> = {
  name: 'doc-drift',
  purpose: 'Finds documentation of things that do not exist, and opens a pull request that corrects it.',
  triggers: [{ schedule: { weekday: 1, hour: 10, minute: 0 } }],
  model: 'coder',
  turns: 10,
  may: {
    'push-branch': 1,
    'create-pull-request': 1,
    'edit-labels': 1,
    'ensure-label': 3,
    'create-issue': 1,
    'create-comment': 2,
    'close-issue': 1,
  },
  handsOnPullRequests: true,
  help: {
    does: 'Code looks for paths, links, headings and commands in the documentation that do not exist. If it finds some, a model writes the correction. The correction becomes a pull request that is reviewed like any other.',
    stops:
      'It does nothing when nothing is wrong, or while its last pull request is open. When something stops it, it opens an issue labelled "agent-stopped" that says why and how to go on, and closes it after the next good run.',
    holdBack: 'Close the pull request, or set "hold" on it.',
    never: 'Changes code, or rewrites correct sentences: such changes of the model are dropped.',
  },
};
