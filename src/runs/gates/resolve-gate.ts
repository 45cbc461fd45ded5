/** Gets an answer to the gate that a run has reached: one that is on the ledger, a policy's, or a person's. */
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import { findDesignGaps, findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import type { Sha256 } from '../../domain/ledger/hash.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { Subject } from '../../domain/ledger/subject.ts';
import { isGatewrightError } from '../../errors.ts';
import type { Fence, Ledger } from '../../ports/ledger.ts';
import type { Progress } from '../../ports/progress.ts';
import type { Repository } from '../../ports/repository.ts';
import { hashTexts, readArtefacts, recordAnswer } from './answer-gate.ts';
import { answerByPolicy, type RunMode } from './gate-policy.ts';
import { readGateVerdict, type VerdictNow } from './read-gate-verdict.ts';

/** What a person answered. */
export interface PersonAnswer {
  readonly choice: string;
  readonly feedback?: string;
  /** Hashes of what they had before them. */
  readonly shown: Readonly<Record<string, Sha256>>;
}

/**
 * Asks a person. Resolves with null when the gate was answered elsewhere meanwhile, or when there is no person to ask.
 */
export type Decide = (question: GateQuestion, unclear: string | null) => Promise<PersonAnswer | null>;

/** Shows a person the verdict that is about to decide, and waits until they are done with it. */
export type Look = (
  question: GateQuestion,
  verdict: VerdictNow,
) => Promise<'go-on' | 'look-again' | 'leave-open' | 'answered-elsewhere'>;

/** How a run reaches the person at its terminal, if there is one. */
export interface Dialogue {
  readonly decide: Decide;
  /** Null when no person watches: then a verdict that leaves no doubt decides by itself. */
  readonly look: Look | null;
  /** Asks once more about something that was chosen. */
  readonly confirm: (what: string) => Promise<boolean>;
  /** Whether the person has said already that it ends here; missing where they are asked only when it comes to that. */
  readonly ends?: (question: GateQuestion) => boolean;
}

/** Without a person to ask, every gate that no policy answers is left open. */
export const noDialogue: Dialogue = {
  decide: async () => null,
  look: null,
  confirm: async () => false,
};

/** A gate that was left open, with the choice that left it; null when there was no person to ask. */
export class LeftOpen extends Error {
  readonly question: GateQuestion;
  readonly choice: string | null;
  /** Why the verdict file as it is now answers nothing; null when that is not the reason. */
  readonly unclear: string | null;
  constructor(question: GateQuestion, choice: string | null, unclear: string | null = null) {
    super('left open');
    this.question = question;
    this.choice = choice;
    this.unclear = unclear;
  }
}

/** What gates need of a run, of any workflow. */
export interface GatedRun {
  readonly id: string;
  readonly subject: Subject;
  readonly request: { readonly dryRun: boolean };
}

export interface GateTools {
  readonly ledger: Ledger;
  readonly repository: Pick<Repository, 'readText'>;
  readonly actor: string;
}

/** Answers from a recording; null when nothing was recorded for the gate. `asking` puts the question on the ledger. */
export type ReplayAnswer = (question: GateQuestion, asking: NewEntry) => Promise<GateAnswer | null>;

interface Resolving {
  readonly mode: RunMode;
  readonly dialogue: Dialogue;
  readonly progress: Progress;
  readonly fence: Fence;
  /** Null when the run takes nothing over from another. */
  readonly replay: ReplayAnswer | null;
}

export async function resolveGate(
  { ledger, repository, actor }: GateTools,
  run: GatedRun,
  resolving: Resolving,
  reached: GateQuestion,
): Promise<GateAnswer> {
  const { dialogue, mode } = resolving;
  const known = await ledger.find('gate-answered', reached.id);
  if (known !== null) return known.data.answer;
  const question = await withQuestions(reached);
  const isWatched =
    dialogue.look !== null &&
    question.kind === 'verdict' &&
    question.mustAsk !== true &&
    !(mode.auto || mode.strict || mode.testMode);
  const common = { runId: run.id, subject: run.subject, question, actor, isDryRun: run.request.dryRun };

  const asking = {
    subject: run.subject,
    run: run.id,
    actor,
    kind: 'gate-asked',
    key: question.id,
    data: { question },
  } as const;

  /** What the draft asks now: a person may have answered it in the file since the gate was reached. */
  async function withQuestions(asked: GateQuestion): Promise<GateQuestion> {
    if (asked.kind !== 'draft') return asked;
    const { draft = '' } = await readArtefacts(asked, repository, ledger, run.request.dryRun);
    const { questions: _, gaps: __, ...rest } = asked;
    const [questions, gaps] = [findOpenQuestions(draft), findDesignGaps(draft)];
    return {
      ...rest,
      ...(questions.length === 0 ? {} : { questions }),
      ...(gaps.length === 0 ? {} : { gaps }),
    };
  }

  interface Shown {
    readonly seen: Readonly<Record<string, Sha256>>;
    readonly verdict: VerdictNow | null;
  }

  async function readNow(): Promise<Shown> {
    const texts = await readArtefacts(question, repository, ledger, run.request.dryRun);
    return { seen: hashTexts(texts), verdict: await readGateVerdict(question, texts, ledger) };
  }

  /**
   * A person who is there sees the verdict before it decides, and may edit it first: then what they made of it decides.
   * What cannot be read is shown again with the reason. Null when the gate was answered elsewhere meanwhile.
   */
  async function letPersonLook(look: Look, first: Shown): Promise<Shown | null> {
    await ledger.append([], resolving.fence);
    for (let shown = first; ; ) {
      if (shown.verdict === null || shown.verdict.decision === 'DISCUSS') return shown;
      const looked = await look(question, shown.verdict);
      if (looked === 'leave-open') throw new LeftOpen(question, 'manual');
      if (looked === 'answered-elsewhere') return null;
      shown = await readNow();
      if (looked === 'go-on' && shown.verdict?.unclear == null) return shown;
    }
  }

  async function askPolicy(shown: Shown): Promise<GateAnswer | null> {
    const { verdict } = shown;
    let policy: ReturnType<typeof answerByPolicy> = null;
    try {
      policy = answerByPolicy(question, resolving.mode, verdict?.decision ?? null, verdict?.unclear ?? null);
    } finally {
      // A person will have to look at it, now or later: then the question has to be on the ledger before the answer.
      if (policy === null) await ledger.append([], resolving.fence);
    }
    if (policy === null && mode.auto && (question.questions ?? []).length > 0)
      throw new LeftOpen(question, null);
    if (policy === null) return null;
    // What a person made of the verdict is that person's answer.
    const isTheirs = verdict?.isEdited === true && isWatched && policy.by === 'verdict';
    const answer = await recordAnswer(ledger, repository, {
      ...common,
      ...policy,
      ...(isTheirs ? { by: 'person' } : {}),
      shown: shown.seen,
      fence: resolving.fence,
    });
    if (question.kind === 'verdict') {
      resolving.progress({
        kind: 'routed',
        by: isTheirs ? 'person' : policy.by,
        next: answer.choice === 'approve' ? 'finish' : 'revise',
      });
    }
    return answer;
  }

  async function askPerson({ verdict }: Shown): Promise<GateAnswer | null> {
    const unclear = verdict?.unclear ?? null;
    const person = await dialogue.decide(question, unclear);
    if (person === null) {
      if ((await ledger.find('gate-answered', question.id)) === null)
        throw new LeftOpen(question, null, unclear);
      return null;
    }
    const choice = question.choices.find((one) => one.name === person.choice);
    if (choice?.leavesOpen === true) throw new LeftOpen(question, choice.name);
    const given = { ...common, ...person, by: 'person' } as const;
    try {
      return await recordAnswer(ledger, repository, given);
    } catch (error) {
      if (!isGatewrightError(error, 'verdict-not-approved')) throw error;
      if (!(await dialogue.confirm(error.message))) return null;
      return recordAnswer(ledger, repository, { ...given, isConfirmed: true });
    }
  }

  async function askNow(): Promise<GateAnswer | null> {
    let shown: Shown | null = await readNow();
    ledger.defer(asking, resolving.fence);
    if (isWatched && dialogue.look !== null) shown = await letPersonLook(dialogue.look, shown);
    return shown === null ? null : ((await askPolicy(shown)) ?? (await askPerson(shown)));
  }

  for (;;) {
    const given = await ledger.find('gate-answered', question.id);
    if (given !== null) return given.data.answer;
    try {
      const answer = (await resolving.replay?.(question, asking)) ?? (await askNow());
      if (answer !== null) return answer;
    } catch (error) {
      // The content changed, or another process answered first: look again, and ask again if the gate is still open.
      if (!isGatewrightError(error, 'gate-content-changed', 'gate-answered')) throw error;
      resolving.progress({ kind: 'warning', message: error.message });
    }
  }
}
