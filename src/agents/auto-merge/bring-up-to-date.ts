/** Merges the newest base into the branch of a pull request, where what is merged has to hold it. */
import { isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { endInConflict } from './end-in-conflict.ts';
import type { Member } from './land-pull-request.ts';

/** Null when it holds the newest base already; else how the run ends. */
export async function bringUpToDate(
  context: AgentContext,
  { number, head }: Member,
  branch: string,
  checkStillHeld: () => Promise<void>,
): Promise<AgentEnd | null> {
  const { effects, repository } = context;
  try {
    await checkStillHeld();
    const updated = await effects.perform('update', 'update-branch', () => ({ repository, number, head }));
    if (updated.head === head) return null;
    return {
      message: `#${number} was brought up to date with ${branch}; it is reviewed as it is now`,
      handoffs: [{ to: 'reviewer', task: 'start', number }],
    };
  } catch (error) {
    if (isGatewrightError(error, 'merge-conflict')) return endInConflict(context, { number, head }, branch);
    if (!isGatewrightError(error, 'head-moved')) throw error;
    return { message: `not merged: #${number} was pushed to` };
  }
}
