import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { discoveryFingerprint, makeTaskUid } from './task-uid.ts';

const origin = { issue: 42, title: 'Create auth middleware', discoveredFrom: null, ordinal: 3 };

it('is made of issue, title, parent and place, so that every worker computes the same', () => {
  const hash = createHash('sha256').update('42|create auth middleware|null|3').digest('hex');
  expect(makeTaskUid(origin)).toBe(`tsk_${hash.slice(0, 12)}`);
  expect(makeTaskUid({ ...origin, title: '  Create\tAUTH \n middleware ' })).toBe(makeTaskUid(origin));
});

it('is the one that the older tools of the workflow have written', () => {
  const title = 'Create skill directory structure and SKILL.md';
  expect(makeTaskUid({ issue: 16, title, discoveredFrom: null, ordinal: 1 })).toBe('tsk_3f2bab80ee66');
});

it('differs when any part differs', () => {
  const others = [
    { ...origin, issue: 43 },
    { ...origin, issue: null },
    { ...origin, title: 'Create auth' },
    { ...origin, ordinal: 4 },
    { ...origin, discoveredFrom: 'tsk_0123456789ab' },
  ];
  expect(new Set([origin, ...others].map(makeTaskUid)).size).toBe(6);
});

it('cannot be made to meet another by a title with the separator in it', () => {
  const title = fc
    .array(fc.constantFrom('a', '|', 'null', '1', '42'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(title, title, fc.constantFrom(1, 2), fc.constantFrom(1, 2), (one, other, first, second) => {
      const isSame = one === other && first === second;
      const uid = (name: string, ordinal: number): string => makeTaskUid({ ...origin, title: name, ordinal });
      expect(uid(one, first) === uid(other, second)).toBe(isSame);
    }),
    { numRuns: 300 },
  );
});

it('recognises a discovery by its words and its parent', () => {
  const found = {
    title: 'Fix it',
    description: 'Now',
    acceptanceCriteria: ['a', 'b'],
    parentUid: 'tsk_0123456789ab',
  };
  const print = discoveryFingerprint(found);
  expect(print).toMatch(/^[0-9a-f]{12}$/u);
  expect(discoveryFingerprint({ ...found, title: ' fix  IT', acceptanceCriteria: ['A', ' b '] })).toBe(print);
  for (const other of [
    { ...found, description: 'Later' },
    { ...found, acceptanceCriteria: ['a|b'] },
    { ...found, acceptanceCriteria: ['a'] },
    { ...found, parentUid: 'tsk_ba9876543210' },
  ])
    expect(discoveryFingerprint(other)).not.toBe(print);
});
