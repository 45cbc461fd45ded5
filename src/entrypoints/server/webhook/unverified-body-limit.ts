/**
 * The memory that bodies may take before their signature is checked. It is reserved before anything is read, by the
 * declared size, so that no body is cut off half-way; small bodies have room of their own, and no body keeps its memory for
 * long.
 */
import type { IncomingMessage } from 'node:http';
import { GatewrightError } from '../../../errors.ts';
import { Refusal } from './check-delivery.ts';

export interface BodyRoomOptions {
  readonly onTrouble: (error: unknown) => void;
  /** How long a small body may take; larger ones get a millisecond more for each kilobyte. */
  readonly bodyMilliseconds?: number;
  /** The shortest time between two reports about refused requests. */
  readonly tellMilliseconds?: number;
}

/** GitHub's own limit. */
const largestBody = 25 * 1024 * 1024;
/** Most deliveries are smaller. They have room of their own, so that larger ones cannot keep them out. */
const smallBody = 128 * 1024;
/** The most bytes of each kind that were announced and have not come yet. */
const room = { small: 200 * smallBody, large: 3 * largestBody };

function readLength({ headers }: IncomingMessage): number {
  const declared = headers['content-length'];
  if (declared === undefined || !/^\d{1,15}$/u.test(declared)) throw new Refusal(411, 'length missing');
  const length = Number(declared);
  if (length > largestBody) throw new Refusal(413, 'too large');
  return length;
}

/** In steps: Node keeps timers of the same length in one list, and makes a list for each other length. */
function timeFor(length: number): number {
  return length <= smallBody ? 0 : Math.ceil(length / smallBody) * (smallBody / 1024);
}

/** A sender that is too slow still gets an answer: the request is left as it is, and ends with its connection. */
function collect(request: IncomingMessage, milliseconds: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Null when it is decided: what comes after that is not kept.
    let chunks: Buffer[] | null = [];
    const take = (chunk: Buffer): void => void chunks?.push(chunk);
    const fail = (status: number, reason: string): void => {
      if (chunks === null) return;
      chunks = null;
      clearTimeout(timer);
      reject(new Refusal(status, reason));
    };
    const breakOff = (): void => fail(400, 'not read to its end');
    const end = (): void => {
      if (chunks === null) return;
      const [only] = chunks;
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks));
      chunks = null;
      clearTimeout(timer);
    };
    const timer = setTimeout(() => fail(408, 'too slow'), milliseconds);
    request.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff);
  });
}

export class UnverifiedBodyLimit {
  readonly #options: BodyRoomOptions;
  readonly #inFlight = { small: 0, large: 0 };
  #refused = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: BodyRoomOptions) {
    this.#options = options;
  }

  async read(request: IncomingMessage): Promise<Buffer> {
    const length = readLength(request);
    const kind = length > smallBody ? 'large' : 'small';
    if (this.#inFlight[kind] + length > room[kind]) {
      this.reportBusy();
      throw new Refusal(503, 'busy', 5);
    }
    this.#inFlight[kind] += length;
    try {
      return await collect(request, (this.#options.bodyMilliseconds ?? 5_000) + timeFor(length));
    } finally {
      this.#inFlight[kind] -= length;
    }
  }

  /**
   * A refused sender may be GitHub, and people rarely look at its list of deliveries, so the refusal is reported. One
   * report stands for several refusals, so that a flood of requests cannot flood the output.
   */
  reportBusy(): void {
    this.#refused += 1;
    const now = performance.now();
    if (now - this.#toldAt < (this.#options.tellMilliseconds ?? 60_000)) return;
    const count = this.#refused === 1 ? 'A request was' : `${this.#refused} requests were`;
    this.#options.onTrouble(
      new GatewrightError('server-busy', `${count} turned away, because slow requests use all the memory.`),
    );
    this.#toldAt = now;
    this.#refused = 0;
  }
}
