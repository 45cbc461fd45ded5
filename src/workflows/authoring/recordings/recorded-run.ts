/** A recorded run as another run takes it over: its answers up to a step, and nothing after it. */

import type { GateQuestion } from '../../../domain/drafts/gate.ts';
import type { Sha256 } from '../../../domain/ledger/hash.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { AuthoringRequest } from '../../../domain/ledger/run.ts';
import {
  parseCassette,
  type RecordedCassette,
  requireRecording,
} from '../../../domain/recordings/cassette.ts';
import type { RecordedGate } from '../../../domain/recordings/recording.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Ledger } from '../../../ports/ledger.ts';
import type { RecordedAnswers } from '../../../runs/ask-model.ts';

interface TakeOver {
  /** The id of the run that takes it over. */
  readonly runId: string;
  /** Steps before this one are taken over. */
  readonly before: number;
  /** Shown to the person or the reviewer at that step, instead of the draft of the recording. */
  readonly draft: string | null;
  /**
   * Whether an answer is taken over only for the very content that it was given for. A replay in a scratch folder is
   * lenient: its purpose is to report the differences.
   */
  readonly isStrict: boolean;
}

export class RecordedRun implements RecordedAnswers {
  readonly source: string;
  /** Calls whose prompt is not the one that was recorded, such as `drafter call 2`. */
  readonly changedPrompts: string[] = [];
  readonly isStrict: boolean;
  readonly #cassette: RecordedCassette;
  readonly #useEarlierAnswer: TakeOver;
  readonly #gates: ReadonlyMap<string, RecordedGate>;

  constructor(cassette: RecordedCassette, useEarlierAnswer: TakeOver) {
    this.source = cassette.run.id;
    this.isStrict = useEarlierAnswer.isStrict;
    this.#cassette = cassette;
    this.#useEarlierAnswer = useEarlierAnswer;
    this.#gates = new Map(
      cassette.run.gates
        .filter((gate) => gate.step < useEarlierAnswer.before)
        .map((gate) => [makeGateId(useEarlierAnswer.runId, gate.step), gate]),
    );
  }

  answerOf(role: string, call: number, prompt: Sha256): ReturnType<RecordedAnswers['answerOf']> {
    const { calls, models } = this.#cassette;
    const recorded = calls.find((one) => one.role === role && one.call === call);
    if (recorded === undefined || (recorded.step ?? 0) >= this.#useEarlierAnswer.before) return null;
    if (recorded.request.prompt !== prompt) this.changedPrompts.push(`${role} call ${call}`);
    const { answer } = recorded;
    if ('quota' in answer) return null;
    const known = Object.hasOwn(models, role) ? models[role]?.name : undefined;
    return {
      value: 'text' in answer ? answer.text : answer.object,
      reportedModel: recorded.reportedModel ?? known ?? 'unknown',
    };
  }

  /** What was answered at this gate; null when it is to be asked. */
  gateOf(question: GateQuestion): RecordedGate | null {
    const gate = this.#gates.get(question.id);
    if (gate === undefined) return null;
    if (gate.kind === question.kind) return gate;
    throw new GatewrightError(
      'cassette-mismatch',
      `The recorded run was asked about the ${gate.kind} at step ${gate.step}; this one is asked about the ${question.kind}.`,
      { hint: 'The checks or the workflow have changed since the recording, so its answers cannot be used.' },
    );
  }

  /** What is to stand in the files of a gate before it is answered, by the name of the artefact. */
  editsAt(question: GateQuestion): Readonly<Record<string, string>> {
    const gate = this.gateOf(question);
    if (gate !== null) return gate.texts;
    const { runId, before, draft } = this.#useEarlierAnswer;
    return draft !== null && question.id === makeGateId(runId, before) ? { draft } : {};
  }
}

/** What a forked run takes over; read from the ledger, so that it can be resumed anywhere. Null for any other run. */
export async function readFork(
  ledger: Pick<Ledger, 'getText'>,
  runId: string,
  request: AuthoringRequest,
): Promise<{ recorded: RecordedRun; extraInstructions: string } | null> {
  const { fork } = request;
  if (fork === undefined) return null;
  const cassette = requireRecording(parseCassette(await ledger.getText(fork.record), fork.run), fork.run);
  const draft = fork.draft === undefined ? null : await ledger.getText(fork.draft);
  return {
    recorded: new RecordedRun(cassette, { runId, before: fork.step, draft, isStrict: true }),
    extraInstructions: fork.prompt === undefined ? '' : await ledger.getText(fork.prompt),
  };
}
