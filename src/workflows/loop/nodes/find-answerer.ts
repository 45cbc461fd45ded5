/** Who gave the answer that a node follows. */
import type { LoopContext } from '../loop-context.ts';

export async function findAnswerer({
  ledger,
  runId,
  actor,
}: Pick<LoopContext, 'ledger' | 'runId' | 'actor'>): Promise<string> {
  const entries = await ledger.readRun(runId);
  return entries.findLast((entry) => entry.kind === 'gate-answered')?.actor ?? actor;
}
