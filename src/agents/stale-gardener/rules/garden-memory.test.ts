import { describe, expect, it } from 'vitest';
import {
  type GardenMemory,
  type GardenPlan,
  gardenPlanSchema,
  keepMemory,
  type OwnTouch,
  rememberGardening,
  toGardenIssue,
} from './garden-memory.ts';

const early = '2026-05-01T00:00:00Z';
const slot = '2026-06-01T09:00:00.000Z';
const ours = '2026-06-01T09:00:05Z';
const later = '2026-06-01T09:00:06Z';

function listed(updatedAt: string) {
  const texts = { title: 'T', body: '', labels: ['stale'], assignees: [] };
  return { number: 7, ...texts, createdAt: early, updatedAt };
}

function touch(key: string, updatedAt: string | null, more: Partial<OwnTouch> = {}): OwnTouch {
  return { issue: 7, key, intendedAt: slot, doneAt: ours, updatedAt, ...more };
}

const plan: GardenPlan = {
  at: slot,
  actions: [
    { do: 'mark-stale', issue: 7, days: 31 },
    { do: 'label', issue: 7, label: 'bug' },
  ],
  left: 0,
  issues: { 7: { title: 'T', activeAt: early, markedAt: null, updatedAt: early } },
  memory: { 3: { activeAt: early, seenAt: early, markedAt: early } },
};

describe('what the gardener remembers', () => {
  it('can be kept and read again', () => {
    expect(gardenPlanSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it.each<[string, OwnTouch[], GardenMemory[string] | undefined]>([
    ['nothing of what was not done', [], undefined],
    ['nothing when only the comment was done', [touch('mark-stale/7/comment', null)], undefined],
    [
      'the last date of ours',
      [touch('mark-stale/7', early), touch('label/7', ours)],
      { activeAt: early, seenAt: ours, markedAt: slot },
    ],
    [
      'no mark when only the label was done',
      [touch('label/7', ours)],
      { activeAt: early, seenAt: ours, markedAt: null },
    ],
    [
      'no date when an hour lay between our words and our label',
      [
        touch('mark-stale/7/comment', null),
        touch('mark-stale/7', ours, { doneAt: '2026-06-01T10:00:00.000Z' }),
      ],
      { activeAt: early, seenAt: '', markedAt: slot },
    ],
  ])('is %s', (_, touches, known) => {
    expect(rememberGardening(plan, touches)).toEqual({
      ...plan.memory,
      ...(known === undefined ? {} : { 7: known }),
    });
  });

  it.each<[string, GardenMemory, string, string, string | null]>([
    ['what it never touched', {}, ours, ours, null],
    ['its own change', { 7: { activeAt: early, seenAt: ours, markedAt: slot } }, ours, early, slot],
    [
      'an answer a second later',
      { 7: { activeAt: early, seenAt: ours, markedAt: slot } },
      later,
      later,
      slot,
    ],
    ['what may hide an answer', { 7: { activeAt: early, seenAt: '', markedAt: slot } }, ours, ours, slot],
    [
      'the same moment written otherwise',
      { 7: { activeAt: early, seenAt: '2026-06-01T09:00:05.000Z', markedAt: null } },
      ours,
      early,
      null,
    ],
  ])('tells %s from others', (_, memory, updatedAt, activeAt, markedAt) => {
    expect(toGardenIssue(listed(updatedAt), memory)).toMatchObject({ number: 7, activeAt, markedAt });
  });

  it('forgets what is closed', () => {
    const known = { activeAt: early, seenAt: early, markedAt: null };
    expect(keepMemory({ 1: known, 2: known }, [{ number: 2 }, { number: 3 }])).toEqual({ 2: known });
  });
});
