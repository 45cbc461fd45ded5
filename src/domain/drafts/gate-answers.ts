/**
 * What a person can answer at a gate, as lists offer it. Every list offers the same answers, and none that would be
 * refused or would lead back to the same gate.
 */
import { quoteForShell } from '../text/quote-for-shell.ts';
import type { GateChoice, GateQuestion } from './gate.ts';

export interface OfferedAnswer {
  readonly choice: string;
  /** The command that gives it, as it can be run. */
  readonly command: string;
  /** What a person may add to the command; empty when the answer takes no words. */
  readonly words: string;
  /** What has to be done or be true before, else the answer moves nothing; null when nothing has to. */
  readonly after: string | null;
}

/** The choices that an answer can be recorded for; one that leaves the gate open is no answer. */
export function answersOf({ choices }: Pick<GateQuestion, 'choices'>): GateChoice[] {
  return choices.filter((choice) => choice.leavesOpen !== true);
}

/** Whether the verdict does not approve: then to approve has to be confirmed. */
export function isAgainstApproval({ kind, decision }: Pick<GateQuestion, 'kind' | 'decision'>): boolean {
  return kind === 'verdict' && decision !== undefined && decision !== 'APPROVED';
}

/** Whether the draft, sent as it is, would come back. */
export function isUnfinishedDraft({ kind, questions = [], gaps = [], isUnchanged }: GateQuestion): boolean {
  return kind === 'draft' && (isUnchanged === true || questions.length + gaps.length > 0);
}

function conditionFor(question: GateQuestion, { name }: GateChoice): string | null {
  const [draft] = question.artefacts;
  const path = draft?.path ?? 'the draft';
  if (name === 'send' && isUnfinishedDraft(question)) {
    if ((question.questions ?? []).length > 0) return `after you answered what is open in ${path}`;
    const hasGaps = (question.gaps ?? []).length > 0;
    return hasGaps ? `after you filled the gaps in ${path}` : `after you edited ${path}`;
  }
  if (question.kind === 'merge') return 'after its pull request is merged';
  return name === 'approve' && isAgainstApproval(question) ? 'if you decide against the verdict' : null;
}

/**
 * The answers with their commands; first what can be given at once.
 * @param suffix options that every command needs here
 */
export function offerAnswers(question: GateQuestion, suffix = ''): OfferedAnswer[] {
  const offered = answersOf(question).map((choice) => {
    const after = conditionFor(question, choice);
    const against = choice.name === 'approve' && isAgainstApproval(question) ? ' --against-verdict' : '';
    const command = `gatewright gate answer ${question.id} --choice ${quoteForShell(choice.name)}${against}${suffix}`;
    const words = choice.takesFeedback === true ? ' --feedback "TEXT"' : '';
    return { choice: choice.name, command, words, after };
  });
  return [...offered.filter(({ after }) => after === null), ...offered.filter(({ after }) => after !== null)];
}
