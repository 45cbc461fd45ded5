/**
 * JSON that remembers where everything stands, so that a message can name the line. It takes what `JSON.parse` takes,
 * except that a key may be there only once: of two, a reader sees the first and a program uses the last.
 */

import { escapeForLine } from '../domain/text/untrusted-text.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

interface JsonProblem extends Place {
  readonly message: string;
}

export interface ParsedJson {
  /** Undefined when the text is no JSON. */
  readonly value: unknown;
  readonly problems: readonly JsonProblem[];
  /** Where a value (or its key, in an object) begins; of the nearest one around it when it is not there. */
  placeOf(path: readonly PropertyKey[]): Place;
}

class NotJson extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const deepest = 50;
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

class JsonReader {
  readonly offsets = new Map<string, number>();
  readonly doubles: { readonly key: string; readonly offset: number }[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const value = this.#readValue([]);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('there is more text after the end');
    return value;
  }

  #fail(message: string): never {
    throw new NotJson(message, this.#at);
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/u.test(this.#text.charAt(this.#at))) this.#at += 1;
    if (this.#text.startsWith('//', this.#at) || this.#text.startsWith('/*', this.#at))
      this.#fail('JSON has no comments');
  }

  #expect(character: string, where: string): void {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== character) this.#fail(`expected ${character} ${where}`);
    this.#at += 1;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #readValue(path: readonly string[]): unknown {
    this.#skipSpace();
    if (path.length > deepest) this.#fail('too deeply nested');
    if (!this.offsets.has(pathKey(path))) this.offsets.set(pathKey(path), this.#at);
    const character = this.#text.charAt(this.#at);
    if (character === '{') return this.#readObject(path);
    if (character === '[') return this.#readList(path);
    if (character === '"') return this.#readText();
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy);
    if (number !== null) return Number(number);
    const word = this.#take(/true|false|null/uy);
    if (word !== null) return literals[word];
    return this.#fail(character === '' ? 'the text ends too early' : 'expected a value');
  }

  #readText(): string {
    const start = this.#at;
    const text = this.#take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy);
    if (text === null) {
      this.#at = start;
      this.#fail('a text is not closed, or holds a character that has to be escaped');
    }
    return JSON.parse(text) as string;
  }

  /** Own properties only: `__proto__` is a key like any other. */
  #readObject(path: readonly string[]): object {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    this.#skipSpace();
    if (this.#text.charAt(this.#at) === '}') {
      this.#at += 1;
      return object;
    }
    for (;;) {
      this.#skipSpace();
      const start = this.#at;
      if (this.#text.charAt(start) !== '"') this.#fail('expected a key in double quotes');
      const key = this.#readText();
      const place = pathKey([...path, key]);
      if (Object.hasOwn(object, key)) this.doubles.push({ key, offset: start });
      else this.offsets.set(place, start);
      this.#expect(':', 'after a key');
      const value = this.#readValue([...path, key]);
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      if (this.#isAtEnd('}')) return object;
    }
  }

  #readList(path: readonly string[]): unknown[] {
    const list: unknown[] = [];
    this.#at += 1;
    this.#skipSpace();
    if (this.#text.charAt(this.#at) === ']') {
      this.#at += 1;
      return list;
    }
    for (;;) {
      list.push(this.#readValue([...path, String(list.length)]));
      if (this.#isAtEnd(']')) return list;
    }
  }

  #isAtEnd(closing: string): boolean {
    this.#skipSpace();
    const character = this.#text.charAt(this.#at);
    if (character !== closing && character !== ',')
      this.#fail(character === '' ? 'the text ends too early' : `expected , or ${closing}`);
    this.#at += 1;
    return character === closing;
  }
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export function parseJson(given: string): ParsedJson {
  // Some editors on Windows begin a file with this mark.
  const text = given.replace(/^\uFEFF/u, '');
  const reader = new JsonReader(text);
  const placeOf = (path: readonly PropertyKey[]): Place => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = reader.offsets.get(pathKey(path.slice(0, length)));
      if (offset !== undefined) return placeAt(text, offset);
    }
    return placeAt(text, reader.offsets.get(pathKey([])) ?? 0);
  };
  try {
    const value = reader.read();
    const problems = reader.doubles.map(({ key, offset }) => ({
      ...placeAt(text, offset),
      message: `the key "${escapeForLine(key, 100)}" is there twice`,
    }));
    return { value, problems, placeOf };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const problem = { ...placeAt(text, error.offset), message: `this is not JSON: ${error.message}` };
    return { value: undefined, problems: [problem], placeOf };
  }
}
