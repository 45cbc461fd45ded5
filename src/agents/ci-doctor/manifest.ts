/** The manifest of ci-doctor: its purpose, the events that start it, and the limits of what it may do. */
import type { Manifest } from '../manifest.ts';

/** Workflows that run ci-doctor; it ignores its own failures. */
const ownWorkflows: readonly string[] = ['CI Doctor', 'ci-doctor'];

export const ciDoctorManifest: Manifest<'ci-doctor'> = {
  name: 'ci-doctor',
  purpose: 'Explains a failed build: what failed, why, and what would fix it.',
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
  may: { 'create-comment': 3, 'comment-commit': 3 },
  help: {
    does: 'Reads the end of the log of a failed workflow and comments what failed, why, and what would fix it: on the pull request, or on the commit when there is none. It does not comment on unfinished work on a branch of an agent.',
    stops:
      'It writes one diagnosis for each failed run, and none for steps of a commit that it has diagnosed before. After three diagnoses on one pull request on one day it says so, once. When no model answers, it reports the facts alone. When something else stops it, it says so in the same place, once for each cause and commit.',
    holdBack: 'Switch it off with the setting fleet.agents.',
    never: 'Diagnoses workflows that run ci-doctor, restarts a build, or changes code.',
  },
};
