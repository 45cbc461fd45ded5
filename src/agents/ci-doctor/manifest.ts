/** What ci-doctor is for, what wakes it and how far it may go. */
import type { Manifest } from '../manifest.ts';

/** Workflows that run ci-doctor; it ignores its own failures. */
const ownWorkflows: readonly string[] = ['CI Doctor', 'ci-doctor'];

export const ciDoctorManifest: Manifest<'ci-doctor'> = {
  name: 'ci-doctor',
  purpose: 'Says of a failed build what failed, why, and what would fix it.',
  triggers: [
    {
      on: 'workflow-completed',
      as: 'observation',
      when: 'it failed, and is not its own',
      decides: ({ conclusion, name }) => conclusion === 'failure' && !ownWorkflows.includes(name),
    },
  ],
  model: 'writer',
  turns: 10,
  may: { 'create-comment': 1, 'comment-commit': 1 },
  help: {
    does: 'Reads the end of the log of a workflow that failed and says what failed, why, and what would fix it: on the pull request, or on the commit when there is none. Of work in progress on a branch of an agent it says nothing.',
    stops:
      'After one diagnosis of each failed run, and none for steps of a commit that were diagnosed before. After three at one pull request on one day it says so, once. Where no model answers, it tells the facts without its words.',
    holdBack: 'Switch it off with the setting fleet.agents.',
    never: 'Treats a workflow of its own, restarts anything, or changes code.',
  },
};
