/** The manifest of the loop: the events that start and continue it. */
import { carriesMarker } from '../../domain/fleet/effect-marker.ts';
import type { EventOf } from '../../domain/fleet/event.ts';
import type { OpenRun } from '../../domain/fleet/trigger.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { choreSubject } from '../../domain/ledger/subject.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import type { WorkflowManifest } from '../workflow.ts';
import { readGateAnswer } from './rules/comments/gate-answers.ts';

function isLabel({ isPullRequest, label }: EventOf<'labeled'>, name: string): boolean {
  return !isPullRequest && label.toLowerCase() === name.toLowerCase();
}

/** What works on the issue is a loop. */
function isLoop(openRun: OpenRun | null): openRun is OpenRun {
  return openRun?.workflow === 'loop';
}

/** Its process was cut off: the event that it worked for is handled again. */
function isCutOff(openRun: OpenRun): boolean {
  return openRun.status === 'running';
}

export const loopManifest: WorkflowManifest<'loop'> = {
  name: 'loop',
  purpose:
    'Works an issue off as a list of small tasks, each proven by commands of a plan that a person approved.',
  insteadOfFork:
    'Have it continued in another way, with: gatewright loop retry, loop replan, or loop resume with --coder or --planner',
  subjectOf: (repository, number) => choreSubject(repository, `loop-${number}`),
  triggers: [
    {
      on: 'labeled',
      as: 'order',
      when: `the label is "${labelNames.loop}", no loop works on the issue, and \`fleet.loopLabels\` is on`,
      asks: (event) => (isLabel(event, labelNames.loop) ? ['openRun'] : []),
      decides: (event, { openRun, loopLabels }) =>
        loopLabels === 'on' && isLabel(event, labelNames.loop) && openRun === null,
    },
    {
      on: 'labeled',
      as: 'order',
      when: `the label is "${labelNames.loopApproved}", and a loop works on the issue whose plan is not approved yet`,
      asks: (event) => (isLabel(event, labelNames.loopApproved) ? ['openRun'] : []),
      // The loop sets this label too. Under a person's account it cannot be told which of the two set it.
      decides: (event, { openRun, own }) =>
        isLabel(event, labelNames.loopApproved) &&
        event.actor.toLowerCase() !== own.toLowerCase() &&
        isLoop(openRun) &&
        // Without a plan it approves nothing, and the person is told so.
        (openRun.gate === 'plan' || openRun.gate === 'scope' || isCutOff(openRun)),
    },
    {
      on: 'comment-created',
      as: 'order',
      when: 'a loop works on the issue, and it answers the question of the loop or mentions the agent',
      asks: ({ isPullRequest, text }) => (isPullRequest || carriesMarker(text) ? [] : ['openRun']),
      decides: ({ isPullRequest, text }, { openRun, handle }) => {
        if (isPullRequest || !isLoop(openRun) || carriesMarker(text)) return false;
        if (mentions(text, handle) || isCutOff(openRun)) return true;
        return openRun.gate !== null && readGateAnswer(openRun.gate, text, handle) !== null;
      },
    },
    {
      on: 'pull-request-closed',
      as: 'observation',
      when: 'it was merged, and a loop made it',
      asks: ({ isMerged }) => (isMerged ? ['openRun'] : []),
      decides: ({ isMerged }, { openRun }) => isMerged && isLoop(openRun),
    },
  ],
};
