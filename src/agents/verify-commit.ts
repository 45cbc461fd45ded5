/**
 * Makes a copy of a commit ready, and runs the project's own check on it. What an agent says about its tests counts for
 * nothing, and files that it left beside its work could make a check pass that fails for everybody else: so the copy is new.
 */
import { sayEnd } from '../domain/command-output.ts';
import type { EntryData } from '../domain/ledger-entry.ts';
import { GatewrightError } from '../errors.ts';
import type { AgentContext } from './agent.ts';

/** Long enough for the tests of a large project. */
const longest = 1_800_000;

export interface VerifiedCommit extends Omit<EntryData['command-verified'], 'output'> {
  /** The end of what it printed. Untrusted text. */
  readonly output: string;
}

/** Fetches what work and checks need, such as dependencies, where a command for that is set. */
export async function prepareCopy(context: AgentContext, folder: string): Promise<void> {
  const { setup, setupHosts } = context.settings;
  if (setup === null) return;
  const network = setupHosts.length === 0 ? 'none' : ({ hosts: setupHosts } as const);
  const { exitCode, output, refusedHosts } = await context.commands.run({
    ...{ folder, argv: setup, limitMilliseconds: longest, network },
  });
  if (exitCode === 0) return;
  const reached = refusedHosts
    .slice(0, 3)
    .map((host) =>
      setupHosts.includes(host)
        ? `It wanted to reach ${host}, whose name leads to an address that is not allowed; see: gatewright doctor`
        : `It wanted to reach ${host}, which is not in fleet.setupHosts.`,
    );
  const came = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
  const message = [`"${setup.join(' ')}" ${came} in a copy of the repository.`, ...reached].join(' ');
  throw new GatewrightError('setup-failed', message, { output });
}

/**
 * Done once for a commit in a run. `steeringFrom` is where files that steer builds and agents are taken from; `copy` tells
 * those apart that are checked at the same time.
 */
export async function verifyCommit(
  context: AgentContext,
  command: readonly string[],
  commit: string,
  steeringFrom: string,
  copy = 1,
): Promise<VerifiedCommit> {
  const { ledger, runId, workspaces, commands, progress } = context;
  const key = `${runId}/verify/${commit}`;
  const name = `${runId}-verify${copy === 1 ? '' : `-${copy}`}`;
  // What an earlier attempt left there is no clean copy; if it was cut off after the check, nobody else clears it away.
  await workspaces.remove(name);
  const known = await ledger.find('command-verified', key);
  if (known !== null) return { ...known.data, output: await ledger.getText(known.data.output) };
  try {
    const { folder } = await workspaces.open(name, commit, steeringFrom);
    await prepareCopy(context, folder);
    const result = await commands.run({
      ...{ folder, argv: command, limitMilliseconds: longest, network: 'none' },
    });
    const { exitCode, output, sandbox, milliseconds } = result;
    const isOk = exitCode === 0;
    const detail = exitCode === null ? 'was stopped' : `exit ${exitCode}`;
    progress({
      kind: 'checked',
      name: command.join(' '),
      ok: isOk,
      detail: `${detail} at ${commit.slice(0, 12)}${isOk ? '' : `. ${sayEnd(output)}`}`,
    });
    const verified = { command, commit, exitCode, sandbox, milliseconds };
    const data = { ...verified, output: await ledger.putText(output) };
    await context.record({ kind: 'command-verified', key, data });
    return { ...verified, output };
  } finally {
    await workspaces.remove(name);
  }
}
