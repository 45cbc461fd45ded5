/** What must not get onto the forge: secrets, and trees that are too large or that other machines could not check out. */
import type { FoundSecret } from '../../domain/changes/find-secrets.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../errors.ts';
import type { Snapshot } from '../../ports/workspace.ts';

function describeSecrets(found: readonly FoundSecret[]): string[] {
  return found.map(({ path, line, kind }) => {
    const place = `${escapeForLine(path, 200)}${line === null ? '' : `:${line}`}`;
    return `${place}: this looks like ${kind}`;
  });
}

/** Why a snapshot cannot be taken over whole; null when it can. What is in the way is not in the snapshot's tree. */
export function findObstacle({
  problems,
  secrets = [],
}: Pick<Snapshot, 'problems' | 'secrets'>): GatewrightError | null {
  const found = describeSecrets(secrets);
  if (found.length > 0)
    return new GatewrightError(
      'work-has-secret',
      `The change holds a secret: ${found.slice(0, 5).join('; ')}.`,
      { details: [...found, ...problems] },
    );
  if (problems.length === 0) return null;
  const more = problems.length > 5 ? ` (and ${problems.length - 5} more)` : '';
  return new GatewrightError(
    'work-refused',
    `What the agent left cannot be taken over: ${problems.slice(0, 5).join(' ')}${more}`,
    { details: problems },
  );
}
