/** A text with `${{ … }}` in it, cut into its parts. */
import type { Place, YamlScalar } from '../yaml/yaml-tree.ts';
import type { Expression } from './expression.ts';
import { readExpression } from './read-expression.ts';

const [opening, closing] = ['$' + '{{', '}}'] as const;

export interface Embedded {
  readonly expression: Expression;
  readonly source: string;
  readonly at: Place;
}

export interface Template {
  /** Texts and expressions in their order. */
  readonly parts: readonly (string | Embedded)[];
  readonly embedded: readonly Embedded[];
  readonly problems: readonly { readonly detail: string; readonly at: Place }[];
}

/** Where the `}}` of an expression ends; a quoted text may contain one. -1 if there is none. */
function endOf(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith(closing, at)) return at + closing.length;
  }
  return -1;
}

export function readTemplate(scalar: YamlScalar): Template {
  const { text } = scalar;
  const parts: (string | Embedded)[] = [];
  const problems: { detail: string; at: Place }[] = [];
  let from = 0;
  let seen = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, from)) {
    const at = scalar.openings[seen] ?? scalar.at;
    const end = endOf(text, start + opening.length);
    if (end === -1) {
      problems.push({ detail: 'it is not closed', at });
      break;
    }
    if (start > from) parts.push(text.slice(from, start));
    const inner = text.slice(start + opening.length, end - closing.length);
    const expression = readExpression(inner);
    if (typeof expression === 'string') {
      problems.push({ detail: expression, at });
      parts.push(text.slice(start, end));
    } else parts.push({ expression, source: inner.trim(), at });
    // One may be quoted inside the expression; it has a place of its own.
    seen += text.slice(start, end).split(opening).length - 1;
    from = end;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { parts, embedded: parts.filter((part) => typeof part !== 'string'), problems };
}
