/** The manifest of stale-gardener: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const staleGardenerManifest: Manifest<'stale-gardener'> = {
  name: 'stale-gardener',
  purpose: 'Marks stale issues, closes abandoned ones and labels unlabelled ones.',
  triggers: [{ schedule: { weekday: 1, hour: 9, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-comment': 52, 'edit-labels': 50, 'close-issue': 51, 'ensure-label': 7, 'create-issue': 2 },
  help: {
    does: 'Marks issues without activity for 30 days, closes marked issues after 60 days without activity and at least two weeks after the warning, and labels issues that had no label for a day, by their text. It lists what it did in a report.',
    stops:
      'It makes 50 changes in one run at most, the oldest first; the rest waits for the next week. The next run removes the mark from issues with new comments. When something stops it, it opens an issue labelled "agent-stopped" that says why and how to go on, and closes it after the next good run.',
    holdBack:
      'Comment on the issue, or set "pinned", "hold", "blocked" or "security". It leaves reports alone, and issues that an agent plans or works on.',
    never: 'Closes an issue that it has not marked in an earlier run, or changes pull requests.',
  },
};
