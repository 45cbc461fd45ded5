/**
 * Which suites `npm test` leaves to `npm run test:long`: it has to stay within five minutes on two cores. Continuous
 * integration runs both.
 */

/** Not in `npm test` at all. */
export const longSuites: readonly string[] = [
  'src/agents/implementer/crash.test.ts',
  'test/contracts/claude-code-agent.test.ts',
  'test/contracts/github-emulate.test.ts',
  'test/contracts/github-write-faults.test.ts',
  'test/e2e/fleet-github-spoof.test.ts',
  'test/e2e/fork.test.ts',
  'test/e2e/github-app.test.ts',
  'test/e2e/github-crash.test.ts',
  'test/e2e/job-token.test.ts',
  'test/e2e/lld-crash.test.ts',
  'test/e2e/lld-github.test.ts',
  'test/e2e/lld-scenarios.test.ts',
  'test/e2e/replay-hostile.test.ts',
  'test/e2e/replay-lld.test.ts',
  'test/e2e/replay.test.ts',
  'test/world/faults.test.ts',
  'test/world/killed.test.ts',
  'test/world/variants.test.ts',
];

/** Of these `npm test` takes a sample, `npm run test:long` more. */
export const sampledSuites: readonly string[] = [
  'src/agents/auto-merge/merge-tested.test.ts',
  'test/e2e/disk-full.test.ts',
  'test/e2e/fleet-crash.test.ts',
  'test/e2e/fleet-github-crash.test.ts',
];
