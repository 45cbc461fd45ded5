/**
 * What the gardener remembers between its rounds. A forge dates every change of an issue, no matter which actor made
 * it: our own changes are recognised by the date that the issue had right after them.
 */
import { z } from 'zod';
import { labelNames } from '../../../domain/forge/labels.ts';
import type { GardenAction, GardenIssue } from '../../reports/rules/gardening.ts';

const tended = z.strictObject({
  /** When another actor last changed it or commented on it. */
  activeAt: z.string(),
  /** The forge's date of the issue after our last change; empty when another actor's change may be hidden in it. */
  seenAt: z.string(),
  markedAt: z.string().nullable(),
});
type Tended = z.infer<typeof tended>;

/** By number of the issue. */
const gardenMemory = z.record(z.string(), tended);
export type GardenMemory = Readonly<Record<string, Tended>>;

const contentLabel = z.enum([
  labelNames.bug,
  labelNames.feature,
  labelNames.documentation,
  labelNames.question,
]);
const issue = z.number().int();
const gardenAction = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('mark-stale'), issue, days: z.number() }),
  z.strictObject({ do: z.literal('unmark'), issue }),
  z.strictObject({ do: z.literal('close'), issue, days: z.number() }),
  z.strictObject({ do: z.literal('label'), issue, label: contentLabel }),
]);

/** What was decided at one time, as the ledger keeps it. */
export const gardenPlanSchema = z.strictObject({
  /** The moment that it was decided for. */
  at: z.string(),
  actions: z.array(gardenAction),
  left: z.number().int(),
  /** What is to be acted on, as it was then. */
  issues: z.record(
    z.string(),
    tended.omit({ seenAt: true }).extend({ title: z.string(), updatedAt: z.string() }),
  ),
  /** What was known of all others. */
  memory: gardenMemory,
});
export type GardenPlan = z.infer<typeof gardenPlanSchema>;

/** One change of ours to an issue, by the ledger. */
export interface OwnTouch {
  readonly issue: number;
  /** The key that it was done under. */
  readonly key: string;
  readonly intendedAt: string;
  readonly doneAt: string;
  /** The date that the forge gave the issue with it; null where it did not tell. */
  readonly updatedAt: string | null;
}

/** If our comment and our label are further apart than this, another comment may have come in between. */
const longestTouch = 10 * 60_000;

interface ListedIssue extends Omit<GardenIssue, 'activeAt' | 'markedAt'> {
  readonly updatedAt: string;
}

function isAfter(one: string, other: string): boolean {
  return other === '' || new Date(one) > new Date(other);
}

export function toGardenIssue(listed: ListedIssue, memory: GardenMemory): GardenIssue {
  const { number, title, body, labels, assignees, createdAt, updatedAt } = listed;
  const known = memory[number];
  const isOurs = known !== undefined && !isAfter(updatedAt, known.seenAt);
  return {
    ...{ number, title, body, labels, assignees, createdAt },
    activeAt: isOurs ? known.activeAt : updatedAt,
    markedAt: known?.markedAt ?? null,
  };
}

function seenAfter(touches: readonly OwnTouch[]): string | null {
  const dates = touches.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [updatedAt]));
  const latest = dates.sort((a, b) => new Date(a).getTime() - new Date(b).getTime()).at(-1);
  if (latest === undefined) return null;
  const began = Math.min(...touches.map(({ intendedAt }) => new Date(intendedAt).getTime()));
  const ended = Math.max(...touches.map(({ doneAt }) => new Date(doneAt).getTime()));
  return ended - began > longestTouch ? '' : latest;
}

/** What is known after a plan was executed, or the part of it that was. */
export function rememberGardening(plan: GardenPlan, touches: readonly OwnTouch[]): GardenMemory {
  const memory: Record<string, Tended> = { ...plan.memory };
  for (const [number, before] of Object.entries(plan.issues)) {
    const ours = touches.filter((touch) => String(touch.issue) === number);
    const seenAt = seenAfter(ours);
    if (seenAt === null) continue;
    const did = (what: GardenAction['do']) => ours.some(({ key }) => key === `${what}/${number}`);
    const markedAt = did('mark-stale') ? plan.at : did('unmark') ? null : before.markedAt;
    memory[number] = { activeAt: before.activeAt, seenAt, markedAt };
  }
  return memory;
}

/** Keeps what is known of issues that are still open. */
export function keepMemory(memory: GardenMemory, open: readonly { readonly number: number }[]): GardenMemory {
  return Object.fromEntries(
    open.flatMap(({ number }) => {
      const known = memory[number];
      return known === undefined ? [] : [[String(number), known]];
    }),
  );
}
