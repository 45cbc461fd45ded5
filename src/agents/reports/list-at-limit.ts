/** Work of agents that has reached a limit and goes on only when a person says so, on issues and pull requests that are open. */
import { findMergeLimit } from '../../domain/fleet/merge-attempts.ts';
import { isGatewrightError } from '../../errors.ts';
import type { Waiting } from '../../ports/ledger.ts';
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

/** A merge also waits for labels, checks and reviews, of which lists tell; that is no limit. */
async function isAtLimit({ ledger }: AgentContext, { subject, what }: Waiting): Promise<boolean> {
  if (what === 'merge') return findMergeLimit(await ledger.readWork(subject)) !== null;
  return what !== 'plan' && what !== 'cancelled';
}

/** Those that were reached before that moment, oldest first. */
export async function listAtLimit(context: AgentContext, until: string): Promise<AtLimit[]> {
  const { repository, views } = context;
  const found: AtLimit[] = [];
  for (const waiting of (await views.listWaiting()).slice(0, mostLooked * 4)) {
    const { subject, what, at, because } = waiting;
    const number = Number(subject.startsWith(`${repository}#`) ? subject.slice(repository.length + 1) : 0);
    if (what === 'plan' || what === 'cancelled' || !(number > 0) || new Date(at) >= new Date(until)) continue;
    if (found.length >= mostLooked || !(await isAtLimit(context, waiting))) continue;
    if (await isOpen(context, number))
      found.push({ number, what, at, ...(because === undefined ? {} : { because }) });
  }
  return found.toSorted((a, b) => a.at.localeCompare(b.at));
}
