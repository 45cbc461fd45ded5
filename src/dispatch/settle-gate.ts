/** Gets an answer to the gate that a run has reached: one that is on the ledger, a policy's, or a person's. */
import type { GateAnswer, GateQuestion } from '../domain/gate.ts';
import type { Sha256 } from '../domain/hash.ts';
import { readVerdict } from '../domain/read-verdict.ts';
import type { AuthoringRequest } from '../domain/run.ts';
import type { Subject } from '../domain/subject.ts';
import type { Decision } from '../domain/verdict.ts';
import { isGatewrightError } from '../errors.ts';
import type { Fence, Ledger } from '../ports/ledger.ts';
import type { Progress } from '../ports/progress.ts';
import { hashTexts, readArtefacts, recordAnswer } from './answer-gate.ts';
import { answerByPolicy, type RunMode } from './gate-policy.ts';
import type { House } from './house.ts';
import type { RecordedRun } from './recorded-run.ts';
import { takeOverGate } from './take-over-gate.ts';

/** What a person answered. */
export interface PersonAnswer {
  readonly choice: string;
  readonly feedback?: string;
  /** Hashes of what they had before them. */
  readonly shown: Readonly<Record<string, Sha256>>;
}

/** Asks a person. Resolves with null when the gate was answered elsewhere meanwhile, or nobody can be asked. */
export type Decide = (question: GateQuestion) => Promise<PersonAnswer | null>;

/** A gate that was left open, with the choice that left it; null when nobody could be asked. */
export class LeftOpen extends Error {
  readonly question: GateQuestion;
  readonly choice: string | null;
  constructor(question: GateQuestion, choice: string | null) {
    super('left open');
    this.question = question;
    this.choice = choice;
  }
}

interface Run {
  readonly id: string;
  readonly subject: Subject;
  readonly request: AuthoringRequest;
}

interface Settling {
  readonly mode: RunMode;
  readonly decide: Decide;
  readonly preview: (question: GateQuestion) => Promise<void>;
  readonly progress: Progress;
  readonly fence: Fence;
  readonly recorded: RecordedRun | null;
}

/** What the verdict says now. The reviewer's own decision counts while its file is as it was written. */
async function readDecision(
  question: GateQuestion,
  texts: Readonly<Record<string, string>>,
  ledger: Pick<Ledger, 'getText'>,
): Promise<Decision | null> {
  const asked = question.artefacts.find((artefact) => artefact.name === 'verdict');
  if (asked === undefined) return null;
  if (hashTexts(texts).verdict === asked.hash) return question.decision ?? null;
  return readVerdict(texts.verdict ?? '', await ledger.getText(asked.hash)).decision;
}

export async function settleGate(
  house: House,
  run: Run,
  settling: Settling,
  question: GateQuestion,
): Promise<GateAnswer> {
  const { ledger, repository, actor } = house;
  const common = { runId: run.id, subject: run.subject, question, actor, isDryRun: run.request.dryRun };

  const asking = {
    subject: run.subject,
    run: run.id,
    actor,
    kind: 'gate-asked',
    key: question.id,
    data: { question },
  } as const;

  async function askPolicy(): Promise<GateAnswer | null> {
    const texts = await readArtefacts(question, repository, ledger, run.request.dryRun);
    ledger.defer(asking, settling.fence);
    let policy: ReturnType<typeof answerByPolicy> = null;
    try {
      policy = answerByPolicy(question, settling.mode, await readDecision(question, texts, ledger));
    } finally {
      // A person will have to look at it, now or later: then the question has to be on the ledger before the answer.
      if (policy === null) await ledger.append([], settling.fence);
    }
    if (policy === null) return null;
    await settling.preview(question);
    const answer = await recordAnswer(ledger, repository, {
      ...common,
      ...policy,
      shown: hashTexts(texts),
      fence: settling.fence,
    });
    if (question.kind === 'verdict') {
      settling.progress({
        kind: 'routed',
        by: policy.by,
        next: answer.choice === 'approve' ? 'finish' : 'revise',
      });
    }
    return answer;
  }

  async function askPerson(): Promise<GateAnswer | null> {
    const person = await settling.decide(question);
    if (person === null) {
      if ((await ledger.find('gate-answered', question.id)) === null) throw new LeftOpen(question, null);
      return null;
    }
    const choice = question.choices.find((one) => one.name === person.choice);
    if (choice?.leavesOpen === true) throw new LeftOpen(question, choice.name);
    return recordAnswer(ledger, repository, { ...common, ...person, by: 'person' });
  }

  async function askRecord(): Promise<GateAnswer | null> {
    const { recorded, fence } = settling;
    return recorded === null ? null : takeOverGate(house, { run, recorded, question, asking, fence });
  }

  for (;;) {
    const given = await ledger.find('gate-answered', question.id);
    if (given !== null) return given.data.answer;
    try {
      const answer = (await askRecord()) ?? (await askPolicy()) ?? (await askPerson());
      if (answer !== null) return answer;
    } catch (error) {
      // The content moved or somebody was quicker: look again, and ask again if it is still open.
      if (!isGatewrightError(error, 'gate-content-changed', 'gate-answered')) throw error;
      settling.progress({ kind: 'warning', message: error.message });
    }
  }
}
