/** Which files a commit of the ledger has that an earlier one had not, and what they hold. */
import { damaged, type LedgerFile, readPath, textsFolder } from './ledger-files.ts';
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

function toChanged(path: string, object: string | null, mode: string): ChangedFile {
  const file = readPath(path);
  if (file === null) throw damaged(path, 'no version known here writes it');
  if (object !== null) requirePlain(path, mode);
  return { path, file, object };
}

/** A link, or a commit of another repository, is none of our files, and its object may be nowhere. */
function requirePlain(path: string, mode: string): void {
  if (mode !== '100644') throw damaged(path, 'it is no plain file');
}

async function listTree(
  place: LedgerPlace,
  words: readonly string[],
): Promise<(readonly [path: string, object: string, mode: string])[]> {
  const listed = await runAt(place, ['ls-tree', '-z', '--full-tree', ...words], { isBinary: true });
  return listed
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [facts = '', path = ''] = line.split('\t');
      const [mode = '', , object = ''] = facts.split(' ');
      return [path, object, mode];
    });
}

/** All files of a commit. @param without texts: those are many, and looked for by their hash when they are read */
export async function listFiles(
  place: LedgerPlace,
  commit: string,
  { withTexts }: { readonly withTexts: boolean },
): Promise<ChangedFile[]> {
  const names = withTexts ? [] : (await listTree(place, [commit])).map(([name]) => name);
  const wanted = names.filter((name) => name !== textsFolder);
  if (names.length > 0 && wanted.length === 0) return [];
  const files = await listTree(place, ['-r', commit, '--', ...wanted]);
  return files.map(([path, object, mode]) => toChanged(path, object, mode));
}

/** Which of some paths a commit has, with their objects. */
export async function findPaths(
  place: LedgerPlace,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const files = paths.length === 0 ? [] : await listTree(place, [commit, '--', ...paths]);
  for (const [path, , mode] of files) requirePlain(path, mode);
  return new Map(files.map(([path, object]) => [path, object]));
}

/** What files hold, by their paths; those that the commit does not have are left out. */
export async function readPaths(
  place: LedgerPlace,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const files = [...(await findPaths(place, commit, paths))];
  const found = new Map<string, string>();
  let index = 0;
  for await (const texts of readObjects(
    place,
    files.map(([, object]) => object),
  ))
    for (const text of texts) found.set(files[index++]?.[0] ?? '', text);
  return found;
}

export async function listChanged(place: LedgerPlace, from: string, to: string): Promise<ChangedFile[]> {
  const words = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', from, to];
  const fields = (await runAt(place, words, { isBinary: true })).split('\0');
  const changed: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , object = '', status = ''] = (fields[at] ?? '').split(' ');
    changed.push(toChanged(fields[at + 1] ?? '', status === 'D' ? null : object, mode));
  }
  return changed;
}

/** What some objects hold, as `cat-file` prints it; null for those that are not here. */
function splitOutput(output: string, objects: readonly string[]): (string | null)[] {
  let position = 0;
  return objects.map((object) => {
    const end = output.indexOf('\n', position);
    const line = output.slice(position, end);
    position = end + 1;
    if (line === `${object} missing`) return null;
    const size = Number(/^[0-9a-f]+ blob (\d+)$/u.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(size)) throw damaged(object, 'it is no file');
    position += size + 1;
    return Buffer.from(output.slice(end + 1, end + 1 + size), 'latin1').toString('utf8');
  });
}

/** What some objects hold, in chunks, in their order. Those that are not here are brought. */
export async function* readObjects(place: LedgerPlace, objects: readonly string[]): AsyncGenerator<string[]> {
  let length = firstLength;
  for (let at = 0; at < objects.length; ) {
    const chunk = objects.slice(at, at + length);
    at += chunk.length;
    const input = chunk.map((object) => `${object}\n`).join('');
    const read = (): Promise<string> => runAt(place, ['cat-file', '--batch'], { input, isBinary: true });
    let output = await read();
    let texts = splitOutput(output, chunk);
    const missing = chunk.filter((_, index) => texts[index] === null);
    if (missing.length > 0) {
      await place.bring(missing);
      output = await read();
      texts = splitOutput(output, chunk);
    }
    if (output.length < littleOutput) length = Math.min(length * 2, longestLength);
    else if (output.length > muchOutput) length = Math.max(Math.floor(length / 2), 1);
    yield texts.map((text, index) => {
      if (text === null) throw damaged(chunk[index] ?? '', 'git does not have it');
      return text;
    });
  }
}
