/** N3: a person looks at the draft before any other model does. The edited file is what goes on. */
import type { GateAnswer, GateQuestion } from '../../../domain/drafts/gate.ts';
import { makeGateId } from '../../../domain/ledger/ids.ts';
import type { AuthoringContext } from '../definition.ts';
import type { AuthoringState } from '../state.ts';

export function askAboutDraft(context: AuthoringContext, state: AuthoringState): GateQuestion {
  const draft = state.draft ?? { path: '', hash: '' };
  const reviewer = context.models.reviewer.title;
  const isGemini = context.models.reviewer.family === 'gemini';
  return {
    id: makeGateId(context.runId, state.step),
    kind: 'draft',
    title: context.request.title,
    iteration: state.iteration + 1,
    drafts: state.drafts,
    verdicts: state.verdicts,
    artefacts: [{ name: 'draft', ...draft }],
    choices: [
      { name: 'send', key: 'G', label: `${isGemini ? '[G]emini' : '[G]o'} - send to ${reviewer} for review` },
      {
        name: 'revise',
        key: 'R',
        label: `[R]evise - send back to ${context.models.drafter.title} with feedback`,
        takesFeedback: true,
      },
      { name: 'save', key: 'S', label: '[S]ave and exit - pause workflow for later', leavesOpen: true },
    ],
    ...(state.isUnchanged
      ? {
          isUnchanged: true,
          because: `${context.models.drafter.title} returned the draft unchanged${state.verdict === null ? '' : `; what is missing stands in ${state.verdict.path}`}. Edit ${draft.path} yourself, then send it.`,
        }
      : {}),
  };
}

export function applyDraftAnswer(state: AuthoringState, answer: GateAnswer): Partial<AuthoringState> {
  const hash = answer.seen.draft ?? state.draft?.hash ?? '';
  return {
    iteration: state.iteration + 1,
    draft: state.draft === null ? null : { path: state.draft.path, hash },
    feedback: answer.choice === 'revise' ? (answer.feedback ?? '') : '',
    route: answer.choice === 'send' ? 'review' : 'revise',
  };
}
