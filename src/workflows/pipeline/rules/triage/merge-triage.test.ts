import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTriage, type TriageOpinion } from './merge-triage.ts';
import { complexities, issueTypes, scopes, type Triage } from './triage.ts';

const byCode: Triage = {
  ...{
    type: 'NEW_FEATURE',
    scope: 'MEDIUM',
    complexity: 'moderate',
    shouldProceed: true,
    rejectionReason: null,
  },
  ...{ concerns: ['One concern.'], questions: [], escalations: ['It concerns payment: it says “refund”.'] },
};
const stopped: Triage = { ...byCode, shouldProceed: false, rejectionReason: 'No sentence.' };

describe('the opinion of a model about an issue', () => {
  it.each<[string, TriageOpinion, Partial<Triage>]>([
    ['nothing', {}, byCode],
    ['a larger scope', { scope: 'LARGE' }, { scope: 'LARGE' }],
    ['a higher complexity', { complexity: 'complex' }, { complexity: 'complex' }],
    ['a type that has to show more', { type: 'BUG_FIX' }, { type: 'BUG_FIX' }],
    ['another concern', { concerns: [' Two. ', 'one concern', ''] }, { concerns: ['One concern.', 'Two.'] }],
    ['a question', { questions: ['Why?', 'why'] }, { questions: ['Why?'] }],
    [
      'a stop',
      { shouldProceed: false, rejectionReason: 'Too vague.' },
      { shouldProceed: false, rejectionReason: 'Too vague.' },
    ],
    [
      'a stop without a reason',
      { shouldProceed: false, rejectionReason: null },
      { shouldProceed: false, rejectionReason: 'The model gave no reason.' },
    ],
    ['a reason without a stop', { shouldProceed: true, rejectionReason: 'x' }, { rejectionReason: null }],
  ])('may be stricter: %s', (_, opinion, expected) => {
    const { triage, dropped } = mergeTriage(byCode, opinion);
    expect(triage).toMatchObject(expected);
    expect(dropped).toEqual([]);
  });

  it('asks a person when it makes the scope large', () => {
    expect(mergeTriage(byCode, { scope: 'LARGE' }).triage.escalations).toEqual([
      ...byCode.escalations,
      'The scope is LARGE: six files or more.',
    ]);
  });

  it.each<[string, Triage, TriageOpinion, string]>([
    ['a smaller scope', byCode, { scope: 'SMALL' }, 'the scope is SMALL; code found MEDIUM'],
    ['a lower complexity', byCode, { complexity: 'simple' }, 'the complexity is simple; code found moderate'],
    [
      'a type without tests',
      byCode,
      { type: 'REFACTOR_STYLE' },
      'the type is REFACTOR_STYLE; code found NEW_FEATURE',
    ],
    ['a start', stopped, { shouldProceed: true }, 'the work should begin; code found a reason against it'],
  ])('may not be more lenient: %s', (_, found, opinion, sentence) => {
    const { triage, dropped } = mergeTriage(found, opinion);
    expect(triage).toEqual(found);
    expect(dropped).toEqual([expect.stringContaining(sentence)]);
  });

  it('is never more lenient in the end, whatever both say', () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.lorem()), { maxLength: 25 });
    const lists = { concerns: texts, questions: texts, escalations: texts };
    const answer = {
      type: fc.constantFrom(...issueTypes),
      scope: fc.constantFrom(...scopes),
      complexity: fc.constantFrom(...complexities),
      ...lists,
      shouldProceed: fc.boolean(),
      rejectionReason: fc.option(fc.string()),
    };
    const code = fc
      .record(answer)
      .map((one): Triage => ({ ...one, rejectionReason: one.shouldProceed ? null : 'A reason.' }));
    fc.assert(
      fc.property(code, fc.record(answer, { requiredKeys: [] }), (found, opinion) => {
        const { triage, dropped } = mergeTriage(found, opinion);
        expect(issueTypes.indexOf(triage.type)).toBeGreaterThanOrEqual(issueTypes.indexOf(found.type));
        expect(scopes.indexOf(triage.scope)).toBeGreaterThanOrEqual(scopes.indexOf(found.scope));
        expect(complexities.indexOf(triage.complexity)).toBeGreaterThanOrEqual(
          complexities.indexOf(found.complexity),
        );
        for (const list of ['concerns', 'questions', 'escalations'] as const) {
          expect(triage[list].slice(0, found[list].length)).toEqual(found[list]);
          expect(triage[list].length).toBeLessThanOrEqual(found[list].length + 21);
        }
        expect(triage.shouldProceed).toBe(found.shouldProceed && opinion.shouldProceed !== false);
        expect(triage.rejectionReason === null).toBe(triage.shouldProceed);
        if (!found.shouldProceed) expect(triage.rejectionReason).toBe(found.rejectionReason);
        // Merging again changes nothing.
        expect(mergeTriage(triage, {}).triage).toEqual(triage);
        expect(dropped.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 500 },
    );
  });
});
