/** Limits by a scope of systemd, for users who have no control group of their own but a service manager that has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../system/find-program.ts';
import { runOwned } from '../system/owned-process.ts';
import type { ControlGroups, GroupLimits } from './control-groups.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the manager is asked; the command itself must not see these. */
const managerVariables = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const;
const trialMilliseconds = 10_000;

function wordsOf(program: string, environment: Environment, limits: GroupLimits): string[] {
  const given = managerVariables.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return [
    ...['/usr/bin/env', ...given, program, ...(process.getuid?.() === 0 ? [] : ['--user'])],
    ...['--scope', '--quiet', '--collect'],
    ...['-p', `MemoryMax=${limits.memoryBytes}`, '-p', `CPUQuota=${Math.floor(limits.processors * 100)}%`],
    ...['--', '/usr/bin/env', ...managerVariables.flatMap((name) => ['-u', name])],
  ];
}

/** Tried out; or why it cannot be had. */
export async function findSystemdScope(
  limits: GroupLimits,
  environment: Environment,
): Promise<ControlGroups | string> {
  const program = findProgram(environment, 'systemd-run');
  if (program === null) return 'systemd-run is not installed';
  const manager =
    process.getuid?.() === 0
      ? '/run/systemd/system'
      : join(environment.XDG_RUNTIME_DIR ?? '/nonexistent', 'systemd');
  if (!existsSync(manager)) return 'no service manager of systemd runs for this user';
  const enter = wordsOf(program, environment, limits);
  const [first = '', ...args] = [...enter, '/bin/true'];
  const exit = await runOwned({
    ...{ program: first, args, folder: '/', environment: {}, input: '' },
    limitMilliseconds: trialMilliseconds,
    onOutput: () => undefined,
  });
  if (exit.kind !== 'ended' || exit.code !== 0)
    return `systemd-run does not work: ${exit.kind === 'ended' ? exit.complaint.trim().slice(0, 200) : exit.kind}`;
  // The manager removes the scope when the last process in it has ended; which limit ended one is in its journal.
  return { make: () => ({ enter, ranOutOfMemory: () => false, remove: async () => undefined }) };
}
