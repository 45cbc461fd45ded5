import { matchesGlob } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longSuites, sampledSuites, slowSuites } from './test/suites.ts';

const isExhaustive = process.env.GATEWRIGHT_TEST_EXHAUSTIVE === '1';
const isLong = !isExhaustive && process.env.GATEWRIGHT_TEST_LONG === '1';

/**
 * Rooms and adapters that keep nothing between two calls, as `gatewright watch` has them in one process for days: their
 * files share workers, which saves starting one and loading everything again for each file.
 */
const rooms = [
  ...['agents', 'config', 'domain', 'effects', 'entrypoints', 'fleet', 'runs', 'setup', 'web', 'workflows'],
  ...['ai-sdk', 'builtin', 'cassette', 'github', 'inbox', 'network', 'package-files', 'sqlite'].map(
    (name) => `adapters/${name}`,
  ),
];
const sharing = rooms.map((room) => `src/${room}/**/*.test.ts`);
const isShared = (file: string): boolean => rooms.some((room) => file.startsWith(`src/${room}/`));

/**
 * Suites that only store: their repositories and databases may lie in memory. Not those with a sandbox, which does not
 * show that folder.
 */
const storing = 'test/contracts/!(cassette-agent|claude-code-agent).test.ts';
const isStoring = (file: string): boolean => matchesGlob(file, storing);

/** With `GATEWRIGHT_TEST_LONG` those, and no others. */
const long = [...longSuites, ...sampledSuites];
const exclude = [...configDefaults.exclude, ...(isLong || isExhaustive ? [] : longSuites)];

/**
 * Vitest begins with the largest files where it has not seen how long they take. Some small ones take longest, and whoever
 * waits for the tests would wait for one worker at the end.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project.name) + (slowSuites.some((file) => moduleId.endsWith(`/${file}`)) ? 0 : 1);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/property-seed.ts', 'test/support/github-schemas/fail-on-violations.ts'],
    // Only to end what hangs: a machine with ten times as much to do as it can takes minutes for what takes seconds.
    // The longest property tests take two minutes on a quiet one.
    testTimeout: isLong || isExhaustive ? 1_200_000 : 240_000,
    hookTimeout: 240_000,
    // What is waited for comes at once on a quiet machine; a busy one takes its time.
    expect: { poll: { timeout: 20_000 } },
    // Most tests start processes and wait for them now and then: one worker more than cores keeps two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: { name: 'rooms', include: isLong ? long.filter(isShared) : sharing, exclude, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'world',
          include: isLong
            ? long.filter((file) => !isShared(file) && !isStoring(file))
            : ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...exclude, ...sharing, storing],
        },
      },
      {
        extends: true,
        test: {
          name: 'contracts',
          include: isLong ? long.filter(isStoring) : [storing],
          exclude,
          setupFiles: ['test/support/quick-folder.ts'],
        },
      },
    ],
    reporters: process.env.GATEWRIGHT_TEST_REPORT ? ['default', 'json'] : ['default'],
    outputFile: { json: process.env.GATEWRIGHT_TEST_REPORT ?? '' },
  },
});
