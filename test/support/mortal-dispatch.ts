/** The fleet as `gatewright dispatch`, which is killed (SIGKILL) at every so-manieth point. */
import { expect } from 'vitest';
import { setClockAhead } from './clock-ahead.ts';
import type { FleetWorld } from './fleet-world.ts';
import { crashChildFile } from './playground.ts';

export class MortalDispatch {
  readonly #fleet: FleetWorld;
  #env: Readonly<Record<string, string>>;
  #deaths = 0;

  constructor(fleet: FleetWorld, every: number) {
    this.#fleet = fleet;
    this.#env = { ...fleet.environment, CRASH_AT: String(every) };
  }

  /** How often it was killed. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Begun again and again, until nothing more comes of what is there. */
  async settle(): Promise<void> {
    for (;;) {
      const options = { env: this.#env, file: crashChildFile };
      const { signal, code, all } = await this.#fleet.playground.run(['dispatch'], options);
      if (signal !== 'SIGKILL') {
        expect(code, all).toBe(0);
        return;
      }
      this.#deaths += 1;
      if (this.#deaths > 300) throw new Error(`It does not come to an end.\n${all}`);
    }
  }

  /** Lets so many hours go by. */
  pass(hours: number): void {
    this.#env = { ...this.#env, ...setClockAhead(this.#fleet.playground.folder, hours) };
  }
}
