/** A coding agent that does whatever a test wants, with all rights of this process. */
import type { CodingAgent, CodingTask } from '../../src/ports/coding-agent.ts';
import type { House } from '../../src/runs/house.ts';
import { override } from './override.ts';

/** What an agent does in its copy; what it returns is added to its report. */
export type Act = (folder: string, task: CodingTask) => object | undefined | Promise<object | undefined>;

export interface Part {
  readonly act: Act;
  /** The roles that it plays; the others stay as they are. */
  readonly plays: (role: string) => boolean;
  readonly report: (more: object) => object;
}

const noUsage = {
  turns: 1,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
};

function actingAgent(agent: CodingAgent, { act, plays, report }: Part): CodingAgent {
  return override(agent, {
    work: async (task, schema) => {
      if (!plays(task.role)) return agent.work(task, schema);
      const object = schema?.parse(report({ ...(await act(task.folder, task)) })) ?? null;
      return {
        ...{ credential: 'none', usage: noUsage, sessionId: '', reportedModel: '', denials: [] },
        ...{ milliseconds: 1, earlier: [], outcome: { kind: 'finished', text: '', object } },
      };
    },
  });
}

export const withPart = (house: House, part: Part): House => ({
  ...house,
  makeCodingAgent: (spec) => actingAgent(house.makeCodingAgent(spec), part),
});
