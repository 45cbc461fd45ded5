/**
 * JSON text as a tree that keeps every byte: what stands between the values is in the tree too, so that writing the tree
 * gives the text back. It reads exactly what `JSON.parse` reads (and a byte order mark before it), but refuses a key that
 * stands twice in one object: readers do not agree on which of the two counts.
 */

import type { Json } from '../../../../domain/ledger/hash.ts';

export type JsonPath = readonly (string | number)[];

interface JsonScalar {
  readonly kind: 'scalar';
  raw: string;
}

export interface JsonItem {
  /** White space before the item, and between it and the comma or bracket behind it. */
  before: string;
  after: string;
  value: JsonNode;
}

export interface JsonMember extends JsonItem {
  readonly key: string;
  readonly rawKey: string;
  /** The colon with the white space around it. */
  readonly colon: string;
}

interface JsonArray {
  readonly kind: 'array';
  readonly items: JsonItem[];
  /** White space inside the brackets while nothing else is there. */
  empty: string;
}

interface JsonObject {
  readonly kind: 'object';
  readonly items: JsonMember[];
  empty: string;
}

export type JsonNode = JsonScalar | JsonArray | JsonObject;

export interface JsonTree {
  readonly before: string;
  root: JsonNode;
  readonly after: string;
}

export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

/** More are not named. */
const mostTwice = 200;

/** Deeper JSON is never written by a person, and reading it would end the stack. */
const deepest = 100;

const space = /[ \t\n\r]*/uy;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
// Unrolled, so that a long text takes one step for each run of plain characters and there is one way only to match it.
const quoted = /"[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001F]*)*"/y;

/** `userStories[2].title`; a key that is no plain name stands in quotes: `["a key"]`. */
export function showPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const name = String(step).slice(0, 100);
      if (!/^[A-Za-z_$][\w$-]*$/u.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

class SyntaxProblem extends Error {}

class Reader {
  readonly twice: JsonProblem[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
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

/** Reads a text. The problems are the first error in its form, or all keys that stand twice. */
export function readJsonTree(text: string): { tree: JsonTree } | { problems: JsonProblem[] } {
  const reader = new Reader(text);
  try {
    const tree = reader.read();
    return reader.twice.length > 0 ? { problems: reader.twice } : { tree };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { problems: [{ path: '', message: error.message }] };
  }
}

/**
 * The value of a tree, so that what is checked is what is edited. Not by `JSON.parse` of the whole text: after it has read
 * an object with the key "\\", V8 13.6 takes an escaped key of the next object for that one.
 */
export function jsonValueOf(node: JsonNode): Json {
  if (node.kind === 'scalar') return JSON.parse(node.raw) as Json;
  if (node.kind === 'array') return node.items.map(({ value }) => jsonValueOf(value));
  const made: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    // Defined, not assigned: `__proto__` is a key like any other.
    const field = { value: jsonValueOf(value), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(made, key, field);
  }
  return made;
}

function writeItem(item: JsonItem | JsonMember, into: string[]): void {
  into.push(item.before);
  if ('rawKey' in item) into.push(item.rawKey, item.colon);
  writeNode(item.value, into);
  into.push(item.after);
}

function writeNode(node: JsonNode, into: string[]): void {
  if (node.kind === 'scalar') {
    into.push(node.raw);
    return;
  }
  const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}'];
  into.push(open);
  if (node.items.length === 0) into.push(node.empty);
  node.items.forEach((item, index) => {
    if (index > 0) into.push(',');
    writeItem(item, into);
  });
  into.push(close);
}

export function writeJsonNode(node: JsonNode): string {
  const parts: string[] = [];
  writeNode(node, parts);
  return parts.join('');
}

export function writeJsonTree(tree: JsonTree): string {
  return `${tree.before}${writeJsonNode(tree.root)}${tree.after}`;
}
