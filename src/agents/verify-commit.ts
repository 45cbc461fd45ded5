/** Runs the project's own check on a commit, by us. What an agent says about its tests counts for nothing. */
import type { Verification } from '../domain/implementer-texts.ts';
import type { AgentContext } from './agent.ts';

/** Long enough for the tests of a large project. */
const longestCheck = 1_800_000;

interface VerifyPlace {
  readonly commit: string;
  /** Name of the workspace that it is done in; emptied first, and left for the caller to remove. */
  readonly workspace: string;
  /** The commit that files which steer agents and builds are taken from. */
  readonly steeringFrom: string;
}

/** Null when no command is set. Done once for a commit in a run: tests can fail by chance, so another run tries again. */
export async function verifyCommit(
  context: Pick<AgentContext, 'commands' | 'ledger' | 'record' | 'runId' | 'settings' | 'workspaces'>,
  { commit, workspace, steeringFrom }: VerifyPlace,
): Promise<Verification | null> {
  const { commands, ledger, runId, settings, workspaces } = context;
  const command = settings.verify;
  if (command === null) return null;
  const key = `${runId}/verify/${commit}`;
  const known = await ledger.find('command-verified', key);
  if (known !== null) return { ...known.data, output: await ledger.getText(known.data.output) };
  // A copy of the commit itself: files that were left beside it could make a check pass that fails for everybody else.
  await workspaces.remove(workspace);
  const { folder } = await workspaces.open(workspace, commit, steeringFrom);
  const { exitCode, output, sandbox, milliseconds } = await commands.run({
    folder,
    argv: command,
    limitMilliseconds: longestCheck,
    network: 'none',
  });
  const verified = { command, commit, exitCode, sandbox, milliseconds };
  const data = { ...verified, output: await ledger.putText(output) };
  await context.record({ kind: 'command-verified', key, data });
  return { ...verified, output };
}
