/**
 * A part of a file that people write: what stands between two lines of ours. Everything around it is theirs and stays as
 * it is. The first line holds a hash of the part, so that a change by hand is seen.
 */
import { sha256 } from '../../../../domain/ledger/hash.ts';
import { withPlainLines } from './stamp.ts';

/** How a comment begins and ends in that kind of file. */
export interface CommentForm {
  readonly open: string;
  readonly close: string;
}

export const markdownComment: CommentForm = { open: '<!-- ', close: ' -->' };
export const lineComment: CommentForm = { open: '# ', close: '' };

export type SectionPlan =
  | { readonly state: 'there' }
  | { readonly state: 'changes' | 'edited'; readonly text: string }
  /** The lines of ours do not stand as they have to, once each and in their order. */
  | { readonly state: 'unclear' };

const beginning = 'gatewright:begin';
const hash = /^sha256:([0-9a-f]{64})$/u;

function beginLine({ open, close }: CommentForm, content: string): string {
  return `${open}${beginning} sha256:${sha256(content)}${close}`;
}

const endLine = ({ open, close }: CommentForm): string => `${open}gatewright:end${close}`;

function render(form: CommentForm, content: string): string {
  return `${beginLine(form, content)}\n${content}${endLine(form)}\n`;
}

/** What stands in a line of ours where it begins a section; null for every other line. */
function readBeginning({ open, close }: CommentForm, line: string): string | null {
  if (!line.startsWith(`${open}${beginning} `) || !line.endsWith(close)) return null;
  const [, found] =
    hash.exec(line.slice(open.length + beginning.length + 1, line.length - close.length)) ?? [];
  return found ?? '';
}

/**
 * @param before null where there is no such file
 * @param content ends with a line break
 */
export function planSection(before: string | null, content: string, form: CommentForm): SectionPlan {
  const section = render(form, content);
  if (before === null || before.trim() === '') return { state: 'changes', text: section };
  const lines = before.split(/(?<=\n)/u);
  const plain = lines.map((line) => line.replace(/\r?\n$/u, ''));
  const begins = plain.flatMap((line, at) => (readBeginning(form, line) === null ? [] : [at]));
  const ends = plain.flatMap((line, at) => (line === endLine(form) ? [at] : []));
  if (begins.length === 0 && ends.length === 0) {
    const gap = before.endsWith('\n') ? '\n' : '\n\n';
    return { state: 'changes', text: `${before}${gap}${section}` };
  }
  const [begin = -1, end = -1] = [begins[0], ends[0]];
  if (begins.length !== 1 || ends.length !== 1 || begin > end) return { state: 'unclear' };
  const there = withPlainLines(lines.slice(begin + 1, end).join(''));
  const text = [...lines.slice(0, begin), section, ...lines.slice(end + 1)].join('');
  if (withPlainLines(text) === withPlainLines(before)) return { state: 'there' };
  const isAsGenerated = sha256(there) === readBeginning(form, plain[begin] ?? '');
  return { state: isAsGenerated ? 'changes' : 'edited', text };
}
