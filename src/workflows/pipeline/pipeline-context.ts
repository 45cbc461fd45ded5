/** All that the nodes of a pipeline work with, put together under its lease. */

import type { z } from 'zod';
import type { Learning } from '../../domain/learnings/learnings.ts';
import type { EffectAllowance } from '../../domain/ledger/effect.ts';
import type { SessionOutcome } from '../../domain/ledger/entries/learning-entries.ts';
import type { PipelineEntryData } from '../../domain/ledger/entries/pipeline-entries.ts';
import type { PipelineRequest } from '../../domain/ledger/run.ts';
import type { Lease } from '../../ports/leases.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Repository } from '../../ports/repository.ts';
import { askForObject } from '../../runs/ask-model.ts';
import type { Coder } from '../../runs/coding/coder.ts';
import type { FleetTools } from '../../runs/house.ts';
import type { DrivenRun, RunSession } from '../issue-runs/issue-run.ts';
import { makeAsking, makeRunContext, type RunContext } from '../issue-runs/run-context.ts';
import { readLearnings } from './read-learnings.ts';
import { type Observation, recordLearnings } from './record-learnings.ts';
import type { StageName } from './rules/stages.ts';

/** What is asked of a model that only answers. */
interface Question {
  readonly role: string;
  readonly call: number;
  readonly instructions: string;
  /** What stays the same in every attempt, so that providers keep it. */
  readonly lasting: string;
  readonly text: string;
  readonly purpose: string;
}

export interface PipelineContext extends RunContext<PipelineRequest, keyof PipelineEntryData> {
  /** The stage after which it stops and waits; null to go on to the end. */
  readonly until: StageName | null;
  readonly ledger: Pick<Ledger, 'readRun' | 'readSubject' | 'find' | 'getText' | 'putText'>;
  /** Only to look which names are free. */
  readonly files: Pick<Repository, 'readText'>;
  /** Of this repository. */
  readonly learnings: {
    read(): Promise<readonly Learning[]>;
    keep(
      session: string,
      outcome: SessionOutcome | null,
      observations: readonly Observation[],
    ): Promise<void>;
  };
  readonly models: Coder & {
    askForObject<T>(who: 'reviewer' | 'writer', question: Question, schema: z.ZodType<T>): Promise<T>;
  };
}

/** What a command asks of a run beside going on. */
export interface PipelineSession extends RunSession {
  readonly until?: StageName;
}

/** Three attempts, twice tried again, with a question or two each; the file is shown at the begin and end of a stage. */
const allowance: EffectAllowance = {
  'create-comment': 60,
  'edit-labels': 4,
  'ensure-label': 4,
  'push-branch': 10,
  'create-pull-request': 1,
  'show-state': 400,
};

/** A model that answers may look things up first. */
const turnLimit = 5;

export function makePipelineContext(
  tools: FleetTools,
  run: DrivenRun<PipelineRequest>,
  session: PipelineSession,
  lease: Lease,
): PipelineContext {
  const { agentModels } = tools;
  const { signal } = session;
  const asking = makeAsking(tools, run, session, lease);
  const context = makeRunContext<PipelineRequest, keyof PipelineEntryData>(
    tools,
    run,
    session,
    lease,
    allowance,
  );
  return {
    ...context,
    ledger: tools.ledger,
    until: session.until ?? null,
    files: tools.repository,
    learnings: {
      read: () => readLearnings(tools.ledger, run.request.repository),
      async keep(name, outcome, observations) {
        const { repository } = run.request;
        // Two runs on one issue on the same day are two sessions.
        const session = `${name}/${run.id}`;
        const of = { repository, run: run.id, session, outcome, observations };
        await recordLearnings(tools.ledger, of, lease);
      },
    },
    models: {
      ...context.models,
      async askForObject(who, { role, call, instructions, lasting, text, purpose }, schema) {
        const model = tools.makeModel(agentModels[who], who === 'reviewer' ? 'code reviewer' : who);
        const request = {
          ...{ role, call, instructions, turnLimit },
          messages: [
            { role: 'user' as const, content: lasting, isKept: true as const },
            { role: 'user' as const, content: text },
          ],
          ...(signal === undefined ? {} : { signal }),
        };
        return (await askForObject(asking, model, request, purpose, schema)).value;
      },
    },
  };
}
