/** What happened on a forge that keeps a list of it, in order. Where deliveries come by webhook there is none. */
import type { FleetEvent } from '../domain/event.ts';

export interface Happening {
  /** Grows; nothing with a smaller one appears later. */
  readonly id: number;
  readonly event: FleetEvent;
}

export interface Happenings {
  /** The next ones after an id, oldest first, `limit` at most. */
  since(repository: string, after: number, limit: number): Promise<Happening[]>;
}
