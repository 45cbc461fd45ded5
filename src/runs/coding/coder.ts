/**
 * A coding agent as a run uses it: within budget, on the ledger, never paid twice, and with its unfinished work pushed.
 */
import type { z } from 'zod';
import type { CodingAgent, CodingTask, CodingTools } from '../../ports/coding-agent.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { askCoder, type Coded, recallCoded } from '../ask-coder.ts';
import type { AskContext } from '../ask-model.ts';
import { makeSaver } from './make-saver.ts';

/** Long enough for a hard piece of work; a run that hangs is stopped. */
const longestWork = 3_600_000;

interface CodingJob<L> {
  readonly role: string;
  readonly call: number;
  readonly folder: string;
  /** The commit that the folder is a copy of; missing where no files of it count. */
  readonly start?: string;
  readonly instructions: string;
  readonly task: string;
  readonly tools: CodingTools;
  readonly turnLimit: number;
  readonly purpose: string;
  /** Called from time to time while it works, so that its unfinished work is pushed. */
  readonly saveProgress?: () => Promise<void>;
  /** Reads what it left, right after it stopped; kept with what it said. */
  readonly lookAfter: () => Promise<L>;
}

export interface Coder {
  code<T, L>(job: CodingJob<L>, schema: z.ZodType<T> | null): Promise<Coded<T, L>>;
  /** What that call of this run gave; null when it has not come to an end yet. */
  recall<T, L>(role: string, call: number): Promise<Coded<T, L> | null>;
  /** What stands in the way of planning and of working, found without paying for a call; one sentence for each agent. */
  listObstacles(): Promise<readonly string[]>;
}

interface CoderParts {
  readonly agentFor: (mode: CodingTools['mode']) => CodingAgent;
  readonly sandbox: Pick<Sandbox, 'inspect'>;
  readonly signal: AbortSignal | undefined;
}

export function makeCoder(context: AskContext, { agentFor, sandbox, signal }: CoderParts): Coder {
  return {
    async recall<T, L>(role: string, call: number): Promise<Coded<T, L> | null> {
      const known = await recallCoded<T, L>(context, role, call);
      // What is not known is asked for next; whether there is a sandbox is found out while its copy is made.
      if (known === null) sandbox.inspect().catch(() => undefined);
      return known;
    },
    async listObstacles() {
      const obstacles = new Map<string, string>();
      for (const mode of ['plan', 'implement'] as const) {
        const agent = agentFor(mode);
        const why = obstacles.has(agent.name) ? null : await agent.checkReady();
        if (why !== null) obstacles.set(agent.name, `${agent.name}: ${why}`);
      }
      return [...obstacles.values()];
    },
    async code(job, schema) {
      const { purpose, lookAfter, saveProgress, ...task } = job;
      const { kind, reason } = await sandbox.inspect();
      await context.record({
        ...{ subject: context.subject, run: context.runId, actor: context.actor },
        kind: 'sandbox-used',
        key: `${context.runId}/sandbox`,
        data: { kind, reason },
      });
      const saver = makeSaver(context.clock, saveProgress);
      const onProgress: CodingTask['onProgress'] = ({ turns, tool, target, text }) => {
        saver.look();
        context.progress({ kind: 'working', role: job.role, turns, tool, target, text });
      };
      const limited = {
        ...task,
        ...(signal === undefined ? {} : { signal }),
        onProgress,
        limitMilliseconds: longestWork,
      };
      const lookAtEnd = async () => {
        await saver.end();
        return lookAfter();
      };
      try {
        return await askCoder(context, agentFor(job.tools.mode), limited, purpose, schema, lookAtEnd);
      } finally {
        await saver.end();
      }
    },
  };
}
