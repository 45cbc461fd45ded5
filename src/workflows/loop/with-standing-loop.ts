/** A loop as it stands, for what people do to it between two of its steps. */
import type { LoopRun } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { acquireLease } from '../../runs/acquire-lease.ts';
import type { Drivable, Place } from '../../runs/graph/standing.ts';
import { holdLease } from '../../runs/hold-lease.ts';
import { type LoopContext, type LoopSession, type LoopTools, makeLoopContext } from './loop-context.ts';
import { parsePrd, readConfig, readPrdText } from './nodes/read-stored.ts';
import { type CommentPrefixes, choosePrefixes } from './rules/comments/prefixes.ts';
import type { UserStory } from './rules/document/prd.ts';
import type { LoopState } from './state.ts';

/** Where a loop stands whose plan is approved. */
export interface StandingLoop {
  readonly context: LoopContext;
  readonly graph: Drivable<LoopState>;
  readonly place: Place<LoopState>;
  readonly prefixes: CommentPrefixes;
  readonly stories: readonly UserStory[];
}

/** What people do to a loop between two of its steps, under its lease. */
export async function withStandingLoop<T>(
  tools: LoopTools,
  { id, subject, request, startedAt }: LoopRun,
  session: LoopSession,
  work: (standing: StandingLoop) => Promise<T>,
): Promise<T> {
  const { openLoopGraph } = await import('./graph.ts');
  const lease = await acquireLease(tools, subject);
  try {
    return await holdLease(lease, session.signal, async (signal) => {
      const run = { id, subject, request, startedAt };
      const context = makeLoopContext(tools, run, { ...session, signal }, lease);
      const graph = openLoopGraph(context, await tools.openCheckpoints());
      const place = await graph.look();
      if (place === null || place.state.prd === null)
        throw new GatewrightError(
          'usage',
          `The loop of #${request.number} has no approved plan yet, or is done.`,
          { hint: `See what it waits for with: gatewright loop status ${request.number}` },
        );
      const { commentPrefixes } = await readConfig(context, place.state);
      const { userStories: stories } = parsePrd(await readPrdText(context, place.state));
      return work({ context, graph, place, prefixes: choosePrefixes(commentPrefixes), stories });
    });
  } finally {
    await lease.release();
  }
}
