/** Takes an answer to a gate: the first valid one wins, and it counts only for the content that was seen. */
import { findChoice, type GateAnswer, type GateQuestion } from '../../domain/drafts/gate.ts';
import { answersOf } from '../../domain/drafts/gate-answers.ts';
import { type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { Fence, Ledger } from '../../ports/ledger.ts';
import type { Repository } from '../../ports/repository.ts';
import { readGateVerdict, type VerdictNow } from './read-gate-verdict.ts';

type Texts = Readonly<Record<string, string>>;

/** Names the run: who comes second did not begin it and does not know its id. */
export function hintOfAnswered(run: string): string {
  return `See where the run is now with: gatewright explain ${run}`;
}

/** What the gate's files hold now, by artefact name. */
export async function readArtefacts(
  question: GateQuestion,
  repository: Pick<Repository, 'readText'>,
  ledger: Pick<Ledger, 'getText'>,
  isDryRun: boolean,
): Promise<Texts> {
  const texts: Record<string, string> = {};
  for (const { name, path, hash, isStored = false } of question.artefacts) {
    const text = isDryRun || isStored ? await ledger.getText(hash) : await repository.readText(path);
    if (text === null) {
      throw new GatewrightError('gate-content-gone', `${path} is gone, so there is nothing to decide about.`);
    }
    texts[name] = text;
  }
  return texts;
}

export function hashTexts(texts: Texts): Record<string, Sha256> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256(text)]));
}

interface AnswerInput {
  readonly runId: string;
  readonly subject: Subject;
  readonly question: GateQuestion;
  readonly choice: string;
  readonly feedback?: string;
  readonly by: GateAnswer['by'];
  readonly takenFrom?: GateAnswer['takenFrom'];
  readonly said?: GateAnswer['said'];
  readonly actor: string;
  /** The hashes of what was looked at; null takes what is there now. */
  readonly shown: Readonly<Record<string, Sha256>> | null;
  readonly isDryRun: boolean;
  /** Whether the person approves although a message told them that the verdict does not. */
  readonly isConfirmed?: boolean;
  /** Given when the run itself answers by a policy: then it has to hold its subject. */
  readonly fence?: Fence;
}

/** Who is written down as having answered: never a person for what a policy or a record said. */
function actorOf({ by, actor, takenFrom }: AnswerInput): string {
  if (by === 'person') return actor;
  return by === 'record' ? `record:${takenFrom?.run ?? ''}` : `policy:${by}`;
}

function describeVerdict({ decision, unclear }: VerdictNow): string {
  if (decision !== null) return `The verdict says ${decision}.`;
  return `The verdict approves nothing${unclear === null ? '.' : `: ${unclear}`}`;
}

/** What the answer does with the verdict. A person who approves what the verdict does not is asked once more. */
function weighVerdict(
  input: AnswerInput,
  choice: string,
  now: VerdictNow | null,
): Pick<GateAnswer, 'verdict' | 'isAgainstVerdict'> {
  if (now === null) return {};
  const verdict = { decision: now.decision, isEdited: now.isEdited };
  if (choice !== 'approve' || now.decision === 'APPROVED') return { verdict };
  if (input.by === 'person' && input.isConfirmed !== true)
    throw new GatewrightError('verdict-not-approved', describeVerdict(now));
  return { verdict, isAgainstVerdict: true };
}

/** An answer counts for what was looked at, and for nothing else. */
function refuseChanged(
  shown: Readonly<Record<string, Sha256>>,
  seen: Readonly<Record<string, Sha256>>,
): void {
  const changes = Object.entries(shown).flatMap(([artefact, hash]) => {
    const now = seen[artefact];
    return now === undefined || now === hash ? [] : [{ artefact, shown: hash, now }];
  });
  const [first] = changes;
  if (first === undefined) return;
  throw new GatewrightError(
    'gate-content-changed',
    `The ${first.artefact} was changed after it was shown to you.`,
    { facts: { changes } },
  );
}

/** Writes the answer to the ledger, or fails and writes nothing. */
export async function recordAnswer(
  ledger: Ledger,
  repository: Pick<Repository, 'readText'>,
  input: AnswerInput,
): Promise<GateAnswer> {
  const { question } = input;
  const choice = findChoice(question, input.choice);
  if (choice === undefined) {
    const names = answersOf(question)
      .map((one) => one.name)
      .join(', ');
    throw new GatewrightError('gate-choice-invalid', `Gate ${question.id} takes one of: ${names}.`);
  }
  if ((input.feedback?.trim() ?? '') !== '' && choice.takesFeedback !== true) {
    throw new GatewrightError(
      'gate-choice-invalid',
      `"${choice.name}" takes no feedback; choose "revise" to ask for a change.`,
    );
  }
  const texts = await readArtefacts(question, repository, ledger, input.isDryRun);
  const seen = hashTexts(texts);
  refuseChanged(input.shown ?? {}, seen);
  const weighed = weighVerdict(input, choice.name, await readGateVerdict(question, texts, ledger));
  for (const text of Object.values(texts)) await ledger.putText(text);
  const feedback = input.feedback?.trim() ?? '';
  const answer: GateAnswer = {
    choice: choice.name,
    seen,
    by: input.by,
    ...weighed,
    ...(input.takenFrom === undefined ? {} : { takenFrom: input.takenFrom }),
    ...(input.said === undefined ? {} : { said: input.said }),
    ...(feedback === '' ? {} : { feedback }),
  };
  try {
    await ledger.append(
      [
        {
          subject: input.subject,
          run: input.runId,
          actor: actorOf(input),
          kind: 'gate-answered',
          key: question.id,
          data: { gate: question.id, answer },
        },
      ],
      input.fence,
    );
  } catch (error) {
    if (!isGatewrightError(error, 'ledger-conflict')) throw error;
    const first = await ledger.find('gate-answered', question.id);
    const choice = first?.data.answer.choice ?? '?';
    throw new GatewrightError(
      'gate-answered',
      `Gate ${question.id} was answered before, by ${first?.actor ?? 'another person'}: ${choice}.`,
      {
        hint: hintOfAnswered(input.runId),
        ...(first === null ? {} : { facts: { by: first.actor, at: first.at, choice } }),
      },
    );
  }
  return answer;
}
