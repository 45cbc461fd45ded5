/** The tape of a run as one file for another machine: without the folders of this one. */
import { hideSecrets } from '../../domain/changes/find-secrets.ts';
import type { Json } from '../../domain/ledger/hash.ts';
import { parseTape, type Tape, type TapeLine, tapeFormat } from '../../domain/recordings/tape.ts';
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

export function exportTape(
  run: string,
  lines: readonly TapeLine[] | null,
  folders: readonly KnownFolder[],
): string {
  const whole = lines ?? [];
  const [first] = whole;
  if (first === undefined || first === 'cut' || !('head' in first))
    throw new GatewrightError('usage', `No tape of the run ${run} is kept.`, {
      hint: 'Gatewright keeps the tapes of the newest runs of agents on the machine that ran them.',
    });
  if (whole.includes('cut'))
    throw new GatewrightError('usage', `The run ${run} was too long for its tape, so it cannot be recorded.`);
  const { head } = first;
  const end = whole.findLast((line) => line !== 'cut' && 'end' in line);
  const tape: Tape = {
    format: tapeFormat,
    about: `A recorded run of ${head.agent} for ${head.subject}.`,
    head,
    calls: whole.flatMap((line) => (line !== 'cut' && 'call' in line ? [line.call] : [])),
    end: end?.end ?? null,
  };
  const text = `${JSON.stringify(renameAll(tape as unknown as Json, makeRenaming(folders)), null, 2)}\n`;
  parseTape(text, `of run ${run}`);
  return text;
}
