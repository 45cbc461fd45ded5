/** N2: the drafter writes, or rewrites with everything that was said so far. */

import { fenceUntrusted } from '../../../domain/fence-untrusted.ts';
import { stripPreamble } from '../../../domain/issue-draft.ts';
import { GatewrightError } from '../../../errors.ts';
import type { Message, ModelRequest } from '../../../ports/model.ts';
import { askForText } from '../../ask-model.ts';
import type { AuthoringContext } from '../definition.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState, Round } from '../state.ts';

/** Ends the round that is on the table: the draft, all that was said about it, what a person asked for. */
function closeRound(state: AuthoringState): readonly Round[] {
  if (state.draft === null) return state.rounds;
  return [...state.rounds, { draft: state.draft.hash, verdicts: state.remarks, feedback: state.feedback }];
}

/** The conversation only ever grows at its end: an earlier message is never changed, so prompt caches stay good. */
async function buildMessages(context: AuthoringContext, rounds: readonly Round[]): Promise<Message[]> {
  const { ledger, prompts, definition } = context;
  const messages: Message[] = [{ role: 'user', content: await definition.askForDraft(context) }];
  let reviews = 0;
  for (const round of rounds) {
    const remarks: string[] = [];
    for (const verdict of round.verdicts) {
      reviews += 1;
      remarks.push(`Review ${reviews}:\n\n${fenceUntrusted('REVIEW', await ledger.getText(verdict))}`);
    }
    if (round.feedback !== '')
      remarks.push(`A person asks:\n\n${fenceUntrusted('FEEDBACK', round.feedback)}`);
    messages.push({
      role: 'user',
      content: await prompts.render('draft-revision', {
        draft: fenceUntrusted('DRAFT', await ledger.getText(round.draft)),
        remarks: remarks.join('\n\n') || 'Look at it once more as a whole.',
      }),
    });
  }
  return messages;
}

export async function writeDraft(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  if (state.iteration >= context.maxIterations) {
    throw new GatewrightError(
      'iteration-limit',
      `The run has gone round ${state.iteration} times, as often as it may.`,
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
  const rounds = closeRound(state);
  const { definition, ledger, models, request } = context;
  const current = state.draft === null ? null : await ledger.getText(state.draft.hash);
  const modelRequest: ModelRequest = {
    role: 'drafter',
    call: state.drafts + 1,
    instructions: await context.prompts.render(definition.draftPrompt, {}),
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
    },
  };
  const purpose = current === null ? 'to generate draft' : `to revise draft #${state.drafts}`;
  const answer = await askForText(context, models.drafter, modelRequest, purpose);
  const draft = await saveLineage(context, `${state.step}/draft`, 'draft.md', () =>
    stripPreamble(answer.value),
  );
  return {
    draft,
    drafts: state.drafts + 1,
    rounds,
    remarks: [],
    feedback: '',
    isUnchanged: state.draft !== null && state.draft.hash === draft.hash,
  };
}
