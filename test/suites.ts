/**
 * Which suites `npm test` leaves to `npm run test:long`: it has to stay within five minutes on two cores. Continuous
 * integration runs both.
 */

/** Not in `npm test` at all. */
export const longSuites: readonly string[] = [
  'src/adapters/claude-code/claude-code-agent.test.ts',
  'src/adapters/claude-code/claude-code-model.test.ts',
  'src/adapters/github/read-webhook-variants.test.ts',
  'src/agents/auto-merge/grant.test.ts',
  'src/agents/auto-merge/hand-to-queue.test.ts',
  'src/agents/auto-merge/merge-tested.test.ts',
  'src/agents/auto-merge/waking.test.ts',
  'src/agents/ci-doctor/ci-doctor.test.ts',
  'src/agents/implementer/answers.test.ts',
  'src/agents/implementer/carry-out.test.ts',
  'src/agents/implementer/continue.test.ts',
  'src/agents/implementer/crash.test.ts',
  'src/agents/implementer/settle-review.test.ts',
  'src/agents/implementer/waiting.test.ts',
  'src/agents/template-sync/template-sync.test.ts',
  'src/dispatch/cut-off.test.ts',
  'src/dispatch/is-own-pull.test.ts',
  'src/dispatch/moved.test.ts',
  'test/contracts/claude-code-agent.test.ts',
  'test/contracts/github-emulate.test.ts',
  'test/contracts/github-write-faults.test.ts',
  'test/e2e/clock.test.ts',
  'test/e2e/fleet-github-spoof.test.ts',
  'test/e2e/fork.test.ts',
  'test/e2e/github-app.test.ts',
  'test/e2e/github-crash.test.ts',
  'test/e2e/github.test.ts',
  'test/e2e/job-token.test.ts',
  'test/e2e/lld-crash.test.ts',
  'test/e2e/lld-github.test.ts',
  'test/e2e/lld-scenarios.test.ts',
  'test/e2e/lld.test.ts',
  'test/e2e/lost-lease.test.ts',
  'test/e2e/renamed.test.ts',
  'test/e2e/replay-hostile.test.ts',
  'test/e2e/replay-lld.test.ts',
  'test/e2e/replay.test.ts',
  'test/e2e/secrets.test.ts',
  'test/e2e/serve-killed.test.ts',
  'test/e2e/webhook-examples.test.ts',
  'test/hostile/embedded-repositories.test.ts',
  'test/hostile/hostile-trees.test.ts',
  'test/world/faults.test.ts',
  'test/world/killed.test.ts',
  'test/world/other-keys.test.ts',
  'test/world/variants.test.ts',
];

/** Of these `npm test` takes a sample, `npm run test:long` more. */
export const sampledSuites: readonly string[] = [
  'test/e2e/disk-full.test.ts',
  'test/e2e/fleet-crash.test.ts',
  'test/e2e/fleet-github-crash.test.ts',
  'test/hostile/hostile-pull-requests.test.ts',
];
