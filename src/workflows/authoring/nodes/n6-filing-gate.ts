/** Asked when the forge refused or did not answer: try again, edit, or leave everything where it is. */
import type { GateAnswer, GateQuestion } from '../../../domain/drafts/gate.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { AuthoringContext } from '../definition.ts';
import type { AuthoringState } from '../state.ts';

export function askAboutFiling(context: AuthoringContext, state: AuthoringState): GateQuestion {
  return {
    id: makeGateId(context.runId, state.step),
    kind: 'filing',
    title: context.request.title,
    iteration: state.iteration,
    drafts: state.drafts,
    verdicts: state.verdicts,
    artefacts: [],
    choices: [
      { name: 'retry', key: 'R', label: '[R]etry - try to file again' },
      { name: 'edit', key: 'E', label: '[E]dit - open the draft and go back to the verdict' },
      { name: 'abort', key: 'A', label: '[A]bort - stop; all files stay in active/', leavesOpen: true },
    ],
    because: state.filingError?.message ?? 'filing failed',
    mustAsk: true,
  };
}

export function applyFilingAnswer(_: AuthoringState, answer: GateAnswer): Partial<AuthoringState> {
  return answer.choice === 'retry' ? { route: 'finish', filingError: null } : { route: 'ask', mustAsk: true };
}
