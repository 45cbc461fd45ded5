/**
 * When a run stops for a reason that a person has to remove, it says so on the forge: once for each cause, however often
 * it is tried again. A stop that ends by itself after a while is told only when waiting has not helped and the run was
 * given up.
 */

import { needsPerson, stopComment, toKnown } from '../../domain/fleet/stop-comment.ts';
import { resumeCommandOf } from '../../domain/ledger/run.ts';
import type { Usage } from '../../domain/models/budget.ts';
import { type GatewrightError, isPause } from '../../errors.ts';
import { describeDetails } from '../../runs/explain-stop.ts';
import type { Agent, AgentContext, AgentEnd } from '../agent.ts';

async function costOf({ ledger, runId }: AgentContext): Promise<Pick<Usage, 'costUsd' | 'isUnpriced'>> {
  const used = (await ledger.readRun(runId)).flatMap((entry) =>
    entry.kind === 'model-answered' || entry.kind === 'model-failed' ? [entry.data.usage] : [],
  );
  return {
    costUsd: used.reduce((sum, { costUsd }) => sum + costUsd, 0),
    ...(used.some(({ isUnpriced }) => isUnpriced) ? { isUnpriced: true } : {}),
  };
}

interface StopFacts {
  /** What has stopped, such as "the review of this". */
  readonly what: string;
  readonly person: string | null;
  /** What to say to have it go on; null when nothing that is said does. */
  readonly words: string | null;
  readonly branch: string | null;
}

/** What is said about a stop. */
export async function writeStop(
  context: AgentContext,
  facts: StopFacts,
  error: GatewrightError,
): Promise<string> {
  const { code, output, hint, until } = error;
  const message = `${error.message}${describeDetails(error)}`;
  return stopComment({
    ...{ ...facts, code, message, output, hint, until },
    handle: context.settings.handle,
    command: resumeCommandOf(context.request, context.runId),
    ...(await costOf(context)),
  });
}

/** One stop that a person is told of. */
interface ToldStop {
  readonly error: GatewrightError;
  /** What it is told under; the same cause has the same key. */
  readonly key: string;
  /** Waiting has not helped: it was tried as often as it is. */
  readonly isGivenUp: boolean;
}

/** Says it where a person sees it; knows by itself whether it was said before. */
export type TellStop = (context: AgentContext, stop: ToldStop) => Promise<void>;

const told = new WeakSet<object>();

/** Says that a stop was told by other code, so that it is not told twice. */
export function markTold(error: unknown): void {
  if (typeof error === 'object' && error !== null) told.add(error);
}

async function tellIfNeeded(context: AgentContext, tell: TellStop, thrown: unknown): Promise<void> {
  const error = toKnown(thrown);
  if (context.request.dryRun || (typeof thrown === 'object' && thrown !== null && told.has(thrown))) return;
  if (!needsPerson(error)) return;
  await tell(context, { error, key: `stopped/${error.code}`, isGivenUp: false });
}

/**
 * An agent whose stops are told to a person.
 * @param onEnd what is done when a run has ended well
 */
export function withStopsTold(
  tell: TellStop,
  agent: Agent,
  onEnd: (context: AgentContext) => Promise<void> = async () => undefined,
): Agent {
  const warn = (context: AgentContext, failure: unknown): void => {
    // A process that has lost its lease, or may change nothing, does nothing more.
    if (isPause(failure)) throw failure;
    const message = failure instanceof Error ? failure.message : String(failure);
    context.progress({ kind: 'warning', message });
  };
  return {
    ...agent,
    tellGivenUp: (context, error) => tell(context, { error, key: `given-up/${error.code}`, isGivenUp: true }),
    async run(context) {
      let end: AgentEnd;
      try {
        end = await agent.run(context);
      } catch (error) {
        // The first error is the one to report, even if reporting it fails.
        await tellIfNeeded(context, tell, error).catch((failure: unknown) => warn(context, failure));
        throw error;
      }
      await onEnd(context).catch((failure: unknown) => warn(context, failure));
      return end;
    },
  };
}
