/** Who may change which label, and that what is undone leaves a state that holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { isControlLabel, labelTable } from '../../../domain/forge/label-table.ts';
import { unmetMergeConditions } from '../../auto-merge/rules/merge-conditions.ts';
import { isLeftAlone } from '../../reports/rules/gardening.ts';
import { judgeLabelChange, type LabelActor, type LabelChange, moveStage } from './label-transitions.ts';

const person = (permission: LabelActor['permission']): LabelActor => ({
  login: 'mallory',
  isOwn: false,
  permission,
  isListedBot: false,
});
const writer = person('write');
const triager = person('triage');
const own: LabelActor = { login: 'gatewright[bot]', isOwn: true, permission: 'none', isListedBot: false };
const strayBot: LabelActor = { login: 'x[bot]', isOwn: false, permission: 'admin', isListedBot: false };
const listedBot: LabelActor = { login: 'y[bot]', isOwn: false, permission: 'none', isListedBot: true };

type Row = readonly [
  who: LabelActor,
  change: 'added' | 'removed',
  label: string,
  before: readonly string[],
  revert: { add: string[]; remove: string[] } | null,
];

const nothing = { add: [], remove: [] };
const without = (...remove: string[]) => ({ ...nothing, remove });
const back = (...add: string[]) => ({ ...nothing, add });

const rows: readonly Row[] = [
  [triager, 'added', 'bug', [], null],
  [triager, 'removed', 'bug', ['bug'], null],
  [triager, 'added', 'good first issue', ['hold'], null],
  [strayBot, 'added', 'dependencies', [], null],
  [triager, 'added', 'auto-merge', [], without('auto-merge')],
  [person('read'), 'added', 'Auto-Merge', ['needs-review'], without('Auto-Merge')],
  [strayBot, 'added', 'auto-merge', [], without('auto-merge')],
  [listedBot, 'added', 'auto-merge', [], null],
  [writer, 'added', 'auto-merge', [], null],
  [writer, 'added', 'auto-merge', ['Needs-Review', 'bug'], without('Needs-Review')],
  [writer, 'added', 'auto-merge', [' needs-review '], without(' needs-review ')],
  [writer, 'added', 'blocked', ['auto-merge'], without('auto-merge')],
  [writer, 'removed', 'needs-review', ['needs-review'], null],
  [triager, 'removed', 'needs-review', ['needs-review'], back('needs-review')],
  // Two were there from before: the more cautious stays.
  [
    triager,
    'removed',
    'needs-review',
    ['needs-review', 'auto-merge'],
    { add: ['needs-review'], remove: ['auto-merge'] },
  ],
  [triager, 'removed', 'auto-merge', ['needs-review', 'auto-merge'], null],
  [writer, 'added', 'planning', [], null],
  [triager, 'added', 'planning', [], without('planning')],
  [triager, 'removed', 'planning', ['planning'], back('planning')],
  [writer, 'removed', 'planning', ['planning'], null],
  [person('admin'), 'added', 'stale', [], without('stale')],
  [triager, 'removed', 'stale', ['stale'], null],
  [own, 'added', 'stale', [], null],
  [writer, 'added', 'claude-working', [], without('claude-working')],
  [writer, 'removed', 'claude-working', ['claude-working'], null],
  [triager, 'removed', 'claude-working', ['claude-working'], back('claude-working')],
  [triager, 'added', 'hold', [], null],
  [triager, 'removed', 'hold', ['hold'], back('hold')],
  [writer, 'removed', 'hold', ['hold'], null],
  [writer, 'added', 'template_sync', [], without('template_sync')],
  [writer, 'added', 'daily-digest', [], without('daily-digest')],
  [writer, 'added', 'AI', ['bug'], null],
  [triager, 'added', 'AI', [], without('AI')],
  [writer, 'added', 'ai', ['AI: In Progress'], without('ai')],
  // It approves the plan that is shown; the loop takes the label of the stage before it off.
  [person('admin'), 'added', 'AI: Approved', ['AI: Planning'], null],
  [triager, 'added', 'AI: Approved', ['AI: Planning'], without('AI: Approved')],
  [strayBot, 'added', 'AI: Approved', ['AI: Planning'], without('AI: Approved')],
  [writer, 'added', 'AI: Approved', ['AI: In Progress'], without('AI: Approved')],
  [writer, 'added', 'AI: Testing', ['AI: In Progress'], without('AI: Testing')],
  // What may not come after another may still be taken away beside it.
  [writer, 'removed', 'AI', ['AI', 'AI: Review'], null],
  // Of two stages the earlier one stays, and a stop before all others.
  [
    triager,
    'removed',
    'AI: Planning',
    ['AI: Planning', 'AI: Review'],
    { add: ['AI: Planning'], remove: ['AI: Review'] },
  ],
  [
    triager,
    'removed',
    'AI: Blocked',
    ['AI', 'AI: Blocked', 'AI: Review'],
    { add: ['AI: Blocked'], remove: ['AI', 'AI: Review'] },
  ],
  [writer, 'removed', 'AI: Blocked', ['AI: Blocked'], null],
  [triager, 'removed', 'AI: Blocked', ['AI: Blocked'], back('AI: Blocked')],
  [own, 'added', 'AI: Approved', ['AI: Complete'], null],
];

describe('a change of a label', () => {
  it.each(rows)('by %o: %s %s with %j', (actor, change, label, labelsBefore, revert) => {
    const judged = judgeLabelChange({ actor, change, label, labelsBefore });
    expect(judged.legal ? null : judged.revert).toEqual(revert);
  });

  it.each([
    [triager, 'added', 'auto-merge', [], 'mallory has "triage" permission'],
    [triager, 'added', 'auto-merge', [], 'may be set by people with write permission'],
    [triager, 'removed', 'claude-working', ['claude-working'], 'may be removed by people'],
    [strayBot, 'added', 'auto-merge', [], 'x[bot] is a program that is not listed'],
    [triager, 'removed', 'hold', ['hold'], 'may be removed by people with write permission'],
    [writer, 'added', 'stale', [], 'is set by Gatewright only'],
    [writer, 'added', 'AI', ['AI: Review'], 'cannot come after "AI: Review"'],
    [writer, 'added', 'blocked', ['auto-merge'], 'Only one of "auto-merge", "needs-review", "blocked"'],
  ] as const)('is refused with a reason: %o %s %s', (actor, change, label, labelsBefore, said) => {
    expect(judgeLabelChange({ actor, change, label, labelsBefore })).toMatchObject({
      reason: expect.stringContaining(said),
    });
  });
});

describe('the label that approves a plan, without a loop', () => {
  const set = (actor: LabelActor, ...before: string[]) =>
    judgeLabelChange({
      ...{ actor, change: 'added', label: 'AI: Approved' },
      ...{ labelsBefore: [...before, 'AI: Approved'], hasLoop: false },
    });

  it('is taken off, and the reason says what to do instead', () => {
    expect(set(writer)).toEqual({
      legal: false,
      topic: 'no-plan',
      reason:
        'No loop works on this issue, so there is no plan that the label "AI: Approved" could approve. Set "AI" to have a plan made; when it is posted, set "AI: Approved".',
      revert: without('AI: Approved'),
    });
    expect(set(writer, 'bug', 'AI: Planning')).toMatchObject({
      reason: expect.stringContaining('Remove "AI: Planning" and set "AI"'),
      revert: without('AI: Approved'),
    });
  });

  it('is first a matter of rights', () => {
    expect(set(triager)).toMatchObject({ reason: expect.stringContaining('write permission') });
    expect(set(own)).toEqual({ legal: true });
  });
});

const kindOf = (name: string) =>
  labelTable.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())?.kind;
const single = (labels: readonly string[]) =>
  ['risk', 'stage'].every((kind) => labels.filter((name) => kindOf(name) === kind).length < 2);

/** What a forge does with a change, told by key: it does not know upper and lower case apart. */
function apply(labels: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  const key = (name: string) => name.trim().toLowerCase();
  const gone = new Set(remove.map(key));
  const left = new Map(labels.filter((name) => !gone.has(key(name))).map((name) => [key(name), name]));
  for (const name of add) if (!left.has(key(name))) left.set(key(name), name);
  return [...left.values()].sort();
}

