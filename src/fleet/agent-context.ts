/** All that one run of an agent works with, put together under its lease. */
import type { Agent, AgentContext, Models, OwnEntry } from '../agents/agent.ts';
import { manifestOf } from '../agents/agents.ts';
import type { FleetEvent } from '../domain/fleet/event.ts';
import type { NewEntry } from '../domain/ledger/ledger-entry.ts';
import type { AgentRequest } from '../domain/ledger/run.ts';
import type { Subject } from '../domain/ledger/subject.ts';
import { GatewrightError } from '../errors.ts';
import type { Fence } from '../ports/ledger.ts';
import type { Model } from '../ports/model.ts';
import type { FetchTransport } from '../ports/transport.ts';
import { acquireLease } from '../runs/acquire-lease.ts';
import { appendOnce } from '../runs/append-once.ts';
import { type AskContext, askForObject, askForText } from '../runs/ask-model.ts';
import { makeCoder } from '../runs/coding/coder.ts';
import { keepCommits } from '../runs/coding/keep-commits.ts';
import { stopCommandsWith } from '../runs/coding/stop-with-signal.ts';
import { holdLease } from '../runs/hold-lease.ts';
import type { FleetTools } from '../runs/house.ts';
import { makeEffects } from '../runs/make-effects.ts';
import type { FleetSession } from './run-agent.ts';

export interface AgentRun {
  readonly id: string;
  readonly subject: Subject;
  readonly request: AgentRequest;
  /** ISO 8601. */
  readonly startedAt: string;
}

function makeModels(
  house: FleetTools,
  context: AskContext,
  turnLimit: number,
  signal: AbortSignal | undefined,
): Models {
  const { agentModels } = house;
  const modelOf = (who: 'reviewer' | 'writer'): Model =>
    house.makeModel(agentModels[who], who === 'reviewer' ? 'code reviewer' : who);
  const requestOf = (question: Parameters<Models['askForText']>[1]) => ({
    role: question.role,
    call: question.call,
    instructions: question.instructions,
    turnLimit,
    messages: [{ role: 'user' as const, content: question.text }],
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    titleOf: (who) => (who === 'coder' ? house.makeCodingAgent(agentModels.coder).title : modelOf(who).title),
    askForText: async (who, question) =>
      (await askForText(context, modelOf(who), requestOf(question), question.purpose)).value,
    askForObject: async (who, question, schema) =>
      (await askForObject(context, modelOf(who), requestOf(question), question.purpose, schema)).value,
    ...makeCoder(context, {
      agentFor: (mode) => house.makeCodingAgent(agentModels[mode === 'plan' ? 'planner' : 'coder']),
      sandbox: house.sandbox,
      signal,
    }),
  };
}

/** Agents can only fetch through this object: they cannot move a branch, because pushes are effects. */
function fetchOnly(transport: FleetTools['transport']): FetchTransport {
  return {
    fetchCommit: (...args) => transport.fetchCommit(...args),
    fetchBranch: (...args) => transport.fetchBranch(...args),
  };
}

export function makeAgentContext(
  house: FleetTools,
  agent: Agent,
  run: AgentRun,
  event: FleetEvent,
  session: FleetSession,
  fence: Fence,
): AgentContext {
  const { ledger, clock } = house;
  const progress = session.progressOf?.(run) ?? (() => undefined);
  const common = { subject: run.subject, run: run.id, actor: house.actor };
  const record = (entry: NewEntry): Promise<void> => appendOnce(ledger, [entry], fence);
  const asking: AskContext = {
    runId: run.id,
    subject: run.subject,
    ledger,
    record,
    note: (entry) => ledger.defer(entry, fence),
    actor: house.actor,
    budget: house.budget,
    clock,
    progress,
    recorded: session.fork?.recorded ?? null,
    ...(house.half === undefined ? {} : { half: house.half }),
    ...(house.keptWork === undefined ? {} : { keptWork: house.keptWork }),
  };
  const { id, subject } = run;
  const { may } = manifestOf(agent.name);
  // Which models the command line named can be a path of this machine: agents publish, and recordings are given away.
  const { models: _, ...request } = run.request;
  return {
    runId: id,
    subject,
    request,
    event,
    own: session.own,
    ledger,
    progress,
    repository: request.repository,
    startedAt: new Date(run.startedAt),
    settings: house.fleet,
    forge: house.forge,
    effects: makeEffects(house, {
      ...{ run: id, subject, fence, dryRun: request.dryRun },
      allowance: may,
    }),
    models: makeModels(house, asking, manifestOf(agent.name).turns, session.signal),
    prompts: house.prompts,
    // Commits that no branch gets are tried out and gone.
    workspaces: keepCommits(
      house.workspaces,
      id,
      may['push-branch'] === undefined ? undefined : house.keptWork,
    ),
    trees: house.trees,
    templates: house.templates,
    transport: fetchOnly(house.transport),
    commands: stopCommandsWith(house.commands, session.signal),
    views: house.views,
    record: async (entry: OwnEntry) => {
      // The decisions of a dry run must not count later.
      if (!request.dryRun) await record({ ...common, ...entry } as NewEntry);
    },
    async withLease<T>(
      wanted: Subject,
      work: (checkStillHeld: () => Promise<void>) => Promise<T>,
    ): Promise<T> {
      const lease = await acquireLease(house, wanted);
      const checkStillHeld = async (): Promise<void> => {
        if (!(await lease.renew()))
          throw new GatewrightError('lease-lost', `${wanted}: another process took over.`);
      };
      try {
        return await holdLease(lease, undefined, () => work(checkStillHeld));
      } finally {
        await lease.release();
      }
    },
    async once<T>(step: string, produce: () => Promise<T>): Promise<T> {
      const key = `${id}/${step}`;
      const done = await ledger.find('step-done', key);
      if (done !== null) return JSON.parse(await ledger.getText(done.data.result)) as T;
      const result = await produce();
      const data = { step, result: await ledger.putText(JSON.stringify(result)) };
      await record({ ...common, kind: 'step-done', key, data });
      return result;
    },
  };
}
