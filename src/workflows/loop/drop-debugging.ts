/**
 * A person says that it works although an agent was to mend something, and was stopped on the way: their word counts as
 * at the gate of testing. What was tested is on the branch; what the agent left was never pushed.
 */
import type { LoopRun } from '../../domain/ledger/run.ts';
import type { LoopSession, LoopTools } from './loop-context.ts';
import { withStandingLoop } from './with-standing-loop.ts';

/** Nodes that mend what testing found, as the views of runs name them. */
const mending: readonly (string | null)[] = ['debug', 'judge_fix'];

export function isMending({ node }: Pick<LoopRun, 'node'>): boolean {
  return mending.includes(node);
}

/** False when it is not mending anything: then nothing was changed. */
export async function dropDebugging(
  tools: LoopTools,
  run: LoopRun,
  { person, comment }: { readonly person: string; readonly comment?: number },
  session: LoopSession,
): Promise<boolean> {
  if (!isMending(run)) return false;
  return withStandingLoop(tools, run, session, async ({ context, graph, place }) => {
    if (!mending.includes(place.node)) return false;
    const { step, report } = place.state;
    const data = {
      by: person,
      description: report?.description ?? '',
      ...(comment === undefined ? {} : { comment }),
    };
    await context.record({ kind: 'debugging-dropped', key: `${run.id}/debugging-dropped/${step}`, data });
    await graph.returnTo('testing_gate', async ({ state }) => ({
      ...{ ...state, step: state.step + 1, route: 'verified', because: '', answeredBy: person },
      ...{ report: null, attempt: null, left: null },
    }));
    return true;
  });
}