const names = labelTable.map(({ name }) => name);
const anyName = fc
  .tuple(fc.constantFrom(...names, 'ux', 'AI: Whatever', 'ai:planning', 'holder'), fc.boolean())
  .map(([name, isUpper]) => (isUpper ? name.toUpperCase() : name));
const anyActor: fc.Arbitrary<LabelActor> = fc.record({
  login: fc.constantFrom('mallory', 'x[bot]'),
  isOwn: fc.boolean(),
  permission: fc.constantFrom('none', 'read', 'triage', 'write', 'maintain', 'admin'),
  isListedBot: fc.boolean(),
});
const anyLabels = fc.uniqueArray(fc.constantFrom(...names, 'ux', 'wip'), { maxLength: 8 }).map((labels) => {
  const seen = new Set<string>();
  return labels.filter((name) => {
    const kind = kindOf(name) ?? '';
    if (!['risk', 'stage'].includes(kind)) return true;
    return !seen.has(kind) && seen.add(kind) !== undefined;
  });
});
const anyChange: fc.Arbitrary<LabelChange> = fc.record({
  labelsBefore: anyLabels,
  change: fc.constantFrom('added', 'removed'),
  label: anyName,
  actor: anyActor,
});

/** The labels before, right after the change, and after it was put right. */
function follow(given: LabelChange) {
  const [add, remove] = given.change === 'added' ? [[given.label], []] : [[], [given.label]];
  const before = apply(given.labelsBefore, remove, add);
  const after = apply(before, add, remove);
  const judged = judgeLabelChange(given);
  const revert = judged.legal ? { add: [], remove: [] } : judged.revert;
  return { before, after, judged, revert, settled: apply(after, revert.add, revert.remove) };
}

