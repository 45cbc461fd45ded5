/** Reads and writes issue-state.json. Agents and people write to the file too: it is read as hostile text. */
import type { z } from 'zod';
import { GatewrightError } from '../../../../errors.ts';
import { type JsonProblem, jsonValueOf, showPath } from '../../../documents/json-tree.ts';
import { limitProblems } from '../../../documents/limit-problems.ts';
import { readJsonTree } from '../../../documents/read-json-tree.ts';
import { findUnkept } from './find-unkept.ts';
import { migrateState } from './migrate-state.ts';
import { stateSchema } from './state-schema.ts';

/** Read-only on every level, and with the known fields only: an unknown one is there, but no code can ask for it. */
type Frozen<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : { readonly [Key in keyof Value as string extends Key ? never : Key]: Frozen<Value[Key]> };

export type StateDocument = Frozen<z.output<typeof stateSchema>>;

/** Bytes. The outputs of commands are cut long before. */
export const largestState = 2_000_000;
/** Also the number of problems that the schema can find, each of which takes time. */
const mostStateValues = 50_000;

const refused = (problems: readonly JsonProblem[]) => ({ problems: limitProblems(problems) });

type ReadState = { readonly state: StateDocument } | { readonly problems: JsonProblem[] };

/** A document is read when it is written and again by the next stage. A text means the same each time. */
let lastRead: { readonly text: string; readonly state: StateDocument } | null = null;

/** Reads and checks the text; names all problems at once. Never throws. */
export function readState(text: string): ReadState {
  if (lastRead?.text === text) return { state: lastRead.state };
  const read = readAnew(text);
  if ('state' in read) lastRead = { text, state: read.state };
  return read;
}

function readAnew(text: string): ReadState {
  // The length first: counting the bytes of 50 MB takes longer than reading a document.
  if (text.length > largestState || Buffer.byteLength(text, 'utf8') > largestState)
    return refused([{ path: '', message: `is larger than ${largestState} bytes` }]);
  const read = readJsonTree(text, mostStateValues);
  if ('problems' in read) return refused(read.problems);
  const migrated = migrateState(jsonValueOf(read.tree.root));
  if ('problems' in migrated) return refused(migrated.problems);
  const unkept = findUnkept(read.tree.root);
  const parsed = stateSchema.safeParse(migrated.value);
  const formal = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: showPath(path), message }));
  const places = new Set(unkept.map(({ path }) => path));
  const problems = [...unkept, ...formal.filter(({ path }) => !places.has(path))];
  if (problems.length > 0) return refused(problems);
  // Not what the schema returns: that has the keys in another order, and the file would change where nothing has changed.
  return { state: migrated.value as unknown as StateDocument };
}

/** The text of the file. Throws when the state is none that could be read again. */
export function writeState(state: StateDocument): string {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  const read = readState(text);
  if ('state' in read) return text;
  throw new GatewrightError('issue-state-invalid', 'The state makes no valid issue-state.json.', {
    details: read.problems.map(({ path, message }) => `${path} ${message}`.trim()),
  });
}
