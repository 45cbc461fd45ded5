/** The event feed of a forge that sends no deliveries: the reader asks it for new events. */
import type { FleetEvent } from '../domain/fleet/event.ts';

export interface Happening {
  /** Only grows: a reader that has seen this id has received all events before it. */
  readonly id: number;
  /** Null when it cannot be read: another version wrote it. */
  readonly event: FleetEvent | null;
}

export interface EventFeed {
  /**
   * The events after an id (0: from the beginning), oldest first. Texts are as they were at that moment. Git does not
   * say who moved a branch: for a change made with git alone, the event names the author of the pull request as its
   * actor.
   */
  since(repository: string, after: number, limit: number): Promise<readonly Happening[]>;
}
