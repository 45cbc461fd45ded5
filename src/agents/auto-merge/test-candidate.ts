/** Tests what merging would make of the base: made with git, in a copy of its own, before anything is merged. */
import type { AgentContext } from '../agent.ts';
import type { Member } from './land-pull-request.ts';

/** Long enough for the tests of a large project. */
const longestTest = 1_800_000;

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
  const { commands, ledger, repository, runId, settings, transport, workspaces } = context;
  await transport.fetchCommit(repository, base, { branch });
  const commit = await makeCandidate(context, base, members);
  if (commit === null) return { isGreen: false, why: 'conflict', output: '' };
  const key = `${runId}/verify/${commit}`;
  const command = settings.verify ?? [];
  const name = `${runId}-verify`;
  // What an earlier attempt left there is no clean copy; if it was cut off after the test, nobody else clears it away.
  await workspaces.remove(name);
  if ((await ledger.find('command-verified', key)) === null) {
    const { folder } = await workspaces.open(name, commit, commit);
    try {
      const limit = { limitMilliseconds: longestTest, network: 'none' } as const;
      const result = await commands.run({ folder, argv: command, ...limit });
      const { exitCode, sandbox, milliseconds } = result;
      const output = await ledger.putText(result.output);
      const data = { command, commit, exitCode, output, sandbox, milliseconds };
      await context.record({ kind: 'command-verified', key, data });
    } finally {
      await workspaces.remove(name);
    }
  }
  const verified = await ledger.find('command-verified', key);
  if (verified?.data.exitCode === 0) return { isGreen: true, commit };
  const why = verified?.data.exitCode === null ? 'timed-out' : 'failed';
  const output = verified === null ? '' : await ledger.getText(verified.data.output);
  return { isGreen: false, why, output };
}
