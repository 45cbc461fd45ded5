/** What daily-digest is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

export const dailyDigestManifest: Manifest<'daily-digest'> = {
  name: 'daily-digest',
  purpose: 'Tells once a day what was done, what waits and what is stuck; nothing on a silent day.',
  triggers: [{ schedule: { weekday: null, hour: 8, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-issue': 1, 'ensure-label': 1, 'close-issue': 10 },
  help: {
    does: 'Opens an issue that tells what was merged, opened and closed in the last day, what waits for a person and what is stuck.',
    stops: 'Opens nothing when nothing happened.',
    holdBack:
      'The next digest closes it; to keep one open, set "hold" on it or take its label off. Gardening leaves it alone.',
    never: 'Changes anything that it reports on, or closes an issue that is no digest of its own.',
  },
};
