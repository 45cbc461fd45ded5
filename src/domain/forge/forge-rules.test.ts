import { describe, expect, it } from 'vitest';
import {
  type MergeRules,
  noMergeRules,
  ruleRemedies,
  type UnmetRule,
  unmetForgeRules,
} from './forge-rules.ts';

const codes = (rules: Partial<MergeRules>, checks: Parameters<typeof unmetForgeRules>[1] = []) =>
  unmetForgeRules({ ...noMergeRules, ...rules }, checks).map(({ code }) => code);

const required = (app: number | null) => ({ requiredChecks: [{ name: 'ci', app }] });

describe('what the forge asks for', () => {
  it('is nothing by default', () => {
    expect(codes({})).toEqual([]);
    expect(noMergeRules).toEqual({
      ...{ methods: ['squash'], requiredChecks: [], isStrict: false, approvals: 0, needsCodeOwners: false },
      ...{ reviews: 'enough', openConversations: 0, unknownRules: [], isCalledClean: true },
      ...{ isBlocked: false, canBypass: false, queue: null, unread: [] },
    });
  });

  it.each<[string, Partial<MergeRules>, UnmetRule['code'][]]>([
    ['reviews are missing', { reviews: 'missing', approvals: 1 }, ['rule-approvals']],
    ['there are enough reviews', { reviews: 'enough', approvals: 1 }, []],
    ['a review asks for changes', { reviews: 'changes-requested' }, ['rule-reviews']],
    // GitHub is asked for the merge, and refuses.
    ['reviews are not known, and it binds us', { reviews: 'unknown', approvals: 1 }, []],
    [
      'reviews are not known, and we could get round it',
      { reviews: 'unknown', unread: ['reviews'], canBypass: true },
      ['rule-not-seen'],
    ],
    ['conversations are open', { openConversations: 2 }, ['rule-conversations']],
    ['no way of merging is left', { methods: [] }, ['rule-methods']],
    ['a rule is not known, and it binds us', { unknownRules: ['code_scanning'] }, []],
    [
      'a rule is not known, and we could get round it',
      { unknownRules: ['code_scanning'], canBypass: true },
      ['rule-not-seen'],
    ],
    ['it is blocked, and that binds us', { isBlocked: true }, []],
    ['it is blocked, and we could get round it', { isBlocked: true, canBypass: true }, ['rule-not-seen']],
    [
      'what blocks it is known',
      { isBlocked: true, canBypass: true, reviews: 'missing', approvals: 1 },
      ['rule-approvals'],
    ],
    [
      'a queue takes it, and it counts as blocked until then',
      { isBlocked: true, canBypass: true, queue: { isQueued: false, removedFor: null, removedAt: null } },
      [],
    ],
  ])('%s', (_, rules, expected) => expect(codes(rules)).toEqual(expected));

  it.each<[string, Partial<MergeRules>, Parameters<typeof unmetForgeRules>[1], boolean]>([
    ['a check that has not reported', required(null), [], false],
    ['another check', required(null), [{ name: 'ci-2' }], false],
    ['the check of any app', required(null), [{ name: 'ci', app: 7 }], true],
    ['the check of that app', required(7), [{ name: 'ci', app: 7 }], true],
    ['a check of that name by another app', required(7), [{ name: 'ci', app: 8 }], false],
    ['a status of that name, which the forge judges', required(7), [{ name: 'ci' }], true],
    [
      'a status of that name, which nobody judges',
      { ...required(7), canBypass: true },
      [{ name: 'ci' }],
      false,
    ],
  ])('%s', (_, rules, checks, isMet) =>
    expect(codes(rules, checks)).toEqual(isMet ? [] : ['rule-check-missing']),
  );

  it.each<[Partial<MergeRules>, string, string]>([
    [
      { reviews: 'changes-requested' },
      'GitHub counts a review that requests changes',
      'the person who requested changes',
    ],
    [required(null), 'the check "ci", which has not reported', 'the build'],
    [{ openConversations: 1 }, '1 conversation is open', 'the people who take part'],
    [{ openConversations: 2 }, '2 conversations are open', 'the people who take part'],
    [{ methods: [] }, 'the repository and its rules allow no common merge method', 'an administrator'],
    [
      { canBypass: true, unknownRules: ['a'], unread: ['b'] },
      'bypass rules that we cannot read (a, b)',
      'an administrator',
    ],
    [{ canBypass: true, isBlocked: true }, 'a rule blocks it', 'an administrator'],
  ])('names what is missing, who can change it and how (%#)', (rules, what, who) => {
    const [unmet] = unmetForgeRules({ ...noMergeRules, ...rules }, []);
    expect(unmet?.what).toContain(what);
    expect(unmet?.who).toContain(who);
    expect(ruleRemedies[unmet?.code ?? 'rule-methods']).toMatch(/\w+ \w+/u);
  });

  it('is said in words, with who can change it', () => {
    const [one] = unmetForgeRules({ ...noMergeRules, reviews: 'missing', approvals: 1 }, []);
    expect(one).toMatchObject({
      what: 'GitHub requires 1 approving review',
      who: 'a person with write permission, not its author',
    });
    const more = { reviews: 'missing', approvals: 2, needsCodeOwners: true } as const;
    expect(unmetForgeRules({ ...noMergeRules, ...more }, [])[0]).toMatchObject({
      what: 'GitHub requires 2 approving reviews, of code owners too',
      who: 'code owners with write permission',
    });
    expect(unmetForgeRules({ ...noMergeRules, ...required(7) }, [])[0]?.what).toBe(
      'GitHub requires the check "ci" of the app 7, which has not reported',
    );
  });
});
