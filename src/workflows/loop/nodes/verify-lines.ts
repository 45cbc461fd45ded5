/** Runs lines of the approved plan on a commit, in the sandbox and in a clean copy. Any other line is refused. */

import { GatewrightError } from '../../../errors.ts';
import type { NetworkPolicy } from '../../../ports/sandbox.ts';
import { findProjectRunners } from '../../../runs/coding/proof/find-project-runners.ts';
import { proveChange } from '../../../runs/coding/proof/prove-change.ts';
import { countAll } from '../../../runs/coding/proof/rules/count-all.ts';
import type { Proof } from '../../../runs/coding/proof/rules/proof.ts';
import { type Check, verifyWithAll } from '../../../runs/coding/verify-commit.ts';
import type { LoopContext } from '../loop-context.ts';
import type { LoopConfig } from '../rules/planning/loop-config.ts';
import type { LoopState } from '../state.ts';
import { baseOf, headOf, readGrants } from './read-stored.ts';

export interface VerifiedLine {
  readonly command: string;
  readonly isPassed: boolean;
  /** The end of what it printed. Untrusted text. */
  readonly output: string;
}

/** The commands of the plan as checks; a line that no approved plan holds is refused here, right before a shell. */
async function checksOf(
  context: LoopContext,
  state: LoopState,
  config: LoopConfig,
  lines: readonly string[],
): Promise<readonly Check[]> {
  const { commands, hosts } = await readGrants(context, state);
  const granted = new Set(commands);
  const foreign = lines.find((line) => !granted.has(line));
  if (foreign !== undefined)
    throw new GatewrightError(
      'prd-not-approved',
      `No approved plan holds the command "${foreign.slice(0, 200)}".`,
    );
  const network: NetworkPolicy = hosts.length === 0 ? 'none' : { hosts };
  const limitMilliseconds = config.execution.verify.commandTimeoutSeconds * 1000;
  return lines.map((line) => ({ argv: ['sh', '-c', line], network, limitMilliseconds }));
}

const quiet = (): void => undefined;

/** What the tests of an attempt show: counted from the reports of their runners, with and without the change. */
export async function proveLines(
  context: LoopContext,
  state: LoopState,
  config: LoopConfig,
  { commit, lines }: { readonly commit: string; readonly lines: readonly string[] },
): Promise<Proof> {
  const checks = await checksOf(context, state, config, [...new Set(lines)]);
  const base = headOf(state);
  const words = lines.flatMap((line) => line.split(/\s+/u));
  const changed = (await context.workspaces.listChanges(base, commit)).map(({ path }) => path);
  const proof = await proveChange(context, {
    ...{ base, commit, steeringFrom: baseOf(state).commit, since: null, command: words },
    runners: await findProjectRunners({ ...context, settings: { verify: words } }, base, changed),
    // Without the change only some of the commands should fail: what that means is said once, below.
    verify: (checked, progress) =>
      verifyWithAll(
        { ...context, progress: progress === context.progress ? progress : quiet },
        checks,
        checked,
      ),
  });
  const { redGreen } = proof;
  if (redGreen === 'shown' || redGreen === 'not-red')
    context.progress({
      ...{ kind: 'checked', name: 'the tests without the change', ok: redGreen === 'shown' },
      detail: redGreen === 'shown' ? 'they fail, as they should' : 'they do not fail',
    });
  return proof;
}

/**
 * Whether the commands reported tests before the change, and do not any more although the change touches what they run:
 * something else is run in the place of the tests.
 */
export async function hasLostReport(
  context: LoopContext,
  state: LoopState,
  config: LoopConfig,
  { lines, proof }: { readonly lines: readonly string[]; readonly proof: Proof },
): Promise<boolean> {
  if (proof.counts.runner !== null || !proof.weakened.some(({ kind }) => kind === 'check-changed'))
    return false;
  const checks = await checksOf(context, state, config, [...new Set(lines)]);
  const before = { commit: headOf(state), steeringFrom: baseOf(state).commit };
  return countAll(await verifyWithAll({ ...context, progress: quiet }, checks, before)).runner !== null;
}

export async function verifyLines(
  context: LoopContext,
  state: LoopState,
  config: LoopConfig,
  { commit, lines }: { readonly commit: string; readonly lines: readonly string[] },
): Promise<readonly VerifiedLine[]> {
  const wanted = [...new Set(lines)];
  const checks = await checksOf(context, state, config, wanted);
  const verified = await verifyWithAll(context, checks, { commit, steeringFrom: baseOf(state).commit });
  return verified.map(({ exitCode, output }, index) => ({
    command: wanted[index] ?? '',
    isPassed: exitCode === 0,
    output,
  }));
}
