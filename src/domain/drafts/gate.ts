/** A gate: a question on the ledger that only a person, or a recorded policy in a person's name, may answer. */
import type { Sha256 } from '../ledger/hash.ts';
import type { Decision } from './verdict.ts';

export const authoringGateKinds = ['draft', 'verdict', 'filing'] as const;

export const gateKinds = [
  ...authoringGateKinds,
  ...(['scope', 'plan', 'work', 'blocked', 'testing', 'close', 'merge', 'escalation'] as const),
] as const;

type GateKind = (typeof gateKinds)[number];

/** `person` at a terminal, or the policy that answered; `record` is an answer that was taken over from another run. */
export const answerers = ['person', 'auto', 'test-mode', 'verdict', 'record'] as const;

type Answerer = (typeof answerers)[number];

/** Something that the answer is about; the answer counts only for this very content. */
interface GateArtefact {
  readonly name: string;
  /** Relative to the repository. */
  readonly path: string;
  readonly hash: Sha256;
  /** It is no file but a text of the ledger; then it has no path, and cannot change. */
  readonly isStored?: true;
}

export interface GateChoice {
  readonly name: string;
  /** The key on a terminal, such as `G`. */
  readonly key: string;
  readonly label: string;
  readonly takesFeedback?: boolean;
  /** Whether choosing it only leaves the gate as it is (save and exit). */
  readonly leavesOpen?: boolean;
}

export interface GateQuestion {
  readonly id: string;
  readonly kind: GateKind;
  readonly title: string;
  readonly iteration: number;
  readonly drafts: number;
  readonly verdicts: number;
  readonly artefacts: readonly GateArtefact[];
  readonly choices: readonly GateChoice[];
  /** The comment on the forge that asks it; comments before it answer something else. */
  readonly comment?: number;
  /** Why it is asked when that is not plain, such as the error that made filing fail. */
  readonly because?: string;
  /** What a person could do about it, where that is known, in a sentence. */
  readonly advice?: string;
  /** Whether no policy may answer it, only a person. */
  readonly mustAsk?: boolean;
  /** What the draft asks and only a person can answer. No policy sends it on while there is any. */
  readonly questions?: readonly string[];
  /** Sections of the draft that its drafter left to a person. Sent as it is, the draft would come back. */
  readonly gaps?: readonly string[];
  /** The revision came back as it was: another round would change nothing. */
  readonly isUnchanged?: boolean;
  /** What the reviewer decided; null when there is no verdict. Counts only while the verdict file is unedited. */
  readonly decision?: Decision | null;
}

/** What the verdict file said when a gate was answered. */
export interface GateVerdict {
  /** Null when it ticked no box, or in a way that could not be read. */
  readonly decision: Decision | null;
  /** Whether it was no longer as it was rendered: then it is what a person made of it that counts. */
  readonly isEdited: boolean;
}

export interface GateAnswer {
  readonly choice: string;
  readonly feedback?: string;
  /**
   * The content that the person or policy saw when it answered, by artefact name. It may differ from what was first
   * asked.
   */
  readonly seen: Readonly<Record<string, Sha256>>;
  /** Who answered: `auto`, `test-mode` and `verdict` (routing by a clean verdict) are policies. */
  readonly by: Answerer;
  /** Where a person said it on the forge; missing when they answered at a terminal, or a policy did. */
  readonly said?: { readonly comment: number } | { readonly label: string; readonly at: string };
  /** At a verdict gate. */
  readonly verdict?: GateVerdict;
  /** It was approved although the verdict does not approve; a person has confirmed that. */
  readonly isAgainstVerdict?: true;
  /** Set with `record`: the run that it was given in, and who gave it there. It approves nothing but that content. */
  readonly takenFrom?: { readonly run: string; readonly by: Answerer; readonly actor?: string };
}

/** Finds a choice by name or key, as people type it. */
export function findChoice(question: Pick<GateQuestion, 'choices'>, typed: string): GateChoice | undefined {
  const wanted = typed.trim().toLowerCase();
  return question.choices.find((choice) => choice.name === wanted || choice.key.toLowerCase() === wanted);
}
