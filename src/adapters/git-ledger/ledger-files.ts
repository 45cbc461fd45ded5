/**
 * The files that a ledger on a git ref consists of, and how they are read. Everything in them is text that plain git shows:
 *
 * - `entries/FIRST-LAST.jsonl`: entries in the order in which they were appended, one on a line
 * - `texts/ab/HASH`: the texts that entries name by their hash
 * - `heads/ab/HASH.json`, `leases/ab/HASH.json`: the signed end of a chain and the lease of a subject, by its hash
 * - `checkpoints/ab/HASH.json`: how far a run is, by the hash of its id
 */
import { z } from 'zod';
import type { ChainHead, ChainRow } from '../../domain/ledger/chain.ts';
import { canonicalJson, type Json, type Sha256, sha256 } from '../../domain/ledger/hash.ts';
import { GatewrightError } from '../../errors.ts';
import type { LeaseRow } from '../sqlite/sqlite-leases.ts';

export const formatFile = 'format.json';
export const format = `${canonicalJson({ format: 'gatewright-ledger/1' })}\n`;

/** A run of entries in one file, by their numbers. */
export interface Segment {
  readonly first: number;
  readonly last: number;
}

const digits = 12;

export function segmentFile({ first, last }: Segment): string {
  return `entries/${String(first).padStart(digits, '0')}-${String(last).padStart(digits, '0')}.jsonl`;
}

const fanned = (folder: string, hash: Sha256, ending = ''): string =>
  `${folder}/${hash.slice(0, 2)}/${hash}${ending}`;

export const textsFolder = 'texts';

export const textFile = (hash: Sha256): string => fanned(textsFolder, hash);
export const headFile = (subject: string): string => fanned('heads', sha256(subject), '.json');
export const leaseFile = (subject: string): string => fanned('leases', sha256(subject), '.json');

export const checkpointFile = (run: string): string => fanned('checkpoints', sha256(run), '.json');

export type LedgerFile =
  | ({ readonly kind: 'entries' } & Segment)
  | { readonly kind: 'text'; readonly hash: Sha256 }
  | { readonly kind: 'head' | 'lease' | 'checkpoint' | 'format' };

/** What a path is; null when no version known here writes it. */
export function readPath(path: string): LedgerFile | null {
  if (path === formatFile) return { kind: 'format' };
  const segment = /^entries\/(\d{12})-(\d{12})\.jsonl$/u.exec(path);
  if (segment !== null) return { kind: 'entries', first: Number(segment[1]), last: Number(segment[2]) };
  const [, folder, start, hash = ''] =
    /^(texts|heads|leases|checkpoints)\/([0-9a-f]{2})\/([0-9a-f]{64})(?:\.json)?$/u.exec(path) ?? [];
  if (
    folder === undefined ||
    !hash.startsWith(start ?? '-') ||
    path.endsWith('.json') === (folder === 'texts')
  )
    return null;
  if (folder === 'texts') return { kind: 'text', hash };
  if (folder === 'checkpoints') return { kind: 'checkpoint' };
  return { kind: folder === 'heads' ? 'head' : 'lease' };
}

const whole = z.number().int().nonnegative();
const hashForm = z.string().regex(/^[0-9a-f]{64}$/u);

const rowForm = z.strictObject({
  id: whole.positive(),
  subject: z.string(),
  seq: whole.positive(),
  at: z.string(),
  kind: z.string(),
  run: z.string(),
  actor: z.string(),
  key: z.string().nullable(),
  // As it was parsed: a copy would leave out what every object has, such as `__proto__`, and its hash would be another.
  data: z.custom<Json>((value) => value !== undefined),
  previous: hashForm,
  hash: hashForm,
});

const headForm = z.strictObject({
  subject: z.string(),
  seq: whole.positive(),
  hash: hashForm,
  signature: hashForm,
});

const leaseForm = z.strictObject({
  subject: z.string(),
  token: whole.positive(),
  actor: z.string(),
  host: z.string(),
  process: whole,
  process_start: z.string(),
  since: z.string(),
  expires: whole,
});

/** What a file of JSON holds. */
export function readFile<T>(form: z.ZodType<T>, text: string, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(path, 'is not JSON');
  }
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(path, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'has another form'}`);
}

export function damaged(path: string, what: string): GatewrightError {
  return new GatewrightError('ledger-broken', `The file ${path} of the ledger cannot be used (${what}).`);
}

export function writeRows(rows: readonly ChainRow[]): string {
  return rows.map((row) => `${canonicalJson({ ...row, data: JSON.parse(row.data) as Json })}\n`).join('');
}

/** The rows of a segment: as many as its name says, numbered without a gap. */
export function readRows(text: string, segment: Segment): ChainRow[] {
  const path = segmentFile(segment);
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length !== segment.last - segment.first + 1)
    throw damaged(path, 'has more or fewer entries than its name says');
  return lines.map((line, index) => {
    const { data, ...row } = readFile(rowForm, line, path);
    if (row.id !== segment.first + index) throw damaged(path, `entry ${row.id} is in the wrong place`);
    return { ...row, data: canonicalJson(data as Json) };
  });
}

export type NamedHead = ChainHead & { readonly subject: string };

export function writeHead(head: NamedHead): string {
  return `${canonicalJson({ ...head })}\n`;
}

export function readHead(text: string, path: string): NamedHead {
  const head = readFile(headForm, text, path);
  if (headFile(head.subject) !== path) throw damaged(path, 'is about another subject');
  return head;
}

export function writeLease(row: LeaseRow): string {
  return `${canonicalJson({ ...row })}\n`;
}

export function readLease(text: string, path: string): LeaseRow {
  const row = readFile(leaseForm, text, path);
  if (leaseFile(row.subject) !== path) throw damaged(path, 'is about another subject');
  return row;
}

export function checkFormat(text: string): void {
  if (text === format) return;
  throw new GatewrightError(
    'ledger-broken',
    'The ledger on the git ref has a form that this version does not know.',
    {
      hint: 'A newer version of Gatewright wrote it: install that version here too.',
    },
  );
}
