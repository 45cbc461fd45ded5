/**
 * The frame around all work of the implementer. A label shows people that it is working, and is removed whatever
 * happens; a stop is told once, with what a person can do about it. A run that was killed does both when it is resumed.
 */

import { toKnown } from '../../domain/fleet/stop-comment.ts';
import { findLabel, labelColour } from '../../domain/forge/label-table.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isGatewrightError, isPause } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../post-comment.ts';
import { markTold, writeStop } from '../stops/report-stop.ts';
import { type ImplementerTask, readHistoryOf } from './gather-facts.ts';

const workingLabel = labelNames.working;

/** Makes a label if it is missing, then sets it and takes others off. */
export async function changeLabels(
  context: AgentContext,
  key: string,
  number: number,
  change: { readonly add?: string; readonly remove?: readonly string[] },
): Promise<void> {
  const { effects, repository } = context;
  const { add, remove = [] } = change;
  if (add !== undefined)
    await effects.perform(`label/${add}`, 'ensure-label', () => ({
      repository,
      name: add,
      colour: labelColour(add),
      description: findLabel(add)?.description ?? '',
    }));
  await effects.perform(key, 'edit-labels', () => ({
    repository,
    number,
    add: add === undefined ? [] : [add],
    remove,
  }));
}

/** Stops that a person or another process caused, or that were already told. */
const quietStops = ['cancelled', 'nothing-changed'] as const;

async function reportStop(context: AgentContext, assignment: ImplementerTask, error: unknown): Promise<void> {
  if (isGatewrightError(error, ...quietStops)) return;
  const known = toKnown(error);
  const { work } = await readHistoryOf(context, assignment.number);
  const facts = {
    what: 'The work on this',
    person: assignment.person,
    words: 'continue',
    branch: work?.branch ?? null,
  };
  // The key holds the reason: a run that stops again for the same reason says nothing new.
  await say(context, `stopped/${known.code}`, assignment.number, await writeStop(context, facts, known));
}

export async function withWorkingLabel(
  context: AgentContext,
  assignment: ImplementerTask,
  work: () => Promise<AgentEnd>,
): Promise<AgentEnd> {
  // A run that stopped and goes on sets its label again; one that was killed finds it set.
  const { stops } = await readHistoryOf(context, assignment.number);
  const round = stops === 0 ? '' : `/${stops + 1}`;
  // The author of a review is looking at the pull request already; the label serves issues and work that a comment
  // asked for.
  const isShown = context.event.kind !== 'review-submitted';
  const tidyUp = async (): Promise<void> => {
    // The label is changed first: a run that lost its lease fails here, so it does not remove a copy that another run
    // now uses.
    if (isShown)
      await changeLabels(context, `working-off${round}`, assignment.number, { remove: [workingLabel] });
    await context.workspaces.remove(context.runId);
  };
  let end: AgentEnd;
  try {
    if (isShown) await changeLabels(context, `working-on${round}`, assignment.number, { add: workingLabel });
    end = await work();
  } catch (error) {
    // The work goes on in another process: the label stays.
    if (isPause(error)) throw error;
    markTold(error);
    // The first error is the one to report, even if reporting it fails; and no working copy of ours is left behind.
    for (const step of [() => reportStop(context, assignment, error), tidyUp])
      try {
        await step();
      } catch (failure) {
        const message = failure instanceof Error ? failure.message : String(failure);
        context.progress({ kind: 'warning', message });
      }
    throw error;
  }
  await tidyUp();
  return end;
}
