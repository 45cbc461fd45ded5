/**
 * The place where issues and code live: GitHub, or the local forge. Consumers take `Pick<Forge, …>` of what they need;
 * every adapter passes the suites in `test/contracts`. Reads that may be long are lists, never searches, because search
 * indexes lag behind writes and a crash could then file something twice.
 */
import type { CodeForge } from './forge-code.ts';
import type { IssueForge } from './forge-issues.ts';

export type { Permission } from '../../domain/forge/permission.ts';
export type * from './forge-code.ts';
export type * from './forge-issues.ts';

export interface Forge extends IssueForge, CodeForge {
  /** Test mode works on `local` only. */
  readonly kind: 'local' | 'github';
}
