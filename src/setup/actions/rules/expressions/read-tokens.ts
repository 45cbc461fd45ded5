/** Cuts an expression into tokens, as GitHub does. */

export type Token =
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'value'; readonly value: string | number | boolean | null };

/** What is wrong with an expression, in a few words. */
export class ExpressionFault extends Error {}

const signs = ['==', '!=', '<=', '>=', '&&', '||', '(', ')', '[', ']', ',', '!', '<', '>', '*'];
const boundary = /[()[\],.!<>=&|\s]/u;
const blank = /[ \r\t\n]/u;
const legalName = /^[A-Za-z_][A-Za-z0-9_-]*$/u;
const words = new Map<string, boolean | number | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
]);

function readWhile(text: string, from: number, isPart: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && isPart(text[at] ?? '')) at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== "'") continue;
    if (text[at + 1] !== "'") return at + 1;
    at += 1;
  }
  throw new ExpressionFault('a text has no closing quote');
}

/** A dot after one of these goes on to a property; elsewhere it begins a number. */
function goesOn(before: Token | undefined): boolean {
  if (before === undefined || before.kind === 'value') return false;
  return before.kind === 'name' || [')', ']', '*'].includes(before.text);
}

/** A number or a name that begins there, with where it ends. */
function readWord(text: string, from: number, before: Token | undefined): [Token, number] {
  if (/[-+.0-9]/u.test(text[from] ?? '')) {
    const end = readWhile(text, from + 1, (one) => one === '.' || !boundary.test(one));
    const value = Number(text.slice(from, end));
    if (Number.isNaN(value)) throw new ExpressionFault(`"${text.slice(from, end)}" is no number`);
    return [{ kind: 'value', value }, end];
  }
  const end = readWhile(text, from + 1, (one) => !boundary.test(one));
  const word = text.slice(from, end);
  if (!legalName.test(word)) throw new ExpressionFault(`"${word}" is not allowed here`);
  const isProperty = before?.kind === 'sign' && before.text === '.';
  const value = isProperty ? undefined : words.get(word);
  return [value === undefined ? { kind: 'name', text: word } : { kind: 'value', value }, end];
}

export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    if (blank.test(character)) {
      at += 1;
      continue;
    }
    const isDot = character === '.' && goesOn(tokens.at(-1));
    const sign = isDot ? '.' : signs.find((one) => text.startsWith(one, at));
    if (sign !== undefined) {
      tokens.push({ kind: 'sign', text: sign });
      at += sign.length;
    } else if (character === "'") {
      const end = endOfString(text, at);
      tokens.push({ kind: 'value', value: text.slice(at + 1, end - 1).replaceAll("''", "'") });
      at = end;
    } else {
      const [token, end] = readWord(text, at, tokens.at(-1));
      tokens.push(token);
      at = end;
    }
  }
  return tokens;
}
