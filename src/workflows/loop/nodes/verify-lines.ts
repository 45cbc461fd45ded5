/** Runs lines of the approved plan on a commit, in the sandbox and in a clean copy. Any other line is refused. */

import { GatewrightError } from '../../../errors.ts';
import type { NetworkPolicy } from '../../../ports/sandbox.ts';
import { verifyWithAll } from '../../../runs/coding/verify-commit.ts';
import type { LoopContext } from '../loop-context.ts';
import type { LoopConfig } from '../rules/planning/loop-config.ts';
import type { LoopState } from '../state.ts';
import { baseOf, readGrants } from './read-stored.ts';

export interface VerifiedLine {
  readonly command: string;
  readonly isPassed: boolean;
  /** The end of what it printed. Untrusted text. */
  readonly output: string;
}

export async function verifyLines(
  context: LoopContext,
  state: LoopState,
  config: LoopConfig,
  { commit, lines }: { readonly commit: string; readonly lines: readonly string[] },
): Promise<readonly VerifiedLine[]> {
  const { commands, hosts } = await readGrants(context, state);
  const granted = new Set(commands);
  const wanted = [...new Set(lines)];
  const foreign = wanted.find((line) => !granted.has(line));
  // The lines of prd.json are compared with the approved plan before; this is the last look before a shell.
  if (foreign !== undefined)
    throw new GatewrightError(
      'prd-not-approved',
      `No approved plan holds the command "${foreign.slice(0, 200)}".`,
    );
  const network: NetworkPolicy = hosts.length === 0 ? 'none' : { hosts };
  const limitMilliseconds = config.execution.verify.commandTimeoutSeconds * 1000;
  const checks = wanted.map((line) => ({ argv: ['sh', '-c', line], network, limitMilliseconds }));
  const verified = await verifyWithAll(context, checks, { commit, steeringFrom: baseOf(state).commit });
  return verified.map(({ exitCode, output }, index) => ({
    command: wanted[index] ?? '',
    isPassed: exitCode === 0,
    output,
  }));
}
