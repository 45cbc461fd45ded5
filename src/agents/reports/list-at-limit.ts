/** Work of agents that has reached a limit and goes on only when a person says so, on issues and pull requests that are open. */
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext } from '../agent.ts';
import type { AtLimit } from './rules/stuck-at-limit.ts';

/** More are not looked up on the forge, one call each. */
const mostLooked = 50;

async function isOpen({ forge, repository }: AgentContext, number: number): Promise<boolean> {
  try {
    return (await forge.getIssue(repository, number)).state === 'open';
  } catch (error) {
    if (isGatewrightError(error, 'forge-not-found', 'forge-moved', 'forge-gone')) return false;
    throw error;
  }
}

/** Those that were reached before that moment, oldest first. */
export async function listAtLimit(context: AgentContext, until: string): Promise<AtLimit[]> {
  const { repository, views } = context;
  const found: AtLimit[] = [];
  for (const { subject, what, at, because } of (await views.listWaiting()).slice(0, mostLooked * 4)) {
    const number = Number(subject.startsWith(`${repository}#`) ? subject.slice(repository.length + 1) : 0);
    if (what === 'plan' || what === 'cancelled' || !(number > 0) || new Date(at) >= new Date(until)) continue;
    if (found.length < mostLooked && (await isOpen(context, number)))
      found.push({ number, what, at, ...(because === undefined ? {} : { because }) });
  }
  return found.toSorted((a, b) => a.at.localeCompare(b.at));
}
