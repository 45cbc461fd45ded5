/** Whoever receives writes first; nobody waits for it for ever. */
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { takeFirstTurn, takeLaterTurn, turnsOf } from './write-turns.ts';

describe('turns to write', () => {
  it('belong to a database', () => {
    expect(turnsOf('/a.db')).toBe(turnsOf('/a.db'));
    expect(turnsOf('/b.db')).not.toBe(turnsOf('/a.db'));
  });

  it('are waited for while another thread that receives wants to write, and no longer', async () => {
    const turns = turnsOf('/c.db');
    const later = takeLaterTurn(turns);
    const began = performance.now();
    later.before();
    expect(performance.now() - began).toBeLessThan(20);
    takeFirstTurn(turns).before();
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       setTimeout(() => { const w = new Int32Array(workerData); Atomics.sub(w, 0, 1); Atomics.notify(w, 0); }, 1);`,
      { eval: true, workerData: turns },
    );
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const waited = performance.now();
    later.before();
    expect(performance.now() - waited).toBeLessThan(2_000);
    await ended;
    expect(new Int32Array(turns)[0]).toBe(0);
  });

  it('come after a moment when it never ends', () => {
    const turns = turnsOf('/d.db');
    const first = takeFirstTurn(turns);
    first.before();
    const waited = performance.now();
    takeLaterTurn(turns).before();
    expect(performance.now() - waited).toBeGreaterThan(30);
    first.after();
    expect(new Int32Array(turns)[0]).toBe(0);
  });
});
