/**
 * Programs that answer each other's comments never end. Orders that programs give about one subject are counted in the
 * ledger; after a few in a row it takes a person to go on.
 */
import type { SubjectState } from '../ledger/subject-state.ts';

export const programOrderLimit = 3;

export interface ProgramOrders {
  /** How many were followed since a person last gave one, without that of this delivery. */
  readonly count: number;
  /** Whether a run was begun for the order of this delivery: then that run is finished. */
  readonly isBegun: boolean;
  /** Who gave the last order that a person gave; null when none did. */
  readonly person: string | null;
  /** Whether another run has told people about it since then. */
  readonly isTold: boolean;
}

export function readProgramOrders(
  { orders, loopNotices }: Pick<SubjectState, 'orders' | 'loopNotices'>,
  delivery: string,
  isProgram: (login: string) => boolean,
  run = '',
): ProgramOrders {
  const last = orders.findLast(({ actor }) => actor !== null && !isProgram(actor));
  const since = last?.seq ?? 0;
  const later = orders.filter(({ seq }) => seq > since);
  return {
    count: later.filter((order) => order.delivery !== delivery).length,
    isBegun: orders.some((order) => order.delivery === delivery),
    person: last?.actor ?? null,
    isTold: loopNotices.some((one) => one.run !== run && one.seq > since),
  };
}

/** Said once: to the person who began it, if there is one. */
export function loopNotice(person: string | null, handle: string): string {
  const call = person === null ? '' : `@${person} `;
  return `${call}Programs have given ${programOrderLimit} orders here in a row, so that this may be two of them answering each other. No further order of a program is followed here until a person with write permission gives one: mention \`@${handle}\` and say what to do.\n`;
}
