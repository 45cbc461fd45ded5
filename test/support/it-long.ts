/**
 * A test that only `npm run test:long` has time for, in a suite of which `npm test` runs the rest; such a suite is in
 * `sampledSuites` of `test/suites.ts`.
 */
import { it } from 'vitest';
import { isLong } from './property-runs.ts';

export const itLong = it.runIf(isLong);
