/** The event feed of the local forge, for the fleet. Triggers record the events; this class reads them. */
import { eventSchema } from '../../domain/fleet/event.ts';
import { seeText } from '../../domain/forge/seen-text.ts';
import type { EventFeed, Happening } from '../../ports/event-feed.ts';
import { type ForgeRecords, kindOfActor } from './forge-records.ts';
import type { PullRows } from './pull-rows.ts';

interface EventRow {
  readonly id: number;
  readonly repository: string;
  readonly kind: string;
  readonly at: string;
  readonly actor: string;
  readonly number: number | null;
  readonly text: string | null;
  readonly data: string;
  /** Of the issue, as it was then; null where it is about none, and from before it was kept. */
  readonly issue_title: string | null;
  readonly issue_body: string | null;
}

const mostAtOnce = 1000;

function toHappening({ id, number, text, data, issue_title, issue_body, ...row }: EventRow): Happening {
  const isSeen = issue_title !== null && issue_body !== null;
  const event = eventSchema.safeParse({
    ...row,
    delivery: `local/${row.repository}/${id}`,
    actorKind: kindOfActor(row.actor),
    ...(number === null ? {} : { number }),
    ...(text === null ? {} : { text }),
    ...(isSeen ? { seen: seeText({ title: issue_title, body: issue_body }) } : {}),
    ...(JSON.parse(data) as object),
  });
  // One that cannot be read must not hide those that came after it.
  return { id, event: event.data ?? null };
}

export class LocalEventFeed implements EventFeed {
  readonly #records: ForgeRecords;
  readonly #rows: PullRows;

  constructor(records: ForgeRecords, rows: PullRows) {
    this.#records = records;
    this.#rows = rows;
  }

  /** Branches move without a word to the database: they are looked at first. */
  async since(repository: string, after: number, limit: number): Promise<Happening[]> {
    await this.#rows.followAll(repository);
    return this.list(repository, after, limit);
  }

  /** What is written down already. */
  list(repository: string, after: number, limit: number): Happening[] {
    return this.#records.look(() => {
      this.#records.requireRepository(repository);
      return this.#records
        .all<EventRow>(
          'SELECT * FROM forge_events WHERE repository = ? AND id > ? ORDER BY id LIMIT ?',
          repository,
          after,
          Math.max(0, Math.min(limit, mostAtOnce)),
        )
        .map(toHappening);
    });
  }
}
