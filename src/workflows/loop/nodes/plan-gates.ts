/** The two questions before any work: what the issue leaves open, and whether the plan is right. */
import type { GateAnswer, GateChoice, GateQuestion } from '../../../domain/drafts/gate.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { LoopContext } from '../loop-context.ts';
import type { LoopState } from '../state.ts';

export const leaveOpen: GateChoice = { name: 'save', key: 'S', label: '[S]ave and exit', leavesOpen: true };

/** What every gate of a loop has in common. */
export function askAbout(
  context: LoopContext,
  state: LoopState,
  asked: Pick<GateQuestion, 'kind' | 'choices'> & Partial<GateQuestion>,
): GateQuestion {
  return {
    id: makeGateId(context.runId, state.step),
    title: context.request.title,
    iteration: state.plans,
    drafts: 0,
    verdicts: 0,
    artefacts: [],
    mustAsk: true,
    ...(state.because === '' ? {} : { because: state.because }),
    ...(state.planComment === null ? {} : { comment: state.planComment }),
    ...asked,
  };
}

export function askAboutScope(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'scope',
    questions: state.questions,
    choices: [
      { name: 'answer', key: 'A', label: '[A]nswer the questions', takesFeedback: true },
      { name: 'plan', key: 'P', label: '[P]lan without answers' },
      leaveOpen,
    ],
  });
}

export function applyScopeAnswer(_: LoopState, { feedback = '' }: GateAnswer): Partial<LoopState> {
  return { answers: feedback, route: 'plan' };
}

export function askAboutPlan(context: LoopContext, state: LoopState): GateQuestion {
  return askAbout(context, state, {
    kind: 'plan',
    artefacts:
      state.planText === null ? [] : [{ name: 'plan', path: '', hash: state.planText, isStored: true }],
    choices: [
      { name: 'approve', key: 'A', label: '[A]pprove: its commands may be run' },
      { name: 'revise', key: 'R', label: '[R]evise: say what should change', takesFeedback: true },
      leaveOpen,
    ],
  });
}

export function applyPlanAnswer(_: LoopState, { choice, feedback = '' }: GateAnswer): Partial<LoopState> {
  return choice === 'approve' ? { route: 'approve', because: '' } : { route: 'plan', feedback, because: '' };
}
