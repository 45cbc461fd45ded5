/** N2: the drafter writes, or rewrites with everything that was said so far. */

import { stripPreamble } from '../../../domain/drafts/issue-draft.ts';
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Message, ModelRequest } from '../../../ports/model.ts';
import { askForText } from '../../../runs/ask-model.ts';
import type { AuthoringContext } from '../definition.ts';
import { offerBuiltin } from '../offer-builtin.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState, Round } from '../state.ts';

/** Ends the round that is on the table: the draft, all that was said about it, what a person asked for. */
function closeRound(state: AuthoringState): readonly Round[] {
  if (state.draft === null) return state.rounds;
  return [
    ...state.rounds,
    {
      draft: state.draft.hash,
      verdicts: state.remarks,
      feedback: state.feedback,
      ...(state.previousBrief == null ? {} : { isBriefChanged: true as const }),
    },
  ];
}

/** All that was said about one draft. */
async function renderRemarks(
  { ledger, prompts }: AuthoringContext,
  round: Round,
  place: { readonly number: number; readonly reviewsBefore: number },
): Promise<string> {
  const remarks: string[] = [];
  for (const [index, verdict] of round.verdicts.entries()) {
    const text = fenceUntrusted('REVIEW', await ledger.getText(verdict));
    remarks.push(`Review ${place.reviewsBefore + index + 1}:\n\n${text}`);
  }
  if (round.isBriefChanged === true)
    remarks.push(
      'The brief was changed after this draft was written. It stands above as it is now: bring the draft in line with it.',
    );
  if (round.feedback !== '') remarks.push(`A person asks:\n\n${fenceUntrusted('FEEDBACK', round.feedback)}`);
  return prompts.render('draft-remarks', {
    number: String(place.number),
    remarks: remarks.join('\n\n') || 'None. Look at it once more as a whole.',
  });
}

/**
 * What the draft is made of, then the remarks of every round, and last the draft as it stands. All but the last message
 * only ever grow at their end, so that prompt caches stay good. Earlier drafts are left out: each would be paid again
 * in every round, and no remark is about them any more.
 */
async function buildMessages(context: AuthoringContext, rounds: readonly Round[]): Promise<Message[]> {
  const { ledger, prompts, definition } = context;
  const messages: Message[] = [
    { role: 'user', content: await definition.askForDraft(context), isKept: true },
  ];
  let reviewsBefore = 0;
  for (const [index, round] of rounds.entries()) {
    const content = await renderRemarks(context, round, { number: index + 1, reviewsBefore });
    messages.push({ role: 'user', content, isKept: true });
    reviewsBefore += round.verdicts.length;
  }
  const last = rounds.at(-1);
  if (last === undefined) return messages;
  const draft = fenceUntrusted('DRAFT', await ledger.getText(last.draft));
  const content = await prompts.render('draft-revision', { number: String(rounds.length), draft });
  return [...messages, { role: 'user', content }];
}

export async function writeDraft(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  if (state.iteration >= context.maxIterations) {
    throw new GatewrightError(
      'iteration-limit',
      `The run reached its limit of rounds (${state.iteration}).`,
      {
        resumeWith: `--max-iterations ${state.iteration + 10}`,
      },
    );
  }
  if (state.feedback !== '') {
    await saveLineage(
      context,
      `${state.step}/feedback`,
      'feedback.txt',
      () => `${state.feedback.trimEnd()}\n`,
    );
  }
  const { definition, ledger, models, request } = context;
  const previousBrief = state.previousBrief ?? null;
  if (previousBrief !== null)
    await saveLineage(context, `${state.step}/brief`, 'brief.md', () => ledger.getText(request.briefHash));
  const rounds = closeRound(state);
  const current = state.draft === null ? null : await ledger.getText(state.draft.hash);
  const modelRequest: ModelRequest = {
    role: 'drafter',
    call: state.drafts + 1,
    instructions: [await context.prompts.render(definition.draftPrompt, {}), context.extraInstructions]
      .filter((part) => part !== '')
      .join('\n\n'),
    messages: await buildMessages(context, rounds),
    material: {
      workflow: definition.workflow,
      brief: await ledger.getText(request.briefHash),
      title: request.title,
      ...(request.issue === undefined
        ? {}
        : {
            issue: String(request.issue.number),
            files: (await context.repository.listFiles()).join('\n'),
          }),
      ...(current === null ? {} : { draft: current }),
      ...(state.feedback === '' ? {} : { feedback: state.feedback }),
      ...(previousBrief === null ? {} : { previousBrief: await ledger.getText(previousBrief) }),
    },
  };
  const purpose = current === null ? 'to generate draft' : `to revise draft #${state.drafts}`;
  const answer = await offerBuiltin('drafter', () =>
    askForText(context, models.drafter, modelRequest, purpose),
  );
  const draft = await saveLineage(context, `${state.step}/draft`, 'draft.md', () =>
    stripPreamble(answer.value),
  );
  return {
    draft,
    drafts: state.drafts + 1,
    rounds,
    remarks: [],
    feedback: '',
    brief: request.briefHash,
    previousBrief: null,
    isUnchanged: state.draft !== null && state.draft.hash === draft.hash,
  };
}
