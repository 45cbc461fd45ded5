/** Looks for keys and passwords in what a change adds, by the forms that providers give them. What was found is never repeated. */
import { type SecretForm, secretForms } from './secret-forms.ts';

export interface FoundSecret {
  readonly path: string;
  /** Null where there are no lines: in what is not text, in the name of a file and in what a link leads to. */
  readonly line: number | null;
  readonly kind: string;
}

/** Enough to find the places; a file with more secrets must not be in the change at all. */
const most = 20;

const searches: readonly (readonly [SecretForm, RegExp])[] = secretForms.map(
  (form) => [form, new RegExp(form.form.source, `${form.form.flags}g`)] as const,
);

interface Match {
  readonly kind: string;
  readonly index: number;
  readonly text: string;
}

/** `ghp_xxxxxxxx`, as documentation writes it: a prefix and nothing else, since anything may be hung onto a real key. */
function isPlaceholder(text: string): boolean {
  return /^(?:[A-Za-z0-9]{1,8}[^A-Za-z0-9]){1,3}x{12,}$/iu.test(text);
}

function* search(text: string): Generator<Match> {
  for (const [{ kind, isReal }, form] of searches)
    for (const match of text.matchAll(form)) {
      if (isPlaceholder(match[0]) || isReal?.(match) === false) continue;
      yield { kind, index: match.index, text: match[0] };
    }
}

/** Text of two or four bytes a character is the same text with zeros in between. */
function withoutZeros(text: string): string {
  return text.replaceAll('\0', '');
}

/** Counts lines on the way: the places asked for go up. */
function makeLineCounter(text: string): (index: number) => number {
  let [line, at] = [1, 0];
  return (index) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < index; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

/**
 * Secrets in the content of a file that its content before did not have. Both are given one character for each byte, or
 * decoded: all forms are ASCII. The whole file is searched, no matter of which kind it is.
 */
export function findNewSecrets(path: string, after: string, before: string | null): FoundSecret[] {
  const isText = !after.includes('\0');
  const found = (isText ? [after] : [after, withoutZeros(after)]).flatMap((text) => [...search(text)]);
  if (found.length === 0) return [];
  const old = before === null ? '' : `${before}\n${withoutZeros(before)}`;
  const known = new Set([...search(old)].map(({ text }) => text));
  const lineOf = makeLineCounter(after);
  const places = new Map<number | string, FoundSecret>();
  for (const { kind, index, text } of found.sort((one, other) => one.index - other.index)) {
    if (known.has(text)) continue;
    const line = isText ? lineOf(index) : null;
    // One finding for a line is enough, even if the line fits several forms.
    const place = line ?? kind;
    if (!places.has(place)) places.set(place, { path, line, kind });
    if (places.size === most) break;
  }
  return [...places.values()];
}

/** Secrets in a name or in what a link leads to. */
export function findSecretKind(text: string): string | null {
  for (const { kind } of search(text)) return kind;
  return null;
}

/** The text with every secret in it replaced by the same word, so that equal texts stay equal. */
export function hideSecrets(text: string): string {
  let hidden = text;
  for (const { text: secret } of search(text)) hidden = hidden.replaceAll(secret, '[hidden]');
  return hidden;
}
