/**
 * The sandbox of the machine that tests run on. Where there is none, tests about it are left out, which is said once
 * (build-program.ts); where tests have to prove something (`CI=true`) they are not left out, and fail.
 */
import { makeLocalSandbox } from '../../src/adapters/sandbox/local-sandbox.ts';
import type { Sandbox } from '../../src/ports/sandbox.ts';

/** For `describe.skipIf`. Found out once, before all tests. */
export const isWithoutSandbox =
  process.env.CI !== 'true' && (process.env.GATEWRIGHT_TEST_NO_SANDBOX ?? '') !== '';

/** Why there is no sandbox here; null when there is one. */
export async function whyNoSandbox(): Promise<string | null> {
  const sandbox = makeLocalSandbox({ environment: process.env, demand: 'require' });
  const { kind, reason } = await sandbox.inspect();
  return kind === 'none' ? (reason ?? 'nothing works') : null;
}

export async function needSandbox(hidden: readonly string[] = []): Promise<Sandbox> {
  const sandbox = makeLocalSandbox({ environment: process.env, demand: 'require', hidden });
  const { kind, reason } = await sandbox.inspect();
  if (kind === 'none')
    throw new Error(`These tests need a sandbox, and this machine has none: ${reason}. Install bubblewrap.`);
  return sandbox;
}
