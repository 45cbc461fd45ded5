/** The manifest of daily-digest: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const dailyDigestManifest: Manifest<'daily-digest'> = {
  name: 'daily-digest',
  purpose: 'Reports once a day what was done, what waits and what is stuck.',
  triggers: [{ schedule: { weekday: null, hour: 8, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-issue': 2, 'ensure-label': 2, 'close-issue': 11, 'create-comment': 2 },
  help: {
    does: 'Opens an issue that lists what was merged, opened and closed in the last day, what waits for a person and what is stuck.',
    stops:
      'It opens no issue when nothing happened. When something stops it, it opens an issue labelled "agent-stopped" that says why and how to go on, and closes it after the next good run.',
    holdBack:
      'The next digest closes the last one. To keep one open, set "hold" on it or remove its label. The stale-gardener leaves digests alone.',
    never:
      'Changes what it reports on, or closes an issue that is neither its own digest nor its own note of a stop.',
  },
};
