/** The manifest of health-report: its purpose, the schedule that starts it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

export const healthReportManifest: Manifest<'health-report'> = {
  name: 'health-report',
  purpose: 'Reports once a week how much of the agents’ work was merged, how fast, and what failed.',
  triggers: [{ schedule: { weekday: 5, hour: 9, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-issue': 2, 'ensure-label': 2, 'close-issue': 1, 'create-comment': 2 },
  help: {
    does: 'Opens an issue with the numbers of a week: how much of the agents’ work was merged, how fast, by risk label, and which runs failed or stopped. Code counts all of it.',
    stops:
      'It writes one report a week. When something stops it, it opens an issue labelled "agent-stopped" that says why and how to go on, and closes it after the next good run.',
    holdBack: 'Close the issue when you have read it. The stale-gardener leaves reports alone.',
    never: 'Lets a model count, or changes what it reports on.',
  },
};
