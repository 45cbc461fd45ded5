/** The sandbox of the machine that tests run on. Tests about it fail where there is none: nothing is proved by passing. */
import { makeLocalSandbox } from '../../src/adapters/sandbox/local-sandbox.ts';
import type { Sandbox } from '../../src/ports/sandbox.ts';

export async function needSandbox(hidden: readonly string[] = []): Promise<Sandbox> {
  const sandbox = makeLocalSandbox({ environment: process.env, demand: 'require', hidden });
  const { kind, reason } = await sandbox.inspect();
  if (kind === 'none')
    throw new Error(`These tests need a sandbox, and this machine has none: ${reason}. Install bubblewrap.`);
  return sandbox;
}
