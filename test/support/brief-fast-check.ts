/**
 * fast-check as mutation testing has it: the same properties, but few cases and always the same. What `npm test` draws ten
 * thousand times would be drawn anew for each of some thousand mutants. `vitest.mutate.config.ts` puts it in the place of
 * the package, so that tests without properties do not load it; nothing else uses it.
 */
import { createRequire } from 'node:module';
import type * as FastCheck from 'fast-check';

const mostRuns = 60;

// Asked for as CommonJS, since the name leads here otherwise.
const whole = createRequire(import.meta.url)('fast-check') as typeof FastCheck;
whole.configureGlobal({ seed: 20261115 });

const assert: typeof FastCheck.assert = ((property: never, parameters?: { numRuns?: number }) =>
  whole.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters?.numRuns ?? mostRuns, mostRuns),
  })) as never;

// biome-ignore lint/style/noDefaultExport: the package has one.
export default { ...whole, assert };
