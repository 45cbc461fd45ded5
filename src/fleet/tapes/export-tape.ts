/** The tape of a run as one file for another machine: without the folders of this one. */
import { hideSecrets } from '../../domain/changes/find-secrets.ts';
import type { Json } from '../../domain/ledger/hash.ts';
import {
  parseTape,
  type SessionHead,
  type SessionsTape,
  sessionsFormat,
  type Tape,
  type TapeHead,
  type TapeLine,
  tapeFormat,
} from '../../domain/recordings/tape.ts';
import { GatewrightError } from '../../errors.ts';

/** A folder of this machine, and what a recording calls it. */
export interface KnownFolder {
  readonly path: string;
  readonly name: string;
}

/** The folder's name ends where no letter of a name follows. */
function renameFolder(text: string, folder: string, name: string): string {
  const parts = text.split(folder);
  return parts.reduce((told, part) => `${told}${/^[\w.-]/u.test(part) ? folder : name}${part}`);
}

/** Longer names first: one folder may be inside of another. */
function makeRenaming(folders: readonly KnownFolder[]): (text: string) => string {
  const known = folders
    .filter(({ path }) => path.length > 1)
    .sort((one, other) => other.path.length - one.path.length);
  return (text) => hideSecrets(known.reduce((told, { path, name }) => renameFolder(told, path, name), text));
}

function renameAll(value: Json, rename: (text: string) => string): Json {
  if (typeof value === 'string') return rename(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renameAll(one, rename));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renameAll(one, rename)]));
}

type Attempt = readonly TapeLine[];

/** Without its head an attempt says nothing: the process ended before it began. */
function headOf([first]: Attempt): TapeHead | SessionHead | null {
  return first !== undefined && first !== 'cut' && 'head' in first ? first.head : null;
}

function tapedOf(attempt: Attempt): Pick<Tape, 'calls' | 'end'> {
  const end = attempt.findLast((line) => line !== 'cut' && 'end' in line);
  return {
    calls: attempt.flatMap((line) => (line !== 'cut' && 'call' in line ? [line.call] : [])),
    end: end?.end ?? null,
  };
}

/** An agent begins anew when it is resumed: its last attempt tells all. */
function makeTape(run: string, head: TapeHead, attempt: Attempt): Tape {
  if (attempt.includes('cut'))
    throw new GatewrightError('usage', `The run ${run} was too long for its tape, so it cannot be recorded.`);
  const about = `A recorded run of ${head.agent} for ${head.subject}.`;
  return { format: tapeFormat, about, head, ...tapedOf(attempt) };
}

/** A workflow goes on where it stood: every session tells a part. One that was too long tells it up to there. */
function makeSessions(run: string, attempts: readonly Attempt[]): SessionsTape {
  const sessions = attempts.flatMap((attempt) => {
    const head = headOf(attempt);
    return head !== null && 'workflow' in head ? [{ head, ...tapedOf(attempt) }] : [];
  });
  const [first] = sessions;
  const about = `A recorded run of the ${first?.head.workflow ?? ''} for ${first?.head.subject ?? ''}.`;
  return { format: sessionsFormat, about, run, sessions };
}

export function exportTape(
  run: string,
  attempts: readonly Attempt[],
  folders: readonly KnownFolder[],
): string {
  const last = attempts.findLast((attempt) => headOf(attempt) !== null) ?? [];
  const head = headOf(last);
  if (head === null)
    throw new GatewrightError('usage', `No tape of the run ${run} is kept.`, {
      hint: 'Gatewright keeps the newest tapes on the machine that ran them.',
    });
  const tape = 'agent' in head ? makeTape(run, head, last) : makeSessions(run, attempts);
  const text = `${JSON.stringify(renameAll(tape as unknown as Json, makeRenaming(folders)), null, 2)}\n`;
  parseTape(text, `of run ${run}`);
  return text;
}
