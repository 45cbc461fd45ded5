/** A test during which something did not fit GitHub's descriptions fails, whatever it was about. */
import { afterAll, afterEach } from 'vitest';
import { takeViolations } from './violations.ts';

function fail(): void {
  const found = takeViolations();
  if (found.length > 0)
    throw new Error(`This does not fit what GitHub publishes about itself:\n${found.join('\n')}`);
}

afterEach(fail);
// What happened after the last test, or where there was none.
afterAll(fail);