const numRuns = propertyRuns(5_000);

describe('for any labels, change and actor', () => {
  it('what was put right holds, and putting it right again changes nothing', () => {
    let judgements = 0;
    let reverted = 0;
    fc.assert(
      fc.property(anyChange, (given) => {
        const { before, settled, revert, judged } = follow(given);
        // A stage that may follow stays beside the one before it: the loop takes that one off, if the label counts.
        const isNextStage = judged.legal && given.change === 'added' && kindOf(given.label) === 'stage';
        if (!given.actor.isOwn && single(before) && !isNextStage) expect(single(settled)).toBe(true);
        const stages = (labels: readonly string[]) =>
          labels.filter((name) => kindOf(name) === 'stage').length;
        if (single(before) && isNextStage) expect(stages(settled)).toBeLessThanOrEqual(stages(before) + 1);
        if (isNextStage && !given.actor.isOwn && !given.actor.isListedBot)
          expect(['write', 'maintain', 'admin']).toContain(given.actor.permission);
        expect(apply(settled, revert.add, revert.remove)).toEqual(settled);
        judgements += 1;
        if (judged.legal) return;
        reverted += 1;
        expect(judged.reason).not.toBe('');
        expect(revert.add.length + revert.remove.length).toBeGreaterThan(0);
        // What we put right ourselves, we do not undo.
        for (const label of [...revert.add, ...revert.remove])
          expect(judgeLabelChange({ ...given, label, actor: own })).toEqual({ legal: true });
      }),
      { numRuns },
    );
    expect(reverted).toBeGreaterThan(judgements / 10);
  });

  it('nobody without write permission moves a label that steers, except to be more careful', () => {
    const outsider = anyActor.map((actor) => ({
      ...actor,
      isOwn: false,
      isListedBot: false,
      permission: actor.login === 'mallory' ? ('triage' as const) : actor.permission,
    }));
    const harmless = ['hold', 'do-not-merge', 'stale'];
    const steering = (labels: readonly string[]) =>
      labels.filter(
        (name) =>
          kindOf(name) !== undefined && isControlLabel(name) && !harmless.includes(name.toLowerCase()),
      );
    fc.assert(
      fc.property(anyChange, outsider, (change, actor) => {
        const { before, settled } = follow({ ...change, actor });
        if (!single(before)) return;
        const plain = (labels: readonly string[]) =>
          steering(labels)
            .map((name) => name.toLowerCase())
            .sort();
        expect(plain(settled)).toEqual(plain(before));
        const holds = (labels: readonly string[]) =>
          labels.some((name) => ['hold', 'do-not-merge'].includes(name.toLowerCase()));
        if (holds(before)) expect(holds(settled)).toBe(true);
      }),
      { numRuns },
    );
  });

  it('it makes no difference whether the labels are given as before or as after the change', () => {
    fc.assert(
      fc.property(anyChange, (given) => {
        const { before, after } = follow(given);
        const judged = judgeLabelChange({ ...given, labelsBefore: before });
        expect(judgeLabelChange({ ...given, labelsBefore: after })).toEqual(judged);
      }),
      { numRuns },
    );
  });

  it('labels that nobody knows are nobody’s business', () => {
    fc.assert(
      fc.property(anyChange, fc.string(), (given, label) => {
        if (kindOf(label) !== undefined) return;
        expect(judgeLabelChange({ ...given, label })).toEqual({ legal: true });
      }),
      { numRuns },
    );
  });
});

