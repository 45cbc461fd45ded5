/** What is hashed and stored of an entry: everything, in one form, and always JSON that can be read again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelColour } from '../forge/label-table.ts';
import { canonicalJson, sha256 } from './hash.ts';
import { chainStart, hashEntry, serialiseData } from './ledger-entry.ts';

const fields = {
  subject: 'o/r:s',
  seq: 1,
  at: '2026-03-01T10:00:00.000Z',
  kind: 'node-begun',
  run: 'R1',
  actor: 'alice',
  key: null,
  data: '{"node":"draft","step":1}',
  previous: chainStart,
};

it('a chain begins with a hash that nothing has', () => expect(chainStart).toMatch(/^0{64}$/u));

describe('hashEntry', () => {
  it('is that of the canonical JSON of its fields, whatever they hold', () => {
    const field = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"', '\\', '\u2028', '\ud800'));
    const entry = fc.record({
      ...{ subject: field, at: field, kind: field, run: field, actor: field, data: field, previous: field },
      ...{ seq: fc.nat(), key: fc.option(field) },
    });
    fc.assert(fc.property(entry, (one) => hashEntry(one) === sha256(canonicalJson(one))));
  });

  it('does not depend on the order of the fields', () => {
    expect(
      hashEntry(Object.fromEntries(Object.entries(fields).toReversed()) as unknown as typeof fields),
    ).toBe(hashEntry(fields));
  });

  it.each(Object.keys(fields))('changes when %s changes', (name) => {
    expect(hashEntry({ ...fields, [name]: name === 'seq' ? 2 : 'other' })).not.toBe(hashEntry(fields));
  });
});

describe('serialiseData', () => {
  it('sorts keys and leaves out what is not set', () => {
    expect(serialiseData({ step: 1, node: 'draft' })).toBe('{"node":"draft","step":1}');
  });

  it.each(['bug', 'constructor', 'toString', '__proto__'])(
    'can be read again for a label called %s',
    (name) => {
      const effect = { kind: 'ensure-label', repository: 'o/r', name, colour: labelColour(name) } as const;
      expect(JSON.parse(serialiseData({ effect, dryRun: false }))).toMatchObject({
        effect: { name, colour: expect.any(String) },
      });
    },
  );
});
