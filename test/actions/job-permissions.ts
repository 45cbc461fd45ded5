/** What the token of a job may do: exactly what its workflow declares, and of a fork nothing but reading. */
import { type Permissions, scopes } from './read-workflow.ts';

/** By name as in the file; `metadata` always. */
export type Granted = Readonly<Record<string, 'read' | 'write'>>;

export interface PermissionRules {
  readonly workflow: Permissions | undefined;
  readonly job: Permissions | undefined;
  /** "Workflow permissions" in the settings of the repository, for workflows that say nothing. */
  readonly default: 'read' | 'write';
  readonly isFork: boolean;
}

/** OpenID Connect has no reading. */
const all = (level: 'read' | 'write'): Record<string, 'read' | 'write'> =>
  Object.fromEntries(
    scopes.filter((one) => level === 'write' || one !== 'id-token').map((one) => [one, level]),
  );

function read(given: Permissions): Record<string, 'read' | 'write'> {
  if (given === 'read-all') return all('read');
  if (given === 'write-all') return all('write');
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, level]) => (level === 'none' ? [] : [[name, level]])),
  );
}

export function grantJob({ workflow, job, default: level, isFork }: PermissionRules): Granted {
  const declared = job ?? workflow;
  const usual: Record<string, 'read' | 'write'> =
    level === 'write' ? all('write') : { contents: 'read', packages: 'read' };
  const granted = Object.entries(declared === undefined ? usual : read(declared));
  const limited = granted.flatMap(([name, one]): [string, 'read' | 'write'][] => {
    if (!isFork) return [[name, one]];
    return name === 'id-token' ? [] : [[name, 'read']];
  });
  return { metadata: 'read', ...Object.fromEntries(limited) };
}
