/**
 * Where a provider is told to cache the prompt. Anthropic caches nothing unless it is told where a beginning ends that
 * will be sent again, and takes four such marks at most; the others find it out by themselves.
 */
import type { Message } from '../../ports/model.ts';

/**
 * The first kept message is the large one, and good for every request of the run. The last one is where the next request
 * will go on from; the one before it is where the last request wrote, and so what this one reads.
 */
export function findBreakpoints(messages: readonly Message[]): ReadonlySet<number> {
  const kept = [...messages.keys()].filter((index) => messages[index]?.isKept === true);
  return new Set([...kept.slice(0, 1), ...kept.slice(-2)]);
}
