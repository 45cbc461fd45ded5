import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests start processes; more workers than cores only make them wait for each other.
    maxWorkers: 2,
    reporters: process.env.GATEWRIGHT_TEST_REPORT ? ['default', 'json'] : ['default'],
    outputFile: { json: process.env.GATEWRIGHT_TEST_REPORT ?? '' },
  },
});
