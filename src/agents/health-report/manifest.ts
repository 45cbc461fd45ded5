/** What health-report is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

export const healthReportManifest: Manifest<'health-report'> = {
  name: 'health-report',
  purpose: 'Tells once a week how much of what the agents began was merged, how fast, and what failed.',
  triggers: [{ schedule: { weekday: 5, hour: 9, minute: 0 } }],
  model: 'none',
  turns: 10,
  may: { 'create-issue': 1, 'ensure-label': 1 },
  help: {
    does: 'Opens an issue with a week in numbers: how much of what the agents began was merged, how fast, by risk label, and which runs failed or stopped. All of it is counted by code.',
    stops: 'After one report a week.',
    holdBack: 'Close the issue when you have read it; gardening leaves it alone.',
    never: 'Lets a model count, or changes anything that it reports on.',
  },
};
