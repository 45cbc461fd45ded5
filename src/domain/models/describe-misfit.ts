/** Why an answer of a model does not have the form that was asked for: every field that is wrong, by its path. */
import { escapeForLine } from '../text/untrusted-text.ts';

const most = 30;
const longest = 200;
/** Errors that wrap each other; a chain of more of them is not one of ours. */
const deepest = 5;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function pathOf(path: readonly PropertyKey[]): string {
  const parts = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return parts.join('').replace(/^\./u, '');
}

function issuesOf(error: unknown): readonly Issue[] {
  let at = error;
  for (let depth = 0; depth < deepest && typeof at === 'object' && at !== null; depth += 1) {
    if ('issues' in at && Array.isArray(at.issues)) return at.issues as Issue[];
    at = 'cause' in at ? at.cause : null;
  }
  return [];
}

/** @param error what the schema says, or an error that it caused; empty when it names no field */
export function listMisfits(error: unknown): string[] {
  const lines = issuesOf(error).map(({ path, message }) => {
    const where = pathOf(path);
    if (where === '' && /received undefined$/u.test(message)) return 'the whole answer is missing';
    return escapeForLine(`${where === '' ? 'the whole answer' : where}: ${message}`, longest);
  });
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

/** In one sentence, with as many fields as fit into a line. */
export function describeMisfit(error: unknown): string {
  const misfits = listMisfits(error);
  const first = misfits.slice(0, 3).join('; ');
  const more = misfits.length > 3 ? `; and ${misfits.length - 3} more` : '';
  return `the answer does not fit the schema${first === '' ? '' : `: ${first}${more}`}`;
}
