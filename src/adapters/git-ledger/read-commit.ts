/** Which files a commit of the ledger has that an earlier one had not, and what they hold. */
import { damaged, type LedgerFile, readPath } from './ledger-files.ts';
import { type LedgerPlace, runAt } from './ledger-place.ts';

export interface ChangedFile {
  readonly path: string;
  readonly file: LedgerFile;
  /** Null when it was removed. */
  readonly object: string | null;
}

/** So many objects are read by one git process at first; more while they are small, since there are many texts. */
const firstLength = 256;
const longestLength = 8192;
/** Of what one process prints, in bytes. */
const littleOutput = 2 * 1024 * 1024;
const muchOutput = 8 * littleOutput;

function toChanged(path: string, object: string | null): ChangedFile {
  const file = readPath(path);
  if (file === null) throw damaged(path, 'no version known here writes it');
  return { path, file, object };
}

/** @param from null for everything in it */
export async function listChanged(
  place: LedgerPlace,
  from: string | null,
  to: string,
): Promise<ChangedFile[]> {
  if (from === null) {
    const listed = await runAt(place, ['ls-tree', '-r', '-z', '--full-tree', to], { isBinary: true });
    return listed
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [facts = '', path = ''] = line.split('\t');
        return toChanged(path, facts.split(' ')[2] ?? null);
      });
  }
  const words = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', from, to];
  const fields = (await runAt(place, words, { isBinary: true })).split('\0');
  const changed: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , , object = '', status = ''] = (fields[at] ?? '').split(' ');
    changed.push(toChanged(fields[at + 1] ?? '', status === 'D' ? null : object));
  }
  return changed;
}

/** What some objects hold, in chunks, in their order. */
export async function* readObjects(place: LedgerPlace, objects: readonly string[]): AsyncGenerator<string[]> {
  let length = firstLength;
  for (let at = 0; at < objects.length; ) {
    const chunk = objects.slice(at, at + length);
    at += chunk.length;
    const input = chunk.map((object) => `${object}\n`).join('');
    const output = await runAt(place, ['cat-file', '--batch'], { input, isBinary: true });
    if (output.length < littleOutput) length = Math.min(length * 2, longestLength);
    else if (output.length > muchOutput) length = Math.max(Math.floor(length / 2), 1);
    let position = 0;
    yield chunk.map((object) => {
      const end = output.indexOf('\n', position);
      const size = Number(/^[0-9a-f]+ blob (\d+)$/u.exec(output.slice(position, end))?.[1] ?? Number.NaN);
      if (Number.isNaN(size)) throw damaged(object, 'git does not have it');
      position = end + 1 + size + 1;
      return Buffer.from(output.slice(end + 1, end + 1 + size), 'latin1').toString('utf8');
    });
  }
}
