/** The manifest of the pipeline: the events that start and continue it. */
import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import type { EventOf } from '../../domain/fleet/event.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { choreSubject } from '../../domain/ledger/subject.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { WorkflowManifest } from '../workflow.ts';

function isOrder({ isPullRequest, label }: EventOf<'labeled'>): boolean {
  return !isPullRequest && label.toLowerCase() === labelNames.agent.toLowerCase();
}

export const pipelineManifest: WorkflowManifest<'pipeline'> = {
  name: 'pipeline',
  purpose:
    'Brings an issue through six stages (triage, analyst, writer, build, reviewer, committer) to a pull request.',
  subjectOf: (repository, number) => choreSubject(repository, `pipeline-${number}`),
  insteadOfFork:
    'Go back to a stage with "gatewright solve N --from STAGE"; --coder and the like name other models.',
  triggers: [
    {
      on: 'labeled',
      as: 'order',
      when: `the label is "${labelNames.agent}", and no other workflow works on the issue`,
      asks: (event) => (isOrder(event) ? ['openRun'] : []),
      decides: (event, { openRun }) =>
        isOrder(event) && (openRun === null || openRun.workflow === 'pipeline'),
    },
    {
      on: 'comment-created',
      as: 'order',
      when: 'a pipeline works on the issue, and it mentions the agent',
      asks: ({ isPullRequest, text }) => (isPullRequest || carriesMarker(text) ? [] : ['openRun']),
      decides: ({ isPullRequest, text }, { openRun, handle }) => {
        if (isPullRequest || openRun?.workflow !== 'pipeline' || carriesMarker(text)) return false;
        return mentions(text, handle) || openRun.status === 'running';
      },
    },
  ],
};
