/**
 * Reads JSON text as a tree: exactly what `JSON.parse` reads (and a byte order mark before it), except a key that stands
 * twice in one object, since readers do not agree on which of the two counts.
 */
import {
  type JsonArray,
  type JsonItem,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  type JsonProblem,
  type JsonTree,
  showPath,
} from './json-tree.ts';

/** More are not named. */
const mostTwice = 200;

/** Deeper JSON is never written by a person, and reading it would end the stack. */
const deepest = 100;

const space = /[ \t\n\r]*/uy;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
// Unrolled, so that a long text takes one step for each run of plain characters and there is one way only to match it.
const quoted = /"[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001F]*)*"/y;

class SyntaxProblem extends Error {}

class Reader {
  readonly twice: JsonProblem[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  readonly #mostValues: number;
  #at = 0;
  #values = 0;

  constructor(text: string, mostValues: number) {
    this.#text = text;
    this.#mostValues = mostValues;
  }

  #take(form: RegExp): string | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #space(): string {
    return this.#take(space) ?? '';
  }

  #fail(expected: string): never {
    const lines = this.#text.slice(0, this.#at).split('\n');
    const found = this.#text[this.#at];
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    throw new SyntaxProblem(
      `is not JSON: ${place}: ${expected} expected, found ${found === undefined ? 'the end' : JSON.stringify(found)}`,
    );
  }

  #sign(sign: string): void {
    if (this.#text[this.#at] !== sign) this.#fail(JSON.stringify(sign));
    this.#at += 1;
  }

  #value(depth: number): JsonNode {
    if (depth > deepest) throw new SyntaxProblem(`has more than ${deepest} levels`);
    this.#values += 1;
    if (this.#values > this.#mostValues)
      throw new SyntaxProblem(`holds more than ${this.#mostValues} values`);
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    const raw = this.#take(first === '"' ? quoted : scalar);
    if (raw === null) this.#fail('a value');
    return { kind: 'scalar', raw };
  }

  /** Everything between two brackets; `one` reads what stands there between two commas. */
  #list<Item extends JsonItem>(close: string, items: Item[], one: (before: string) => Item): string {
    this.#at += 1;
    let before = this.#space();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return before;
    }
    for (;;) {
      const item = one(before);
      item.after = this.#space();
      items.push(item);
      if (this.#text[this.#at] === close) break;
      if (this.#text[this.#at] !== ',') this.#fail(`"," or ${JSON.stringify(close)}`);
      this.#at += 1;
      before = this.#space();
    }
    this.#at += 1;
    return '';
  }

  #array(depth: number): JsonArray {
    const items: JsonItem[] = [];
    const empty = this.#list(']', items, (before) => {
      this.#path.push(items.length);
      const value = this.#value(depth + 1);
      this.#path.pop();
      return { before, value, after: '' };
    });
    return { kind: 'array', items, empty };
  }

  #object(depth: number): JsonObject {
    const items: JsonMember[] = [];
    const keys = new Set<string>();
    const empty = this.#list('}', items, (before) => {
      const rawKey = this.#take(quoted);
      if (rawKey === null) this.#fail('a key in double quotes');
      const key = JSON.parse(rawKey) as string;
      this.#path.push(key);
      if (keys.has(key) && this.twice.length < mostTwice)
        this.twice.push({ path: showPath(this.#path), message: 'stands there twice' });
      keys.add(key);
      const left = this.#space();
      this.#sign(':');
      const colon = `${left}:${this.#space()}`;
      const value = this.#value(depth + 1);
      this.#path.pop();
      return { before, rawKey, key, colon, value, after: '' };
    });
    return { kind: 'object', items, empty };
  }

  read(): JsonTree {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    const mark = this.#text.slice(0, this.#at);
    const before = `${mark}${this.#space()}`;
    const root = this.#value(0);
    const after = this.#space();
    if (this.#at < this.#text.length) this.#fail('the end');
    return { before, root, after };
  }
}

/**
 * Reads a text. The problems are the first error in its form, or all keys that stand twice. Each value takes a hundred
 * times the room of its two bytes, so that a reader of long texts says how many there may be.
 */
export function readJsonTree(
  text: string,
  mostValues = Number.POSITIVE_INFINITY,
): { tree: JsonTree } | { problems: JsonProblem[] } {
  const reader = new Reader(text, mostValues);
  try {
    const tree = reader.read();
    return reader.twice.length > 0 ? { problems: reader.twice } : { tree };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { problems: [{ path: '', message: error.message }] };
  }
}
