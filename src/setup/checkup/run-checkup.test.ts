/** One check that throws or never ends hides no other, and no handle keeps the program alive. */
import { describe, expect, it } from 'vitest';
import { GatewrightError } from '../../errors.ts';
import type { CheckupWorld } from '../../ports/checkup.ts';
import { type Check, ok, runCheckup, warning } from './run-checkup.ts';

const world = {} as CheckupWorld;

describe('runCheckup', () => {
  it('tells everything in order, whatever a check does', async () => {
    let isAborted = false;
    const checks: Check[] = [
      { name: 'slow', look: () => [ok('at last')], isSlow: true },
      {
        name: 'hanging',
        look: (_, signal) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              isAborted = true;
            });
          }),
      },
      {
        name: 'throwing',
        look: () => {
          throw new TypeError('odd');
        },
      },
      {
        name: 'refusing',
        look: async () => {
          throw new GatewrightError('config-invalid', 'It is wrong.', {
            hint: 'Make it right.',
            details: ['Here.'],
          });
        },
      },
      { name: 'fine', look: async () => [ok('good'), warning('so so', 'Improve it.')] },
    ];
    const told: string[] = [];
    const findings = await runCheckup(checks, world, ({ name, state }) => told.push(`${name} ${state}`), 100);
    expect(told).toEqual([
      'hanging problem',
      'throwing problem',
      'refusing problem',
      'fine ok',
      'fine warning',
      'slow ok',
    ]);
    expect(isAborted).toBe(true);
    expect(findings[0]?.detail).toBe('no answer within 0.1 seconds');
    expect(findings[1]?.detail).toBe('this check failed: odd');
    expect(findings[2]).toMatchObject({ detail: 'It is wrong. Here.', fix: 'Make it right.' });
  });
});
