/** The tests of `npm run test:quick`: rules, settings and records, which start no process and need no built program. */
import { configDefaults, defineConfig } from 'vitest/config';

/** They ask git whether a rule is right. */
const startingProcesses = [
  'src/domain/forge/git-names.test.ts',
  'src/agents/template-sync/rules/template-ignore.test.ts',
];

export default defineConfig({
  test: {
    include: [
      'src/{config,domain,entrypoints,web,workflows}/**/*.test.ts',
      'src/{agents,fleet}/**/rules/*.test.ts',
      'src/runs/*.test.ts',
      'src/runs/{gates,graph}/*.test.ts',
      'src/errors.test.ts',
    ],
    exclude: [...configDefaults.exclude, ...startingProcesses],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: 2,
  },
});
