/** Steps are named as people read them in `runs show`. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import { makeGateId } from './ids.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { findStep, listSteps, nameSteps, shortNode } from './run-steps.ts';

const run = '01M7FCECDY23GJFJRHN5EKN0Y6';

function entry(kind: LedgerEntry['kind'], data: unknown): LedgerEntry {
  return { subject: 's', run, actor: 'a', seq: 1, at: '', previous: '', hash: '', kind, data } as LedgerEntry;
}
const node = (step: number, name: string) => entry('node-begun', { node: name, step });
const gate = (step: number, kind: string) =>
  entry('gate-asked', { question: { id: makeGateId(run, step), kind } });

const entries = [
  entry('run-started', {}),
  node(0, 'N0_load_brief'),
  node(1, 'N1_sandbox'),
  node(2, 'N2_draft'),
  gate(3, 'draft'),
  node(4, 'N2_draft'),
  gate(5, 'draft'),
  node(6, 'N4_review'),
  gate(7, 'verdict'),
  node(8, 'N6_file'),
  gate(9, 'filing'),
  gate(10, 'verdict'),
];

const names = ['N0#1', 'N1#1', 'N2#1', 'N3#1', 'N2#2', 'N3#2', 'N4#1', 'N5#1', 'N6#1', 'FG#1', 'N5#2'];

describe('listSteps', () => {
  it('finds the steps of nodes and of gates, which only say who they are', () => {
    const steps = listSteps(run, entries);
    expect(steps.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(nameSteps(steps).map(({ name }) => name)).toEqual(names);
  });
});

describe('findStep', () => {
  const steps = listSteps(run, entries);
  it.each([
    ['N2#2', 4],
    ['n2#2', 4],
    ['N2', 2],
    [' N5#2 ', 10],
    ['fg', 9],
    ['7', 7],
    ['0', 0],
  ])('%j is step %i', (typed, step) => {
    expect(findStep(steps, typed).step).toBe(step);
  });

  it.each(['N9', 'N2#3', '99', '', '-1', 'N2#', '\u001b[2J', 'x'.repeat(500)])(
    '%j is none, and the others are listed',
    (typed) => {
      try {
        findStep(steps, typed);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(GatewrightError);
        expect(error).toMatchObject({ code: 'step-unknown', hint: `Its steps are: ${names.join(', ')}` });
      }
    },
  );
});

describe('shortNode', () => {
  it.each([
    ['N2_draft', 'N2'],
    ['N6_file', 'N6'],
    ['N6_filing_gate', 'FG'],
  ])('%s is %s', (name, short) => {
    expect(shortNode(name)).toBe(short);
  });
});
