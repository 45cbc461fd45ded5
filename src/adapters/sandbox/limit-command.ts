/** Puts a prepared command into a control group of its own, by whichever way this machine has. */
import type { PreparedCommand } from '../../ports/sandbox.ts';
import {
  type ControlGroup,
  type ControlGroups,
  findControlGroups,
  type GroupLimits,
} from './control-groups.ts';
import { findSystemdScope } from './systemd-scope.ts';

/** A way that works here, or why there is none. */
export async function findAnyGroups(
  limits: GroupLimits,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ControlGroups | string> {
  if (process.platform !== 'linux') return 'control groups are a part of Linux';
  const own = await findControlGroups(limits);
  if (typeof own !== 'string') return own;
  const scope = await findSystemdScope(limits, environment);
  return typeof scope === 'string' ? `${own}; ${scope}` : scope;
}

function tryToMake(groups: ControlGroups): ControlGroup | null {
  try {
    return groups.make();
  } catch {
    // The group could be made when this was tried out; if it was removed since then, the work goes on without it.
    return null;
  }
}

export function limitCommand(prepared: PreparedCommand, groups: ControlGroups): PreparedCommand {
  const group = tryToMake(groups);
  if (group === null) return prepared;
  const [program = '', ...args] = [...group.enter, prepared.program, ...prepared.args];
  return {
    ...{ ...prepared, program, args },
    ranOutOfMemory: () => group.ranOutOfMemory(),
    close: async () => {
      await group.remove();
      await prepared.close();
    },
  };
}
