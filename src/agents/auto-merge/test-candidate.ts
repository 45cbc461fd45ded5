/** Tests what merging would make of the base: made with git, in a copy of its own, before anything is merged. */
import type { AgentContext } from '../agent.ts';
import { verifyCommit } from '../verify-commit.ts';
import type { Member } from './land-pull-request.ts';

export type TestResult =
  | { readonly isGreen: true; readonly commit: string }
  | {
      readonly isGreen: false;
      readonly why: 'conflict' | 'failed' | 'timed-out';
      /** The end of what the command wrote. Untrusted text. */
      readonly output: string;
    };

/** The commit that merging these, one after the other, gives; null when they conflict. The same each time it is asked. */
async function makeCandidate(
  context: AgentContext,
  base: string,
  members: readonly Member[],
): Promise<string | null> {
  const { repository, transport, workspaces } = context;
  let tip = base;
  for (const { number, head } of members) {
    await transport.fetchCommit(repository, head, { pullRequest: number });
    const tree = await workspaces.mergeTrees(tip, head);
    if (tree === null) return null;
    tip = await workspaces.commit({
      tree,
      parent: tip,
      message: `#${number} at ${head}\n`,
      author: { name: 'Gatewright', email: 'gatewright@localhost' },
      at: context.startedAt.toISOString(),
    });
  }
  return tip;
}

/** Asked again after a crash, it answers what it found before. `base` is at the tip of `branch`. */
export async function testCandidate(
  context: AgentContext,
  branch: string,
  base: string,
  members: readonly Member[],
): Promise<TestResult> {
  const { repository, settings, transport } = context;
  await transport.fetchCommit(repository, base, { branch });
  const commit = await makeCandidate(context, base, members);
  if (commit === null) return { isGreen: false, why: 'conflict', output: '' };
  const { exitCode, output } = await verifyCommit(context, settings.verify ?? [], commit, commit);
  if (exitCode === 0) return { isGreen: true, commit };
  return { isGreen: false, why: exitCode === null ? 'timed-out' : 'failed', output };
}
