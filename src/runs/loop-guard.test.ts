/** A run that goes round in a circle is stopped without asking a model anything. */
import { expect, it } from 'vitest';
import { makeGateId } from '../domain/ledger/ids.ts';
import { GatewrightError } from '../errors.ts';
import { LoopGuard } from './loop-guard.ts';

const gate = (step: number) =>
  ({ id: makeGateId('01ARZ3NDEKTSV4RRFFQ69G5FAV', step), kind: 'draft' }) as const;

it('lets any number of gates pass, each once', () => {
  const guard = new LoopGuard();
  for (let step = 0; step < 1000; step += 1) guard.pass(gate(step));
});

it('stops at the first gate that it has passed before, with a reason of its own', () => {
  const guard = new LoopGuard();
  guard.pass(gate(3));
  guard.pass(gate(5));
  expect(() => guard.pass(gate(3))).toThrow(GatewrightError);
  expect(() => guard.pass(gate(5))).toThrow(
    expect.objectContaining({ code: 'run-in-circle', retry: 'after-human' }),
  );
});

it('knows nothing of other processes: a run may come to the gate that another has left open', () => {
  new LoopGuard().pass(gate(3));
  new LoopGuard().pass(gate(3));
});
