/**
 * Expressions of workflow files, read and evaluated by GitHub's own library. Contexts and functions that GitHub does not
 * have are errors, as they are there; a property that a context does not have is null, as it is there.
 */

interface Data {
  coerceString(): string;
}
interface Token {
  readonly type: number;
  readonly lexeme: string;
}
interface FunctionInfo {
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
}
interface FunctionDefinition extends FunctionInfo {
  readonly call: (...args: readonly Data[]) => Data;
}
interface Library {
  readonly Lexer: new (text: string) => { lex(): { readonly tokens: readonly Token[] } };
  readonly Parser: new (
    tokens: readonly Token[],
    contexts: readonly string[],
    functions: readonly FunctionInfo[],
  ) => { parse(): object };
  readonly Evaluator: new (
    tree: object,
    contexts: Data,
    functions: ReadonlyMap<string, FunctionDefinition>,
  ) => { evaluate(): Data };
  readonly data: {
    readonly reviver: (key: string, value: unknown) => unknown;
    readonly replacer: (key: string, value: unknown) => unknown;
  };
}

// Loaded by their names: types of such a library bring in more than is asked of it here.
const [libraryName, resultName] = ['@actions/expressions', '@actions/expressions/result'];
const { Lexer, Parser, Evaluator, data }: Library = await import(libraryName);
const { truthy }: { readonly truthy: (value: Data) => boolean } = await import(resultName);

type Contexts = Readonly<Record<string, unknown>>;

/** How the steps or jobs before stand; null where no such function may be called. */
export interface Status {
  readonly isSuccess: boolean;
  readonly isFailure: boolean;
  readonly isCancelled: boolean;
}

export interface Scope {
  readonly contexts: Contexts;
  readonly status: Status | null;
  /** Null where no files are at hand. */
  readonly hashFiles: ((patterns: readonly string[]) => string) | null;
}

const toData = (value: unknown): Data => JSON.parse(JSON.stringify(value ?? null), data.reviver) as Data;
const toPlain = (value: Data): unknown => JSON.parse(JSON.stringify(value, data.replacer)) as unknown;

function listFunctions({ status, hashFiles }: Scope): FunctionDefinition[] {
  const asked = (name: string, is: boolean): FunctionDefinition => ({
    ...{ name, minArgs: 0, maxArgs: 0, call: () => toData(is) },
  });
  return [
    ...(status === null
      ? []
      : [
          asked('success', status.isSuccess && !status.isCancelled),
          asked('failure', status.isFailure && !status.isCancelled),
          asked('cancelled', status.isCancelled),
          asked('always', true),
        ]),
    ...(hashFiles === null
      ? []
      : [
          {
            ...{ name: 'hashFiles', minArgs: 1, maxArgs: 255 },
            call: (...patterns: readonly Data[]) =>
              toData(hashFiles(patterns.map((one) => one.coerceString()))),
          },
        ]),
  ];
}

function evaluateData(text: string, scope: Scope): Data {
  const functions = listFunctions(scope);
  try {
    const { tokens } = new Lexer(text).lex();
    const tree = new Parser(tokens, Object.keys(scope.contexts), functions).parse();
    const named = new Map(functions.map((one) => [one.name.toLowerCase(), one]));
    return new Evaluator(tree, toData(scope.contexts), named).evaluate();
  } catch (error) {
    throw new Error(`The expression "${text}" cannot be evaluated: ${(error as Error).message}`);
  }
}

/** Text and expressions in turn, beginning with text. */
function splitTemplate(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('${{', at);
    if (start === -1) return [...parts, text.slice(at)];
    let end = start + 3;
    let isQuoted = false;
    for (; end < text.length && (isQuoted || !text.startsWith('}}', end)); end += 1)
      if (text[end] === "'") isQuoted = !isQuoted;
    if (end >= text.length) throw new Error(`The expression in "${text}" has no end.`);
    parts.push(text.slice(at, start), text.slice(start + 3, end));
    at = end + 2;
  }
}

function toTemplateData(text: string, scope: Scope): Data {
  const parts = splitTemplate(text);
  const [before = '', expression = '', after] = parts;
  if (parts.length === 3 && before === '' && after === '') return evaluateData(expression, scope);
  return toData(
    parts.map((part, index) => (index % 2 === 0 ? part : evaluateData(part, scope).coerceString())).join(''),
  );
}

/** An expression without its braces. */
export const evaluate = (text: string, scope: Scope): unknown => toPlain(evaluateData(text, scope));

/** A value of a workflow file, which may be one expression and is then of any type. */
export const fillValue = (value: unknown, scope: Scope): unknown =>
  typeof value === 'string' ? toPlain(toTemplateData(value, scope)) : value;

/** A value of a workflow file where GitHub wants text. */
export const fillText = (value: unknown, scope: Scope): string =>
  (typeof value === 'string' ? toTemplateData(value, scope) : toData(value)).coerceString();

export function fillTexts(
  values: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([key, value]) => [key, fillText(value, scope)]),
  );
}

const statusWords = new Set(['success', 'failure', 'cancelled', 'always']);

function asksForStatus(expression: string): boolean {
  const { tokens } = new Lexer(expression).lex();
  return tokens.some(
    ({ lexeme }, index) => statusWords.has(lexeme.toLowerCase()) && tokens[index + 1]?.lexeme === '(',
  );
}

/** Whether an `if` holds. One that does not ask how things stand is only asked after success. */
export function holds(condition: string | boolean | undefined, scope: Scope): boolean {
  const text = String(condition ?? 'success()');
  const parts = splitTemplate(text);
  const expressions = parts.length === 1 ? [text] : parts.filter((_, index) => index % 2 === 1);
  const isAsked = expressions.some((one) => one.trim() !== '' && asksForStatus(one));
  if (!isAsked && scope.status !== null && !(scope.status.isSuccess && !scope.status.isCancelled))
    return false;
  if (text.trim() === '') return true;
  return truthy(parts.length === 1 ? evaluateData(text, scope) : toTemplateData(text.trim(), scope));
}
