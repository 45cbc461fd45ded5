/** N4: what code can check is checked first; then the independent reviewer judges, in a schema. It cannot be skipped. */

import {
  effectiveDecision,
  type Finding,
  renderVerdict,
  type Verdict,
  verdictSchema,
} from '../../../domain/drafts/verdict.ts';
import { sha256 } from '../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../errors.ts';
import { askForObject } from '../../../runs/ask-model.ts';
import type { AuthoringContext } from '../definition.ts';
import { namedOnRecord, requireIndependence } from '../independence.ts';
import { offerBuiltin } from '../offer-builtin.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState } from '../state.ts';

interface Judgement {
  readonly verdict: Verdict;
  readonly by: string;
  /** The name of the judge, as messages say it. */
  readonly title: string;
  /** The run that it was given in, when it is taken over from there. */
  readonly takenFrom: string | null;
  readonly prompt: string;
  readonly isPaid: boolean;
}

function judgeMechanically(findings: readonly Finding[]): Judgement {
  const blocking = findings.filter((finding) => finding.tier === 'blocking').length;
  return {
    by: 'mechanical checks',
    title: 'mechanical checks',
    takenFrom: null,
    prompt: '',
    isPaid: false,
    verdict: {
      decision: 'REVISE',
      summary: `${blocking} mechanical ${blocking === 1 ? 'check' : 'checks'} failed, so no reviewer was asked yet.`,
      findings: [...findings],
      questions: [],
    },
  };
}

export async function reviewDraft(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  // A draft that is changed after each of its reviews would be reviewed, and paid for, for ever.
  if (state.verdicts - state.drafts >= context.maxIterations) {
    throw new GatewrightError(
      'iteration-limit',
      `The draft was changed after ${state.verdicts} reviews; the run reached its limit of rounds.`,
      { resumeWith: `--max-iterations ${state.verdicts - state.drafts + 10}` },
    );
  }
  const { definition, ledger, models, prompts } = context;
  // The drafter clears the remarks: a person changed a draft that has some.
  if (
    state.remarks.length > 0 &&
    state.verdict !== null &&
    state.verdict.reviewedDraft !== state.draft?.hash
  ) {
    context.progress({
      kind: 'warning',
      message: `${state.draft?.path ?? 'The draft'} was changed after its review, so that review no longer counts: it is reviewed again.`,
    });
  }
  const reviewedDraft = state.draft?.hash ?? '';
  const draft = await ledger.getText(reviewedDraft);
  const findings = await definition.check(context, draft);
  const instructions = await prompts.render(definition.reviewPrompt, {});
  const judgement = findings.some((finding) => finding.tier === 'blocking')
    ? judgeMechanically(findings)
    : await askReviewer();

  async function askReviewer(): Promise<Judgement> {
    await requireIndependence(context);
    const content = await definition.askForReview(context, draft, findings);
    const answer = await offerBuiltin('reviewer', () =>
      askForObject(
        context,
        models.reviewer,
        {
          role: 'reviewer',
          call: state.reviews + 1,
          instructions,
          messages: [{ role: 'user', content }],
          material: { findings: JSON.stringify(findings) },
        },
        'for review',
        verdictSchema,
      ),
    );
    const { value: verdict, reportedModel: by, takenFrom } = answer;
    if (takenFrom !== null) await requireIndependence(context, namedOnRecord(`record:${by}`));
    const title = takenFrom === null ? models.reviewer.title : `${by} (recorded)`;
    return { verdict, by, title, takenFrom, prompt: definition.reviewPrompt, isPaid: true };
  }

  const { verdict } = judgement;
  const text = renderVerdict(verdict, {
    reviewer: judgement.by,
    prompt: judgement.prompt || 'none',
    review: state.verdicts + 1,
  });
  const decision = effectiveDecision(verdict);
  // Written to the ledger in one transaction with the intent to write its file.
  context.note({
    subject: context.subject,
    run: context.runId,
    actor: judgement.by,
    kind: 'verdict',
    key: `${context.runId}/verdict#${state.verdicts + 1}`,
    data: {
      decision,
      by: judgement.by,
      prompt: judgement.isPaid ? sha256(instructions) : '',
      draft: reviewedDraft,
      verdict: sha256(text),
      blocking: verdict.findings.filter((finding) => finding.tier === 'blocking').length,
      ...(judgement.takenFrom === null ? {} : { takenFrom: judgement.takenFrom }),
    },
  });
  const saved = await saveLineage(context, `${state.step}/verdict`, 'verdict.md', () => text);
  context.progress({
    kind: 'verdict',
    reviewer: judgement.title,
    text,
    path: saved.path,
  });
  return {
    verdict: { ...saved, decision, reviewedDraft },
    remarks: [...state.remarks, saved.hash],
    verdicts: state.verdicts + 1,
    reviews: state.reviews + (judgement.isPaid ? 1 : 0),
  };
}
