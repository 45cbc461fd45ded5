/**
 * The frame around all work of the implementer: a label shows people that it is at it, and goes whatever happens; a stop
 * is told once, with what can be done about it. A run that is killed does both when it is taken up again.
 */
import { findLabel, labelColour } from '../../domain/forge/label-table.ts';
import { labelNames } from '../../domain/forge/labels.ts';
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { sayStopped, toKnown } from '../pull-requests/report-stop.ts';
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

/** Stops that are somebody's own doing, or that were told already. */
const quietStops = ['lease-lost', 'cancelled', 'nothing-changed'] as const;

async function reportStop(context: AgentContext, assignment: ImplementerTask, error: unknown): Promise<void> {
  if (isGatewrightError(error, ...quietStops)) return;
  const known = toKnown(error);
  const { work } = await readHistoryOf(context, assignment.number);
  const facts = {
    what: 'The work on this',
    number: assignment.number,
    person: assignment.person,
    words: 'continue',
    branch: work?.branch ?? null,
  };
  // By reason: a run that stops for the same one again says nothing new.
  await sayStopped(context, `stopped/${known.code}`, facts, known);
}

export async function withWorkingLabel(
  context: AgentContext,
  assignment: ImplementerTask,
  work: () => Promise<AgentEnd>,
): Promise<AgentEnd> {
  // A run that stopped and goes on sets its label again; one that was killed finds it set.
  const { stops } = await readHistoryOf(context, assignment.number);
  const round = stops === 0 ? '' : `/${stops + 1}`;
  // Whoever reviews is looking at the pull request; the label is for issues and for what is said in comments.
  const isShown = context.event.kind !== 'review-submitted';
  const tidyUp = async (): Promise<void> => {
    // First the label: a run that lost its lease cannot change it, and its copy is somebody else's by now.
    if (isShown)
      await changeLabels(context, `working-off${round}`, assignment.number, { remove: [workingLabel] });
    await context.workspaces.remove(context.runId);
  };
  let end: AgentEnd;
  try {
    if (isShown) await changeLabels(context, `working-on${round}`, assignment.number, { add: workingLabel });
    end = await work();
  } catch (error) {
    // What stopped it is what is told, also when telling fails; and no copy of ours stays behind.
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
