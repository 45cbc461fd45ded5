/** Programs whose clock is wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The variables of a program whose clock is so many hours ahead; its preload is written to the folder. */
export function setClockAhead(folder: string, hours: number): { NODE_OPTIONS: string } {
  const preload = join(folder, `clock-${hours}.cjs`);
  writeFileSync(
    preload,
    `const Real = Date;
const ahead = ${hours * 3_600_000};
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + ahead);
    else super(...args);
  }
  static now() {
    return Real.now() + ahead;
  }
};
`,
  );
  return { NODE_OPTIONS: `--require=${preload}` };
}
