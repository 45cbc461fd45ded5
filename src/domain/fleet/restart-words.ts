/** How a person starts work again that a person cancelled. */
import type { WorkerName } from './agent-names.ts';

/** What is said to the agent on the issue or pull request. */
const words: Readonly<Partial<Record<WorkerName, string>>> = { implementer: 'continue', reviewer: 'review' };

/** For agents that take no words: what makes them look again. */
const otherwise: Readonly<Partial<Record<WorkerName, string>>> = {
  'auto-merge': 'change one of its labels, or merge it by hand',
};

/** The agents whose cancelled work waits for a person: an issue or pull request does not move without it. */
export const awaitedAgents: readonly WorkerName[] = ['implementer', 'reviewer', 'auto-merge'];

export type Restart = { readonly say: string } | { readonly do: string };

/** Null when nothing has to start it again: the next event does. */
export function restartOf(agent: WorkerName): Restart | null {
  const { [agent]: say } = words;
  if (say !== undefined) return { say };
  const { [agent]: other } = otherwise;
  return other === undefined ? null : { do: other };
}
