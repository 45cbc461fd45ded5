/**
 * The frame around all work of the implementer: a label shows people that it is at it, and goes whatever happens; a stop
 * is told once, with what can be done about it. A run that is killed does both when it is taken up again.
 */
import { stopComment } from '../../domain/implementer-texts.ts';
import { findLabel, labelColour } from '../../domain/labels.ts';
import type { LedgerEntry } from '../../domain/ledger-entry.ts';
import { resumeCommandOf } from '../../domain/run.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { say } from '../say.ts';
import { readHistoryOf, type Woken } from './gather-facts.ts';

const workingLabel = 'claude-working';

function costOf(entries: readonly LedgerEntry[], run: string): number {
  return entries.reduce((sum, entry) => {
    const isPaid = entry.kind === 'model-answered' || entry.kind === 'model-failed';
    return isPaid && entry.run === run ? sum + entry.data.usage.costUsd : sum;
  }, 0);
}

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

async function tellOfStop(context: AgentContext, woken: Woken, error: unknown): Promise<void> {
  if (isGatewrightError(error, ...quietStops)) return;
  const known = isGatewrightError(error)
    ? error
    : new GatewrightError('internal', 'Something unexpected happened.');
  const entries = await context.ledger.readSubject(context.subject);
  const work = entries.findLast((entry) => entry.kind === 'work-pushed');
  const text = stopComment({
    code: known.code,
    message: known.message,
    hint: known.hint,
    until: known.until,
    person: woken.person,
    handle: context.settings.handle,
    command: resumeCommandOf(context.request, context.runId),
    branch: work?.kind === 'work-pushed' ? work.data.branch : null,
    costUsd: costOf(entries, context.runId),
  });
  // By reason: a run that stops for the same one again says nothing new.
  await say(context, `stopped/${known.code}`, woken.number, text);
}

export async function underLabel(
  context: AgentContext,
  woken: Woken,
  work: () => Promise<AgentEnd>,
): Promise<AgentEnd> {
  // A run that stopped and goes on sets its label again; one that was killed finds it set.
  const { stops } = await readHistoryOf(context, woken.number);
  const round = stops === 0 ? '' : `/${stops + 1}`;
  const tidyUp = async (): Promise<void> => {
    await changeLabels(context, `working-off${round}`, woken.number, { remove: [workingLabel] });
    await context.workspaces.remove(context.runId);
  };
  let end: AgentEnd;
  try {
    await changeLabels(context, `working-on${round}`, woken.number, { add: workingLabel });
    end = await work();
  } catch (error) {
    // What stopped it is what is told, also when telling fails.
    try {
      await tellOfStop(context, woken, error);
      await tidyUp();
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure);
      context.progress({ kind: 'warning', message });
    }
    throw error;
  }
  await tidyUp();
  return end;
}
