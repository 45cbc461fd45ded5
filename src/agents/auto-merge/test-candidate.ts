/** Tests the state that merging would give the base: git makes it in separate copies, before anything is merged. */

import { verifyCommit } from '../../runs/coding/verify-commit.ts';
import type { AgentContext } from '../agent.ts';
import type { Member } from './land-pull-request.ts';

/** What the base holds with one pull request and those before it. */
export interface Step extends Member {
  readonly tree: string;
  /**
   * A commit of that tree, for the test only: the forge makes its own commit when it merges. Making it again gives the
   * same commit.
   */
  readonly commit: string;
}

export type TestResult =
  | { readonly isGreen: true; readonly steps: readonly Step[] }
  | {
      readonly isGreen: false;
      readonly why: 'conflict' | 'failed' | 'timed-out';
      /** The end of what the command wrote. Untrusted text. */
      readonly output: string;
    };

/** Merging these one after the other, up to the first that conflicts. */
async function makeSteps(context: AgentContext, base: string, members: readonly Member[]): Promise<Step[]> {
  const { repository, transport, workspaces } = context;
  const steps: Step[] = [];
  for (const { number, head } of members) {
    await transport.fetchCommit(repository, head, { pullRequest: number });
    const parent = steps.at(-1)?.commit ?? base;
    const tree = await workspaces.mergeTrees(parent, head);
    if (tree === null) break;
    const commit = await workspaces.commit({
      tree,
      parent,
      message: `#${number} at ${head}\n`,
      author: { name: 'Gatewright', email: 'gatewright@localhost' },
      at: context.startedAt.toISOString(),
    });
    steps.push({ number, head, tree, commit });
  }
  return steps;
}

/**
 * Tests several beginnings of one batch side by side. It waits for all of them even if one fails, so that no test still
 * runs after the caller has stopped. Called again after a crash, it returns the earlier results. `base` is at the tip
 * of `branch`.
 */
export async function testBeginnings(
  context: AgentContext,
  branch: string,
  base: string,
  beginnings: readonly (readonly Member[])[],
): Promise<TestResult[]> {
  const { repository, settings, transport } = context;
  await transport.fetchCommit(repository, base, { branch });
  const longest = beginnings.reduce((one, other) => (other.length > one.length ? other : one), []);
  const steps = await makeSteps(context, base, longest);
  const test = async (length: number, copy: number): Promise<TestResult> => {
    if (length > steps.length) return { isGreen: false, why: 'conflict', output: '' };
    const commit = steps[length - 1]?.commit ?? base;
    const checked = { commit, steeringFrom: commit, copy };
    const { exitCode, output } = await verifyCommit(context, settings.verify ?? [], checked);
    if (exitCode === 0) return { isGreen: true, steps: steps.slice(0, length) };
    return { isGreen: false, why: exitCode === null ? 'timed-out' : 'failed', output };
  };
  const ended = await Promise.allSettled(
    beginnings.map((beginning, index) => test(beginning.length, index + 1)),
  );
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

export async function testCandidate(
  context: AgentContext,
  branch: string,
  base: string,
  members: readonly Member[],
): Promise<TestResult> {
  const [result] = await testBeginnings(context, branch, base, [members]);
  return result as TestResult;
}
