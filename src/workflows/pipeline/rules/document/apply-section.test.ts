import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyState } from '../../../../../test/support/any-state.ts';
import { documentedState } from '../../../../../test/support/documented-state.ts';
import { thrownCode } from '../../../../../test/support/thrown-code.ts';
import { applySection } from './apply-section.ts';
import { checkOwnership } from './section-owners.ts';
import { readState, type StateDocument, writeState } from './state-document.ts';
import { stages } from './state-schema.ts';

const documented = JSON.parse(documentedState) as StateDocument;

it('puts the fields of a stage into its sections and leaves the others', () => {
  const before = { ...documented, review: { ...documented.review, newer_field: 1 }, newer_section: [1] };
  const after = applySection('reviewer', before, {
    review: { completed: true, verdict: 'REJECTED', feedback_for_writer: 'Check for null.' },
    pipeline: { status: 'in_progress' },
    questions: [{ to: 'analyst', question: 'Is setTimeout fine?' }],
    escalations: [{ reason: 'It touches authentication.', requires_human: true }],
    observations: [{ type: 'pattern', content: 'Tests use vitest.' }],
  });
  expect(after).toEqual({
    ...before,
    review: {
      ...before.review,
      completed: true,
      verdict: 'REJECTED',
      feedback_for_writer: 'Check for null.',
    },
    pipeline: { ...before.pipeline, status: 'in_progress' },
    communication: {
      questions: [
        ...before.communication.questions,
        { from: 'reviewer', to: 'analyst', question: 'Is setTimeout fine?', answered: false, answer: null },
      ],
      escalations: [
        ...before.communication.escalations,
        { agent: 'reviewer', reason: 'It touches authentication.', requires_human: true, resolved: false },
      ],
    },
    learnings: {
      ...before.learnings,
      observations: [
        ...before.learnings.observations,
        { agent: 'reviewer', type: 'pattern', content: 'Tests use vitest.' },
      ],
    },
  });
  expect('state' in readState(writeState(after))).toBe(true);
});

it('lets the orchestrator answer, resolve and say how it ended', () => {
  const after = applySection('orchestrator', documented, {
    pipeline: { current_agent: 'writer', attempt: 2 },
    learnings: { outcome: 'success', attempts_used: 2 },
    answers: [{ place: 0, answer: 'No.' }],
    resolutions: [{ place: 0, resolution: 'A person agreed.' }],
  });
  expect(after.communication).toMatchObject({
    questions: [{ answered: true, answer: 'No.' }],
    escalations: [{ resolved: true, resolution: 'A person agreed.' }],
  });
  expect(after.learnings).toEqual({ ...documented.learnings, outcome: 'success', attempts_used: 2 });
});

it('refuses what the stage does not own, although the types were got round', () => {
  const changes = [
    { review: { verdict: 'APPROVED' } },
    { pipeline: { current_agent: 'committer' } },
    { answers: [{ place: 0, answer: 'Yes.' }] },
    { review: null },
    { newer_section: {} },
    JSON.parse('{"__proto__": {"verdict": "APPROVED"}}') as object,
  ];
  for (const change of changes)
    expect(thrownCode(() => applySection('writer', documented, change))).toBe('issue-state-invalid');
  expect(thrownCode(() => applySection('build', documented, { review: { feedback_for_writer: 'x' } }))).toBe(
    'nothing thrown',
  );
});

it('refuses an answer to nothing', () => {
  for (const place of [1, -1, 0.5])
    expect(
      thrownCode(() => applySection('orchestrator', documented, { answers: [{ place, answer: 'Yes.' }] })),
    ).toBe('internal');
});

it('changes nothing for an empty change, and never what it was given', () => {
  fc.assert(
    fc.property(anyState, fc.constantFrom(...stages), (state, stage) => {
      const copy = structuredClone(state);
      expect(applySection(stage, state, {})).toEqual(copy);
      const observations = [{ type: 'pattern', content: 'x' }];
      const after = applySection(stage, state, { observations });
      expect(checkOwnership(stage, state, after)).toEqual([]);
      expect(state).toEqual(copy);
    }),
    { numRuns: 50 },
  );
});
