/** The questions of a pipeline to a person: what only they may decide, what failed, and whether to go on. */
import type { GateAnswer, GateChoice, GateQuestion } from '../../../domain/drafts/gate.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { PipelineContext } from '../pipeline-context.ts';
import type { PipelineState } from '../state.ts';

const leaveOpen: GateChoice = { name: 'save', key: 'S', label: '[S]ave and exit', leavesOpen: true };
const stop: GateChoice = {
  ...{ name: 'stop', key: 'E', label: '[E]nd the pipeline: say why', takesFeedback: true },
};

function askAbout(
  context: PipelineContext,
  state: PipelineState,
  asked: Pick<GateQuestion, 'kind' | 'choices'>,
): GateQuestion {
  return {
    id: makeGateId(context.runId, state.step),
    title: context.request.title,
    ...{ iteration: 1, drafts: 0, verdicts: 0, mustAsk: true },
    // An answer counts for the state that it was given to.
    artefacts:
      state.document === null
        ? []
        : [{ name: 'issue-state.json', path: '', hash: state.document, isStored: true }],
    ...(state.because === '' ? {} : { because: state.because }),
    ...(state.advice === undefined || state.advice === '' ? {} : { advice: state.advice }),
    ...(state.asked === null ? {} : { comment: state.asked }),
    ...asked,
  };
}

export function askAboutEscalation(context: PipelineContext, state: PipelineState): GateQuestion {
  return askAbout(context, state, {
    kind: 'escalation',
    choices: [
      {
        name: 'proceed',
        key: 'P',
        label: '[P]roceed: what you say is told to the stages',
        takesFeedback: true,
      },
      stop,
      leaveOpen,
    ],
  });
}

export function applyEscalation(
  state: PipelineState,
  { choice, feedback = '' }: GateAnswer,
): Partial<PipelineState> {
  const common = { guidance: feedback.trim(), because: '', advice: '' };
  // Stages may have asked each other something beside it: that is answered on the way.
  return { ...common, next: state.next, route: choice === 'stop' ? 'stop' : 'answer' };
}

export function askAboutFailure(context: PipelineContext, state: PipelineState): GateQuestion {
  return askAbout(context, state, {
    kind: 'blocked',
    choices: [
      { name: 'retry', key: 'R', label: '[R]etry: say what the writer should know', takesFeedback: true },
      stop,
      leaveOpen,
    ],
  });
}

/** A retry gives the writer as many attempts as it had; what was said before no longer counts against it. */
export function applyFailure(
  state: PipelineState,
  { choice, feedback = '' }: GateAnswer,
): Partial<PipelineState> {
  const common = { guidance: feedback.trim(), because: '', advice: '' };
  if (choice === 'stop') return { ...common, route: 'stop' };
  return { ...common, route: state.next, ceiling: state.ceiling + 3, rounds: [] };
}

export function askToGoOn(context: PipelineContext, state: PipelineState): GateQuestion {
  return askAbout(context, state, {
    kind: 'work',
    choices: [{ name: 'continue', key: 'C', label: '[C]ontinue with the next stage' }, stop, leaveOpen],
  });
}

export function applyGoOn(
  state: PipelineState,
  { choice, feedback = '' }: GateAnswer,
): Partial<PipelineState> {
  return { guidance: feedback.trim(), because: '', route: choice === 'stop' ? 'stop' : state.next };
}
