/**
 * Takes the log of a job apart into what its steps printed. GitHub gives one text for the whole job, each line with the
 * moment it was printed; a step knows when it began and ended, to the second. Read as it comes: a log may be larger than
 * the memory, and a single line of it too.
 */
import { keepLogEnd, longestLog } from '../../domain/forge/log-end.ts';

const newline = 0x0a;
/** `2026-03-01T10:00:00.1234567Z ` with a byte order mark before it. */
const longestStamp = 48;
const stamp = /^(?:\u00EF\u00BB\u00BF)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) /u;

/** A character may be cut in two at the start; there has to be enough left without it. */
const keptBytes = longestLog + 4;

/** The last bytes of what is pushed. */
class Tail {
  #parts: Buffer[] = [];
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  push(bytes: Buffer): void {
    // A copy: a small part would keep the whole piece it came in from being freed.
    const part = Buffer.from(bytes.subarray(-keptBytes));
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= 4 * keptBytes) return;
    const kept = Buffer.from(Buffer.concat(this.#parts).subarray(-keptBytes));
    this.#parts = [kept];
    this.#size = kept.length;
  }

  toString(): string {
    return keepLogEnd(Buffer.concat(this.#parts).toString('utf8'));
  }
}

export interface StepTimes {
  readonly name: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

interface Section {
  readonly from: number;
  readonly to: number;
  readonly tail: Tail;
}

function sectionOf({ startedAt, completedAt }: StepTimes): Section {
  const from = Date.parse(startedAt ?? '');
  const end = Date.parse(completedAt ?? '');
  return {
    from: Number.isNaN(from) ? Number.POSITIVE_INFINITY : from,
    // Both moments are cut to whole seconds.
    to: Number.isNaN(end) ? Number.POSITIVE_INFINITY : end + 1000,
    tail: new Tail(),
  };
}

/** What each of these steps printed last, in their order; all of them the end of the job's log if it cannot be told apart. */
export async function readStepLogs(
  pieces: AsyncIterable<Uint8Array>,
  steps: readonly StepTimes[],
): Promise<string[]> {
  const sections = steps.map(sectionOf);
  const whole = new Tail();
  let current: readonly Section[] = [];
  /** The beginning of a line, until it is known whose line it is. */
  let start: Buffer | null = Buffer.alloc(0);

  const print = (bytes: Buffer): void => {
    whole.push(bytes);
    for (const { tail } of current) tail.push(bytes);
  };
  const settleStart = (bytes: Buffer): void => {
    const found = stamp.exec(bytes.subarray(0, longestStamp).toString('latin1'));
    if (found !== null) {
      const at = Date.parse(found[1] ?? '');
      current = sections.filter(({ from, to }) => at >= from && at < to);
    }
    // A line without a moment belongs to the one before it.
    print(bytes.subarray(found?.[0].length ?? 0));
  };

  for await (const piece of pieces) {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    while (rest.length > 0) {
      const end = rest.indexOf(newline);
      const line: Buffer = end === -1 ? rest : rest.subarray(0, end + 1);
      rest = rest.subarray(line.length);
      if (start === null) print(line);
      else {
        start = Buffer.concat([start, line]);
        if (end !== -1 || start.length >= longestStamp) {
          settleStart(start);
          start = null;
        }
      }
      if (end !== -1) start = Buffer.alloc(0);
    }
  }
  if (start !== null && start.length > 0) settleStart(start);
  const isTold = sections.some(({ tail }) => !tail.isEmpty);
  return sections.map(({ tail }) => (isTold ? tail : whole).toString());
}
