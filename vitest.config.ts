import { configDefaults, defineConfig } from 'vitest/config';

/** Suites that would take `npm test` beyond ten minutes on two cores. `npm run test:long` runs them. */
const longSuites = [
  'test/contracts/github-emulate.test.ts',
  'test/contracts/github-write-faults.test.ts',
  'test/e2e/lld-crash.test.ts',
  'test/e2e/github-crash.test.ts',
  'test/e2e/replay-lld.test.ts',
  'test/e2e/replay-hostile.test.ts',
  'test/e2e/replay.test.ts',
  'test/e2e/fork.test.ts',
  'test/e2e/lld-scenarios.test.ts',
  'test/e2e/lld-github.test.ts',
  'test/e2e/github-app.test.ts',
  'test/e2e/job-token.test.ts',
  'test/e2e/fleet-github-spoof.test.ts',
  'test/contracts/claude-code-agent.test.ts',
  'src/agents/implementer/crash.test.ts',
  'test/world/variants.test.ts',
  'test/world/faults.test.ts',
  'test/world/killed.test.ts',
];

/** Suites of `npm test` that take more points and scenes when there is time: `npm run test:long` runs them too. */
const longerSuites = [
  'src/agents/auto-merge/merge-tested.test.ts',
  'test/e2e/disk-full.test.ts',
  'test/e2e/fleet-crash.test.ts',
  'test/e2e/fleet-github-crash.test.ts',
];

const isExhaustive = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';
const isLong = process.env.GATEWRIGHT_TEST_LONG === '1' && !isExhaustive;

const exclude = [...configDefaults.exclude, ...(isLong || isExhaustive ? [] : longSuites)];

/**
 * Rooms that keep nothing between two calls, as `gatewright watch` has them in one process for days: their files share
 * workers, which saves starting one and loading everything again for each file.
 */
const sharingRooms = ['agents', 'config', 'dispatch', 'domain', 'effects', 'entrypoints', 'workflows'];
const sharing = sharingRooms.map((room) => `src/${room}/**/*.test.ts`);

/** What each project runs: everything, or what there is more time for. */
const isShared = (file: string): boolean => sharingRooms.some((room) => file.startsWith(`src/${room}/`));
const allLong = [...longSuites, ...longerSuites];
const included = isLong
  ? { shared: allLong.filter(isShared), others: allLong.filter((file) => !isShared(file)) }
  : { shared: sharing, others: ['src/**/*.test.ts', 'test/**/*.test.ts'] };

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/property-seed.ts', 'test/support/github-schemas/fail-on-violations.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests start processes and wait for them now and then: one worker more than cores keeps two cores busy.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'rooms', include: included.shared, exclude, isolate: false } },
      {
        extends: true,
        test: {
          name: 'world',
          include: included.others,
          exclude: [...exclude, ...sharing],
        },
      },
    ],
    reporters: process.env.GATEWRIGHT_TEST_REPORT ? ['default', 'json'] : ['default'],
    outputFile: { json: process.env.GATEWRIGHT_TEST_REPORT ?? '' },
  },
});
