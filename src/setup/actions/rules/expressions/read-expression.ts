/** Reads an expression of GitHub's workflow files into a tree, within GitHub's own limits of length and depth. */
import type { CompareOperator, Expression } from './expression.ts';
import { ExpressionFault, readTokens, type Token } from './read-tokens.ts';

const longest = 21_000;
const deepest = 50;

/** How many arguments each function takes. Other functions may come with a new runner; they take any number. */
const functions = new Map<string, readonly [least: number, most: number]>([
  ['case', [3, Number.POSITIVE_INFINITY]],
  ['contains', [2, 2]],
  ['endswith', [2, 2]],
  ['format', [1, 255]],
  ['fromjson', [1, 1]],
  ['join', [1, 2]],
  ['startswith', [2, 2]],
  ['tojson', [1, 1]],
  ['success', [0, 0]],
  ['failure', [0, 0]],
  ['always', [0, 0]],
  ['cancelled', [0, 0]],
  ['hashfiles', [1, 255]],
]);

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  #isSign(...texts: readonly string[]): boolean {
    const next = this.#next;
    return next?.kind === 'sign' && texts.includes(next.text);
  }

  #take(...texts: readonly string[]): string | null {
    const next = this.#next;
    if (next?.kind !== 'sign' || !texts.includes(next.text)) return null;
    this.#at += 1;
    return next.text;
  }

  #expect(sign: string): void {
    if (this.#take(sign) === null) throw this.unexpected();
  }

  unexpected(): ExpressionFault {
    const next = this.#next;
    if (next === undefined) return new ExpressionFault('it ends too early');
    return new ExpressionFault(`"${next.kind === 'value' ? next.value : next.text}" is not expected here`);
  }

  #deeper<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new ExpressionFault('it is nested too deeply');
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  read(): Expression {
    return this.#deeper(() =>
      this.#logical('or', '||', () => this.#logical('and', '&&', () => this.#equality())),
    );
  }

  #logical(kind: 'and' | 'or', sign: string, readOperand: () => Expression): Expression {
    const first = readOperand();
    if (!this.#isSign(sign)) return first;
    return this.#deeper(() => {
      const operands = [first];
      while (this.#take(sign) !== null) operands.push(readOperand());
      return { kind, operands };
    });
  }

  #compare(signs: readonly CompareOperator[], readOperand: () => Expression): Expression {
    let left = readOperand();
    for (let sign = this.#take(...signs); sign !== null; sign = this.#take(...signs))
      left = { kind: 'compare', operator: sign as CompareOperator, left, right: readOperand() };
    return left;
  }

  #equality(): Expression {
    return this.#compare(['==', '!='], () => this.#compare(['<', '<=', '>', '>='], () => this.#unary()));
  }

  #unary(): Expression {
    if (this.#take('!') === null) return this.#indexed();
    return this.#deeper(() => ({ kind: 'not', operand: this.#unary() }));
  }

  #indexed(): Expression {
    const isGroup = this.#isSign('(');
    let base = this.#primary();
    if (!isGroup && base.kind !== 'call' && base.kind !== 'context') return base;
    let levels = 0;
    const before = this.#depth;
    for (let sign = this.#take('[', '.'); sign !== null; sign = this.#take('[', '.')) {
      base = { kind: 'index', base, key: sign === '[' ? this.#bracketKey() : this.#dottedKey() };
      levels += 1;
      this.#depth = before + levels;
      if (this.#depth > deepest) throw new ExpressionFault('it is nested too deeply');
    }
    this.#depth = before;
    return base;
  }

  #bracketKey(): Expression | null {
    const key = this.#take('*') === null ? this.read() : null;
    this.#expect(']');
    return key;
  }

  #dottedKey(): Expression | null {
    if (this.#take('*') !== null) return null;
    const next = this.#next;
    if (next?.kind !== 'name') throw this.unexpected();
    this.#at += 1;
    return { kind: 'literal', value: next.text };
  }

  #primary(): Expression {
    const next = this.#next;
    if (this.#take('(') !== null) {
      const inner = this.read();
      this.#expect(')');
      return inner;
    }
    if (next === undefined || next.kind === 'sign') throw this.unexpected();
    this.#at += 1;
    if (next.kind === 'value') return { kind: 'literal', value: next.value };
    const name = next.text.toLowerCase();
    return this.#take('(') === null
      ? { kind: 'context', name }
      : { kind: 'call', name, args: this.#args(name) };
  }

  #args(name: string): Expression[] {
    const args: Expression[] = [];
    while (this.#take(')') === null) {
      args.push(this.read());
      if (!this.#isSign(')')) this.#expect(',');
    }
    const [least, most] = functions.get(name) ?? [0, Number.POSITIVE_INFINITY];
    if (args.length < least || args.length > most || (name === 'case' && args.length % 2 === 0))
      throw new ExpressionFault(`${name} does not take ${args.length} arguments`);
    return args;
  }
}

/** The tree; or a text that says what is wrong. Nothing is thrown. */
export function readExpression(text: string): Expression | string {
  if (text.length > longest) return 'it is too long';
  try {
    const reader = new Reader(readTokens(text));
    if (reader.isAtEnd) return 'it is empty';
    const expression = reader.read();
    return reader.isAtEnd ? expression : reader.unexpected().message;
  } catch (error) {
    if (error instanceof ExpressionFault) return error.message;
    throw error;
  }
}
