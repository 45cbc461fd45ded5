/** N5: the verdict decides where the draft goes, or a person does. What is filed is what was reviewed. */
import type { GateAnswer, GateQuestion } from '../../../domain/drafts/gate.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { AuthoringContext } from '../definition.ts';
import type { AuthoringState } from '../state.ts';

export function askAboutVerdict(context: AuthoringContext, state: AuthoringState): GateQuestion {
  const artefacts = [
    { name: 'draft', path: state.draft?.path ?? '', hash: state.draft?.hash ?? '' },
    { name: 'verdict', path: state.verdict?.path ?? '', hash: state.verdict?.hash ?? '' },
  ];
  return {
    id: makeGateId(context.runId, state.step),
    kind: 'verdict',
    title: context.request.title,
    iteration: state.iteration,
    drafts: state.drafts,
    verdicts: state.verdicts,
    artefacts,
    choices: [
      { name: 'approve', key: 'A', label: '[A]pprove - continue with this draft' },
      {
        name: 'revise',
        key: 'R',
        label: `[R]evise - send back to ${context.models.drafter.title}`,
        takesFeedback: true,
      },
      {
        name: 'manual',
        key: 'M',
        label: '[M]anual - leave the workflow here and handle it yourself',
        leavesOpen: true,
      },
    ],
    decision: state.verdict?.decision ?? null,
    ...(state.mustAsk
      ? { mustAsk: true, because: state.filingError?.message ?? 'a person asked to edit' }
      : {}),
  };
}

export function applyVerdictAnswer(state: AuthoringState, answer: GateAnswer): Partial<AuthoringState> {
  const draftHash = answer.seen.draft ?? state.draft?.hash ?? '';
  const verdictHash = answer.seen.verdict ?? state.verdict?.hash ?? '';
  const draft = state.draft === null ? null : { path: state.draft.path, hash: draftHash };
  // An edited verdict is the person's, with what it decides: it may be asked about again when filing fails.
  const { decision = null } = answer.verdict?.isEdited === true ? answer.verdict : (state.verdict ?? {});
  const verdict = state.verdict === null ? null : { ...state.verdict, hash: verdictHash, decision };
  // What a person left of the verdict is what the drafter gets to read.
  const remarks = [...state.remarks.slice(0, -1), verdictHash].filter((hash) => hash !== '');
  const base = { draft, verdict, remarks, mustAsk: false, filingError: null, feedback: '' };
  if (answer.choice === 'revise') {
    return { ...base, feedback: answer.feedback ?? '', route: 'revise' };
  }
  // A draft that was edited after its review is not the one that was approved: it is reviewed again.
  const isReviewed = verdict?.reviewedDraft === draftHash;
  return { ...base, route: isReviewed ? 'finish' : 'review' };
}
