/** Programs whose clock is wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module that moves the clock of its program. @param ahead an expression, in milliseconds */
const shift = (ahead: string): string => `const Real = Date;
const ahead = ${ahead};
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + ahead);
    else super(...args);
  }
  static now() {
    return Real.now() + ahead;
  }
};
`;

/** The variables of a program whose clock is so many hours ahead; its preload is written to the folder. */
export function setClockAhead(folder: string, hours: number): { NODE_OPTIONS: string } {
  const preload = join(folder, `clock-${hours}.cjs`);
  writeFileSync(preload, shift(String(hours * 3_600_000)));
  return { NODE_OPTIONS: `--require=${preload}` };
}

/** A clock that is set while programs come and go: each of them has the time that it says when they begin. */
export class MovableClock {
  /** Of the programs. */
  readonly variables: { readonly NODE_OPTIONS: string };
  readonly #file: string;
  #ahead = 0;

  /** @param folder where its two files are */
  constructor(folder: string) {
    this.#file = join(folder, 'clock-ahead');
    const preload = join(folder, 'movable-clock.cjs');
    writeFileSync(this.#file, '0');
    writeFileSync(
      preload,
      shift(`Number(require('node:fs').readFileSync(${JSON.stringify(this.#file)}, 'utf8'))`),
    );
    this.variables = { NODE_OPTIONS: `--require=${preload}` };
  }

  get now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    writeFileSync(this.#file, String(this.#ahead));
  }
}
