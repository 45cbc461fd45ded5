/** The reviewer without a model approves exactly when no check blocks, and says that no model looked. */
import { describe, expect, it } from 'vitest';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import { checkIssueDraft } from '../../domain/drafts/mechanical-checks.ts';
import { verdictSchema } from '../../domain/drafts/verdict.ts';
import { checklistReviewer, reviewByChecklist } from './checklist-reviewer.ts';
import { outlineIssue } from './issue-outline.ts';
import { outlineDrafter } from './outline-drafter.ts';

const good = outlineIssue('# Export\n\nPeople copy numbers.\n\n- a button on every page\n', 'x');
const materialOf = (draft: string) => ({ findings: JSON.stringify(checkIssueDraft(draft)) });
const request = { role: 'reviewer', call: 1, instructions: '', messages: [] };

describe('reviewByChecklist', () => {
  it('approves when nothing blocks', () => {
    const verdict = reviewByChecklist(checkIssueDraft(good));
    expect(verdict.decision).toBe('APPROVED');
    expect(verdict.findings.filter((finding) => finding.tier === 'blocking')).toEqual([]);
    expect(verdict.summary).toContain('No model judged');
  });

  it.each([
    ['one', good.replace('## Objective', '## Something'), '1 mechanical check failed'],
    [
      'two',
      good.replace('## Objective', '## Something').replace('## Out of Scope', '## Other'),
      '2 mechanical checks failed',
    ],
  ])('asks for a revision when %s blocks', (_, draft, words) => {
    const verdict = reviewByChecklist(checkIssueDraft(draft));
    expect(verdict.decision).toBe('REVISE');
    expect(verdict.summary).toContain(words);
  });
});

describe('checklistReviewer', () => {
  it('answers in the schema, for nothing', async () => {
    const answer = await checklistReviewer.answerObject(
      { ...request, material: materialOf(good) },
      verdictSchema,
    );
    expect(answer.value).toEqual(reviewByChecklist(checkIssueDraft(good)));
    expect(answer.usage).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 });
    expect(checklistReviewer).toMatchObject({ name: 'builtin:checklist', family: null });
    expect(await checklistReviewer.readPrice()).toBeNull();
  });

  it('answers about any draft, long placeholders too', async () => {
    const draft = good.replace(
      '## Dependencies\n\nNot stated in the brief.',
      `## Dependencies\n\n#${'x'.repeat(5_000)}`,
    );
    const answer = await checklistReviewer.answerObject(
      { ...request, material: materialOf(draft) },
      verdictSchema,
    );
    expect(answer.value.decision).toBe('REVISE');
  });

  it('approves nothing that was not checked', async () => {
    await expect(checklistReviewer.answerObject(request, verdictSchema)).rejects.toThrow();
    await expect(
      checklistReviewer.answerObject({ ...request, material: { findings: '{}' } }, verdictSchema),
    ).rejects.toThrow();
  });

  it('cannot draft, and the drafter cannot review', async () => {
    expect(await rejectedCode(checklistReviewer.answerText({ ...request, material: materialOf(good) }))).toBe(
      'model-unknown',
    );
    expect(
      await rejectedCode(
        outlineDrafter.answerObject({ ...request, material: { brief: 'x' } }, verdictSchema),
      ),
    ).toBe('model-unknown');
  });
});
