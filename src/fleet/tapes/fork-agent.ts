/**
 * Forks a recorded run of an agent: the agent is run again for the same event, with the answers, facts and effects of the
 * recorded run up to a question to a model; from there on models are asked. It is a dry run, because the forge holds what
 * the recorded run did: a second run beside it would comment, push and merge twice.
 */
import type { AgentContext } from '../../agents/agent.ts';
import type { FleetEvent } from '../../domain/fleet/event.ts';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AgentFork, AgentRequest } from '../../domain/ledger/run.ts';
import { roleOfCall, type Tape, type TapeCall } from '../../domain/recordings/tape.ts';
import { decodeValue } from '../../domain/recordings/tape-values.ts';
import { GatewrightError } from '../../errors.ts';
import type { RecordedAnswers } from '../../runs/ask-model.ts';
import type { FleetTools } from '../../runs/house.ts';
import { TapePlayer } from '../../runs/tapes/tape-player.ts';
import { type AgentOutcome, type FleetSession, runAgent } from '../run-agent.ts';

/** What is read of the world as the recorded run found it. Files, commits and commands are this repository's own. */
const recordedPorts = ['forge', 'views', 'templates', 'transport'] as const;
const recordedReads = ['readWork', 'readTold', 'readRun', 'readState', 'find'] as const;

/** The questions to models, in order, by the names that a person gives them: `reviewer#1`. */
export function listQuestions({
  calls,
}: Pick<Tape, 'calls'>): { readonly name: string; readonly at: number }[] {
  return [...calls]
    .sort((one, other) => one.at - other.at)
    .flatMap((call) => {
      const role = roleOfCall(call);
      return role === null ? [] : [{ name: `${role.role}#${role.call}`, at: call.at }];
    });
}

function findQuestion(tape: Tape, from: string): { readonly name: string; readonly at: number } {
  const questions = listQuestions(tape);
  const found = questions.find(({ name }) => name === from);
  if (found !== undefined) return found;
  const { agent, run } = tape.head;
  throw new GatewrightError(
    'fork-refused',
    questions.length === 0
      ? `The run ${run} of ${agent} asked no model, so that there is nothing to change in it.`
      : `The run ${run} of ${agent} asked no model under the name "${from}".`,
    {
      hint:
        questions.length === 0
          ? `Replay it as it was, with: gatewright replay ${run}`
          : `Fork from one of: ${questions.map(({ name }) => name).join(', ')}`,
    },
  );
}

/** Asks the tape where it has an answer, else the world as it is now. */
function preferTape<P extends object>(
  name: string,
  port: P,
  player: TapePlayer,
  methods: readonly string[] | null = null,
): P {
  return new Proxy(port, {
    get: (target, method) => {
      const found: unknown = Reflect.get(target, method, target);
      if (typeof found !== 'function' || typeof method !== 'string') return found;
      const call = found as (...args: readonly unknown[]) => unknown;
      if (methods !== null && !methods.includes(method)) return call.bind(target);
      return async (...args: readonly unknown[]) =>
        player.has(name, method, args)
          ? player.answer(player.take(name, method, args))
          : call.apply(target, [...args]);
    },
  });
}

/** What was asked of models before the step, with the names of the models that answered. */
function takeAnswers(
  source: string,
  before: readonly TapeCall[],
  entries: readonly LedgerEntry[],
): RecordedAnswers {
  const models = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'model-answered' ? [[entry.key, entry.data.reportedModel] as const] : [],
    ),
  );
  return {
    source,
    answerOf: (role, call) => {
      const taped = before.find((one) => {
        const asked = roleOfCall(one);
        return asked !== null && asked.role === role && asked.call === call && one.error === undefined;
      });
      if (taped === undefined) return null;
      const value = decodeValue(taped.value ?? null);
      return { value, reportedModel: models.get(`${source}/${role}#${call}`) ?? 'unknown' };
    },
  };
}

function takeContext(
  context: AgentContext,
  before: readonly TapeCall[],
  change: { readonly role: string; readonly prompt: string | null },
): AgentContext {
  const player = new TapePlayer(before);
  const isDone = (method: string, args: readonly unknown[]): boolean =>
    player.has(method === 'perform' ? 'effects' : 'context', method, args);
  const { models, effects } = context;
  const reword = <Q extends { readonly role: string; readonly instructions: string }>(question: Q): Q =>
    change.prompt === null || question.role !== change.role
      ? question
      : { ...question, instructions: `${question.instructions}\n\n${change.prompt}` };
  return {
    ...context,
    ...(Object.fromEntries(
      recordedPorts.map((name) => [name, preferTape(name, context[name], player)]),
    ) as Pick<AgentContext, (typeof recordedPorts)[number]>),
    ledger: preferTape('ledger', context.ledger, player, recordedReads),
    effects: {
      momentOf: (key) => effects.momentOf(key),
      perform: async (key, kind, build) =>
        isDone('perform', [key, kind])
          ? (player.answer(player.take('effects', 'perform', [key, kind])) as never)
          : effects.perform(key, kind, build),
    },
    once: <T>(step: string, produce: () => Promise<T>) =>
      context.once(step, async () =>
        isDone('once', [step]) ? (player.answer(player.take('context', 'once', [step])) as T) : produce(),
      ),
    models: {
      ...models,
      askForText: (who, question) => models.askForText(who, reword(question)),
      askForObject: (who, question, schema) => models.askForObject(who, reword(question), schema),
      code: (job, schema) => models.code(reword(job), schema),
    },
  };
}

export interface AgentForkInput {
  /** A question to a model, such as `reviewer#1`. */
  readonly from: string;
  /** What the model is told besides its instructions, from that question on. */
  readonly prompt: string | null;
}

export async function forkAgentRun(
  house: FleetTools,
  tape: Tape,
  { from, prompt }: AgentForkInput,
  session: FleetSession,
): Promise<AgentOutcome> {
  const { head } = tape;
  const step = findQuestion(tape, from);
  const before = tape.calls.filter(({ at }) => at < step.at);
  const { number } = decodeValue(head.request) as AgentRequest;
  const of: AgentFork = {
    run: head.run,
    step: step.name,
    ...(prompt === null ? {} : { prompt: await house.ledger.putText(prompt) }),
  };
  const role = step.name.slice(0, step.name.lastIndexOf('#'));
  const recorded = takeAnswers(head.run, before, await house.ledger.readRun(head.run));
  return runAgent(
    house,
    { agent: head.agent, subject: head.subject, number },
    decodeValue(head.event) as FleetEvent,
    {
      ...session,
      dryRun: true,
      fork: { of, recorded, take: (context) => takeContext(context, before, { role, prompt }) },
    },
  );
}
