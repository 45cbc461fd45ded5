/** What happened on a forge that nobody delivers it for: the reader comes and asks what is new. */
import type { FleetEvent } from '../domain/fleet/event.ts';

export interface Happening {
  /** Only grows; whoever has seen one has been shown all before it. */
  readonly id: number;
  /** Null when it cannot be read: another version wrote it. */
  readonly event: FleetEvent | null;
}

export interface EventFeed {
  /**
   * What happened after an id (0: from the beginning), oldest first. Texts are as they were said then. Git does not tell who
   * moved a branch: what was done with git alone is told of the author of the pull request.
   */
  since(repository: string, after: number, limit: number): Promise<readonly Happening[]>;
}
