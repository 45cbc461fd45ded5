/**
 * Which files hold which entries. Each append adds a small file; eight neighbours of about the same size become one, up to
 * a size at which a file stays as it is. So there are few files, and an entry is written again only a few times.
 */
import type { Segment } from './ledger-files.ts';

const together = 8;
const largest = 1024;

const sizeOf = ({ first, last }: Segment): number => last - first + 1;
const tierOf = (segment: Segment): number => Math.floor(Math.log(sizeOf(segment)) / Math.log(together));

interface SegmentPlan {
  readonly removed: readonly Segment[];
  /** What is written: the new entries, together with those of the removed files. */
  readonly written: Segment;
}

/** @param existing in order and without gaps; @param last the number of the last new entry */
export function planSegments(existing: readonly Segment[], last: number): SegmentPlan {
  const kept = [...existing];
  const removed: Segment[] = [];
  let written: Segment = { first: (kept.at(-1)?.last ?? 0) + 1, last };
  for (;;) {
    const tier = tierOf(written);
    const tail: Segment[] = [];
    for (let at = kept.length - 1; at >= 0; at -= 1) {
      const segment = kept[at];
      if (segment === undefined || tierOf(segment) > tier || sizeOf(segment) >= largest) break;
      tail.unshift(segment);
    }
    if (tail.length + 1 < together || sizeOf(written) >= largest) return { removed, written };
    kept.splice(kept.length - tail.length, tail.length);
    removed.unshift(...tail);
    written = { first: tail[0]?.first ?? written.first, last };
  }
}
