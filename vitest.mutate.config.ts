/** The tests that `npm run mutate` asks, for each mutant anew: those of one group, without building the program. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: [
      { find: /^fast-check$/u, replacement: join(import.meta.dirname, 'test/support/brief-fast-check.ts') },
    ],
  },
  test: {
    include: (process.env.GATEWRIGHT_MUTATE_TESTS ?? '').split(','),
    testTimeout: 60_000,
    isolate: false,
  },
});
