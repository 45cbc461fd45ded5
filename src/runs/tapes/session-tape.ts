/**
 * One session of a workflow's run on a tape: from where its graph stood until it stopped, with every call of its nodes and
 * every answer to a gate. Nothing of that can stop the run.
 */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import type { WorkflowName } from '../../domain/fleet/agent-names.ts';
import type { Json } from '../../domain/ledger/hash.ts';
import type { RunResult } from '../../domain/ledger/run.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { encodeValue } from '../../domain/recordings/tape-values.ts';
import type { Tapes, TapeWriter } from '../../ports/tapes.ts';
import { LeftOpen } from '../gates/resolve-gate.ts';
import type { Place } from '../graph/standing.ts';
import { dataOfContext } from './context-ports.ts';
import { encodeError, Recorder, recordContext } from './record-context.ts';
import type { TapePlayer } from './tape-player.ts';

/** What came of a walk from gate to gate. */
export interface Conclusion {
  readonly message: string;
  readonly result: RunResult | null;
}

interface TapedRun {
  readonly id: string;
  readonly subject: Subject;
  readonly request: { readonly workflow: WorkflowName };
}

/** What the context of a workflow has at least. */
export interface Recordable {
  readonly effects: object;
  readonly request: object;
}

export type Resolve = (question: GateQuestion) => Promise<GateAnswer>;

type Answered =
  | { readonly answer: GateAnswer }
  | { readonly leftOpen: { readonly choice: string | null; readonly unclear: string | null } };

function openAnswer(question: GateQuestion, answered: Answered): GateAnswer {
  if ('answer' in answered) return answered.answer;
  throw new LeftOpen(question, answered.leftOpen.choice, answered.leftOpen.unclear);
}

export function concludeLeftOpen({ question: { kind, id } }: LeftOpen): Conclusion {
  return { message: `waits at the ${kind} gate (${id})`, result: null };
}

export class SessionTape {
  readonly #version: string;
  readonly #run: TapedRun;
  readonly #writer: TapeWriter;
  readonly #recorder: Recorder;
  #data: Readonly<Record<string, Json>> = {};
  /** What is looked up to find the place where it begins is no part of the session. */
  #isBegun = false;

  constructor(tapes: Tapes, run: TapedRun) {
    this.#version = tapes.version;
    this.#run = run;
    this.#writer = tapes.begin(run.id);
    this.#recorder = new Recorder(
      (call) => this.#writer.write({ call }),
      () => this.#isBegun,
    );
  }

  /** The context that the graph is opened with. */
  recordContext<C extends Recordable>(context: C): C {
    // Which models the command line named can be a path of this machine.
    const { models: _, ...request } = context.request as { readonly models?: unknown };
    const data = { ...dataOfContext(context), request };
    this.#data = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, encodeValue(value)]));
    return recordContext(context, this.#recorder);
  }

  begin(place: Place<unknown> | null): void {
    const { id: run, subject, request } = this.#run;
    const { workflow } = request;
    const stood = place === null ? null : { node: place.node, state: encodeValue(place.state) };
    const head = { version: this.#version, run, workflow, subject, data: this.#data, place: stood };
    this.#writer.write({ head });
    this.#isBegun = true;
  }

  async resolve(question: GateQuestion, resolve: Resolve): Promise<GateAnswer> {
    const ask = async (): Promise<Answered> => {
      try {
        return { answer: await resolve(question) };
      } catch (error) {
        if (!(error instanceof LeftOpen)) throw error;
        return { leftOpen: { choice: error.choice, unclear: error.unclear } };
      }
    };
    const answered = this.#recorder.observe('gates', 'answer', [question], ask) as Promise<Answered>;
    return openAnswer(question, await answered);
  }

  end(conclusion: Conclusion): void {
    this.#writer.write({ end: { value: encodeValue(conclusion) } });
  }

  fail(error: unknown): void {
    if (error instanceof LeftOpen) this.end(concludeLeftOpen(error));
    else this.#writer.write({ end: encodeError(error) });
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}

/** The recorded answer to a gate; the question is compared with the recorded one. */
export async function playAnswer(player: TapePlayer, question: GateQuestion): Promise<GateAnswer> {
  const call = player.take('gates', 'answer', [question]);
  player.compare(call, encodeValue(question), call.args[0] ?? null);
  return openAnswer(question, player.answer(call) as Answered);
}
