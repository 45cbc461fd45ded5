import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { type WaitMessage, waitChannel } from '../../ports/progress.ts';
import { traceWait } from './trace-wait.ts';

it('tells when a wait begins and when it ends, however it ends', async () => {
  const told: string[] = [];
  const onWait = (message: unknown): void => {
    const { wait, isOver } = message as WaitMessage;
    told.push(`${wait.text}${isOver ? ' is over' : ''}`);
  };
  expect(await traceWait('unseen', async () => 1)).toBe(1);
  subscribe(waitChannel, onWait);
  try {
    expect(
      await traceWait('one', async () => {
        told.push('work');
        return 2;
      }),
    ).toBe(2);
    await expect(traceWait('two', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  } finally {
    unsubscribe(waitChannel, onWait);
  }
  expect(told).toEqual(['one', 'work', 'one is over', 'two', 'two is over']);
});