describe('stages', () => {
  const walk = (...stages: string[]) =>
    stages.reduce<string[] | null>(
      (labels, stage) => {
        const move = labels === null ? null : moveStage(labels, stage);
        return move === null ? null : apply(labels ?? [], move.add, move.remove);
      },
      ['bug'],
    );

  it.each([
    ['AI', 'AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Testing', 'AI: Review', 'AI: Complete'],
    ['AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Blocked', 'AI: In Progress', 'AI: Testing'],
    ['AI', 'AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Testing', 'AI: Blocked', 'AI: Testing'],
    ['AI', 'AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Planning'],
    ['AI', 'AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Testing', 'AI: In Progress'],
  ])('%s → %s → %s → %s …', (...stages) => {
    expect(walk(...stages)).toEqual([stages.at(-1), 'bug'].sort());
  });

  it.each([
    ['AI: Approved'],
    ['AI', 'AI: Approved'],
    ['AI', 'AI: Planning', 'AI: In Progress'],
    ['AI: Planning', 'AI: Testing'],
    ['AI', 'AI: Planning', 'AI: Approved', 'AI: In Progress', 'AI: Review'],
    ['AI', 'AI: Complete'],
    ['bug'],
  ])('not %s → %s …', (...stages) => {
    expect(walk(...stages)).toBeNull();
  });

  it('moves to stages only, and leaves labels that are not ours where they are', () => {
    expect(moveStage([], 'no such label')).toBeNull();
    expect(moveStage([], 'hold')).toBeNull();
    expect(moveStage(['ux', 'AI'], 'AI: Planning')).toEqual({ add: ['AI: Planning'], remove: ['AI'] });
  });

  it('a move that was cut off is finished, and a finished one changes nothing', () => {
    expect(moveStage(['AI: Planning', 'AI: Approved'], 'AI: Approved')).toEqual({
      add: [],
      remove: ['AI: Planning'],
    });
    expect(moveStage(['ai: approved'], 'AI: Approved')).toEqual({ add: [], remove: [] });
  });

  it('all but the first come after one that there is', () => {
    for (const { kind, name, follows } of labelTable) {
      for (const before of follows) expect(kindOf(before), `${name} after ${before}`).toBe('stage');
      if (kind === 'stage') expect(follows.length > 0, name).toBe(name !== 'AI');
    }
  });
});

describe('the table says who reads a label as the code does', () => {
  it.each(names)('%s', (name) => {
    const { readBy = [] } = labelTable.find((one) => one.name === name) ?? {};
    const isGardenersOwn = name === 'stale';
    expect(readBy.includes('stale-gardener')).toBe(
      isGardenersOwn || isLeftAlone({ labels: [name], title: '' }),
    );
    const unmet = (labels: readonly string[]) =>
      unmetMergeConditions({
        number: 1,
        state: 'open',
        isDraft: false,
        head: 'a',
        isFromFork: false,
        mergeable: 'clean',
        labels,
        grant: {
          by: 'person',
          actor: 'alice',
          carriedBy: [],
          at: '2026-01-01T00:00:00.000Z',
          head: 'a'.repeat(40),
          base: 'main',
          isCovering: true,
        },
        byHand: [],
        asking: [],
        base: 'main',
        otherBases: [],
        reviews: [{ commit: 'a', isClean: true, isWhole: true }],
        checks: [],
        requiredChecks: [],
        changesRequestedBy: [],
        rules: null,
      }).length;
    const changes = unmet([name]) !== unmet([]) || unmet([name, 'auto-merge']) !== unmet(['auto-merge']);
    expect(readBy.includes('auto-merge')).toBe(changes);
  });
});
