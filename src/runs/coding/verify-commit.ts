/**
 * Runs checks of a project on a commit. What an agent says about its tests counts for nothing, and files that it left
 * beside its work could make a check pass that fails elsewhere: so the copy is new. Each command gets a copy of its
 * own, because the tests of a change are code of its author, and could make the next command pass.
 */

import { sha256 } from '../../domain/ledger/hash.ts';
import type { EntryData } from '../../domain/ledger/ledger-entry.ts';
import { describeEnd } from '../../domain/text/command-output.ts';
import type { NetworkPolicy } from '../../ports/sandbox.ts';
import type { CodingContext } from './coding-context.ts';
import { longestCommand, prepareCopy } from './prepare-copy.ts';

export interface VerifiedCommit extends Omit<EntryData['command-verified'], 'output'> {
  /** The end of what it printed. Untrusted text. */
  readonly output: string;
}

/** A command that shows something of a commit. It reaches no network and has half an hour, unless it says otherwise. */
export interface Check {
  /** Its words; a line for a shell is `sh`, `-c` and the line, and its user has to know where that line comes from. */
  readonly argv: readonly string[];
  readonly limitMilliseconds?: number;
  readonly network?: NetworkPolicy;
}

/** What is checked, and where. */
export interface CheckedCommit {
  readonly commit: string;
  /** The commit that files which steer builds and agents are taken from. */
  readonly steeringFrom: string;
  /** Separates copies that are checked at the same time. */
  readonly copy?: number;
}

type VerifyContext = Pick<
  CodingContext,
  'runId' | 'settings' | 'ledger' | 'commands' | 'progress' | 'record'
> & {
  readonly workspaces: Pick<CodingContext['workspaces'], 'open' | 'remove'>;
};

/** The name of the copy that checks of a run are run in. */
export function verifyCopyOf(runId: string, copy = 1): string {
  return `${runId}-verify${copy === 1 ? '' : `-${copy}`}`;
}

/** Runs once under its key: a resumed run gets the result of the first time. */
async function runCheck(
  context: VerifyContext,
  key: string,
  { argv, limitMilliseconds = longestCommand, network = 'none' }: Check,
  { commit, steeringFrom, copy = 1 }: CheckedCommit,
): Promise<VerifiedCommit> {
  const { ledger, runId, workspaces, commands, progress } = context;
  const name = verifyCopyOf(runId, copy);
  // An earlier attempt may have left a copy that is not clean. If that attempt was cut off after the check, no other
  // code removes its copy.
  await workspaces.remove(name);
  const known = await ledger.find('command-verified', key);
  if (known !== null) return { ...known.data, output: await ledger.getText(known.data.output) };
  try {
    const { folder } = await workspaces.open(name, commit, steeringFrom);
    await prepareCopy(context, { name, folder });
    progress({ kind: 'checking', name: argv.join(' ') });
    const result = await commands.run({ folder, argv, limitMilliseconds, network });
    const { exitCode, output, sandbox, milliseconds } = result;
    const isOk = exitCode === 0;
    const detail = exitCode === null ? 'was stopped' : `exit ${exitCode}`;
    progress({
      kind: 'checked',
      name: argv.join(' '),
      ok: isOk,
      detail: `${detail} at ${commit.slice(0, 12)}${isOk ? '' : `. ${describeEnd(output)}`}`,
    });
    const verified = { command: argv, commit, exitCode, sandbox, milliseconds };
    const data = { ...verified, output: await ledger.putText(output) };
    await context.record({ kind: 'command-verified', key, data });
    return { ...verified, output };
  } finally {
    await workspaces.remove(name);
  }
}

/** The one command that a repository sets for this; done once for a commit in a run. */
export function verifyCommit(
  context: VerifyContext,
  command: readonly string[],
  checked: CheckedCommit,
): Promise<VerifiedCommit> {
  return runCheck(context, `${context.runId}/verify/${checked.commit}`, { argv: command }, checked);
}

/** Several commands, one after the other, all of them even if one fails; each done once for a commit in a run. */
export async function verifyWithAll(
  context: VerifyContext,
  checks: readonly Check[],
  checked: CheckedCommit,
): Promise<readonly VerifiedCommit[]> {
  const verified: VerifiedCommit[] = [];
  for (const check of checks) {
    const { argv, network = 'none', limitMilliseconds = longestCommand } = check;
    const hash = sha256(JSON.stringify([argv, network, limitMilliseconds])).slice(0, 16);
    const key = `${context.runId}/verify/${checked.commit}/${hash}`;
    verified.push(await runCheck(context, key, check, checked));
  }
  return verified;
}
