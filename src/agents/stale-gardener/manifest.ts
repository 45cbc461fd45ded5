/** What stale-gardener is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

export const staleGardenerManifest: Manifest<'stale-gardener'> = {
  name: 'stale-gardener',
  purpose: 'Marks issues that nobody speaks of, closes abandoned ones, labels the unlabelled.',
  triggers: [{ schedule: { weekday: 1, hour: 9, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-comment': 50, 'edit-labels': 50, 'close-issue': 50, 'ensure-label': 6, 'create-issue': 1 },
  help: {
    does: 'Marks issues on which nothing happened for 30 days, closes those that it warned of two weeks before and that are quiet for 60, and gives issues that nobody labelled for a day a label by what they say. Tells in a report of its own what it did, if it did something.',
    stops:
      'After 50 changes in one run, the oldest first; the rest waits for the next week. In the next week it takes the mark away again where somebody spoke.',
    holdBack:
      'Say something on the issue, or set "pinned", "hold", "blocked" or "security". Issues being planned or worked on and reports are left alone anyway.',
    never: 'Closes an issue that it has not marked in an earlier run, or touches pull requests.',
  },
};
