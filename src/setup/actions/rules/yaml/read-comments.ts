/**
 * A first look at the tokens of a YAML file: its comments (real ones, not lines of a script that look like one), and
 * whether it is nested so deeply that the parser, which calls itself for each level, would take long or fail.
 */
import { Lexer } from 'yaml';
import type { Place } from './yaml-tree.ts';

export interface Comment {
  readonly at: Place;
  /** Without `#` and blanks around it. */
  readonly text: string;
  /** Nothing else stands on its line. */
  readonly standsAlone: boolean;
}

/** The lexer puts these between pieces of the file; they are no part of it. */
const scalarFollows = '\u001F';
const marks = new Set(['\u0002', '\u0018', scalarFollows]);

/** `[`, `{` and, on one line, `-`, `?` and `:` begin a level; between brackets they follow each other. */
class LevelCount {
  #brackets = 0;
  #onLine = 0;
  most = 0;

  add(token: string): void {
    if (token === '[' || token === '{') this.#brackets += 1;
    else if (token === ']' || token === '}') this.#brackets -= 1;
    else if (token === '-' || token === '?' || token === ':') this.#onLine += this.#brackets > 0 ? 0 : 1;
    else if (token.includes('\n')) this.#onLine = 0;
    this.most = Math.max(this.most, this.#brackets, this.#onLine);
  }
}

export function readComments(
  text: string,
  placeOf: (offset: number) => Place,
): { readonly comments: readonly Comment[]; readonly levels: number } {
  const comments: Comment[] = [];
  const levels = new LevelCount();
  // The lexer takes a byte order mark for a token as long as it is.
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (marks.has(token)) {
      isScalar = token === scalarFollows;
      continue;
    }
    if (token.startsWith('#') && !isScalar) {
      const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
      comments.push({
        at: placeOf(offset),
        text: token.slice(1).trim(),
        standsAlone: before.trim() === '',
      });
    }
    if (!isScalar) levels.add(token);
    isScalar = false;
    offset += token.length;
  }
  return { comments, levels: levels.most };
}
