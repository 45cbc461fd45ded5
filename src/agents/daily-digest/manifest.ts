/** The manifest of daily-digest: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const dailyDigestManifest: Manifest<'daily-digest'> = {
  name: 'daily-digest',
  purpose: 'Reports once a day what was done, what waits and what is stuck.',
  triggers: [{ schedule: { weekday: null, hour: 8, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-issue': 1, 'ensure-label': 1, 'close-issue': 10 },
  help: {
    does: 'Opens an issue that lists what was merged, opened and closed in the last day, what waits for a person and what is stuck.',
    stops: 'It opens no issue when nothing happened.',
    holdBack:
      'The next digest closes the last one. To keep one open, set "hold" on it or remove its label. The stale-gardener leaves digests alone.',
    never: 'Changes what it reports on, or closes an issue that is not its own digest.',
  },
};
