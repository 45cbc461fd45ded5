/**
 * Computes the chain of a subject again, in the browser, from what each entry says. The signature of its end needs the key
 * of the ledger, which no page gets: `gatewright ledger verify` checks that one too.
 */
import type { Entry } from '../data/answers.ts';

interface ChainBreak {
  readonly seq: number;
  readonly kind: string;
  readonly explanation: string;
}

const chainStart = '0'.repeat(64);

/** JSON with sorted keys and no white space: what the ledger hashes. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

export async function hashEntry(entry: Omit<Entry, 'hash'>): Promise<string> {
  const { actor, at, key, kind, previous, run, seq, subject } = entry;
  const text = canonicalJson({
    ...{ actor, at, key, kind, previous, run, seq, subject },
    data: canonicalJson(entry.data),
  });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Takes the entries of one chain in their order, and keeps none of them. */
class ChainChecker {
  readonly #subject: string;
  #seq = 0;
  #hash = chainStart;

  constructor(subject: string) {
    this.#subject = subject;
  }

  get checked(): number {
    return this.#seq;
  }

  /** The hash of the last entry that was taken. */
  get end(): string {
    return this.#hash;
  }

  /** What is wrong with this one; null when it is the next link. */
  async take(entry: Entry): Promise<ChainBreak | null> {
    const { seq, kind } = entry;
    const broken = (explanation: string): ChainBreak => ({ seq, kind, explanation });
    if (entry.subject !== this.#subject) return broken('it belongs to another chain');
    if (seq !== this.#seq + 1)
      return broken(`it is entry ${seq} where ${this.#seq + 1} should be: entries are missing or moved`);
    if (entry.previous !== this.#hash) return broken('it does not name the hash of the entry before it');
    if ((await hashEntry(entry)) !== entry.hash) return broken('its content is not what its hash is of');
    this.#seq = seq;
    this.#hash = entry.hash;
    return null;
  }
}

/** The lines of a stream as they come. */
async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export interface ChainReport {
  readonly checked: number;
  readonly end: string;
  readonly broken: ChainBreak | null;
}

/** @param onProgress how many were checked so far */
export async function checkLines(
  subject: string,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (checked: number) => void,
): Promise<ChainReport> {
  const checker = new ChainChecker(subject);
  const report = (broken: ChainBreak | null): ChainReport => ({
    ...{ checked: checker.checked, end: checker.end, broken },
  });
  for await (const line of readLines(stream)) {
    const broken = await checker.take(JSON.parse(line) as Entry);
    if (broken !== null) return report(broken);
    if (checker.checked % 100 === 0) onProgress(checker.checked);
  }
  return report(null);
}
