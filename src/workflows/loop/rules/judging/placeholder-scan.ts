/** Code that only looks finished: the words and forms by which it gives itself away, in added lines. */
import type { AddedLine } from './added-lines.ts';

/** What is used of a pattern: those of a configuration are run by another engine than the language's. */
interface Pattern {
  readonly source: string;
  test(text: string): boolean;
}

export interface PlaceholderRule {
  readonly enabled: boolean;
  readonly patterns: readonly Pattern[];
  readonly excludePathRegex: readonly Pattern[];
  readonly semanticChecks: {
    readonly enabled: boolean;
    readonly blockTrivialConstantReturns: boolean;
    readonly blockAlwaysTrueFalseConditionals: boolean;
  };
}

export interface Placeholder extends AddedLine {
  /** What gave it away. */
  readonly what: string;
}

/** What stands behind this in a line is not looked at. */
const longestLine = 2000;
/** Forms are looked for in lines that people write; in a longer one finding them takes too long. */
const longestForm = 300;

const constant = String.raw`(?:true|false|null|undefined|nil|None|True|False|-?\d+(?:\.\d+)?|''|""|\x60\x60|\[\]|\{\}|\(\))`;
const trivialReturn = new RegExp(String.raw`^\s*return\s+\(?\s*${constant}\s*\)?\s*;?\s*$`, 'u');
/** Nothing is returned where something should be done. */
const trivialBody = new RegExp(String.raw`\{\s*return\s+\(?\s*${constant}\s*\)?\s*;?\s*\}\s*[;,)]*\s*$`, 'u');
const trivialArrow = new RegExp(String.raw`=>\s*\(?\s*${constant}\s*\)?\s*[;,]?\s*$`, 'u');
const trivialDef = new RegExp(String.raw`^\s*(?:async\s+)?def\s.*:\s*return\s+${constant}\s*$`, 'u');

const control =
  /^\s*(?:\}\s*)?(?:if|for|while|switch|catch|else|try|do|with|elif|except|finally|case|default)\b/u;
const opensFunction =
  /(?:\b(?:function|func|fn)\b.*|=>\s*|\)\s*(?::\s*[^={}]{1,120}|->\s*[^={}]{1,120})?\s*)\{\s*$/u;
const opensDef = /^\s*(?:async\s+)?def\s.*:\s*$/u;
const closes = /^\s*\}\s*[;,)]*\s*$/u;
const comment = /^\s*(?:\/\/|\/\*|\*|#)/u;

const alwaysTested =
  /(?:^|[^\w.$])(?:if|elif|unless)\s*\(?\s*!?\s*(?:true|false|True|False|0|1)\s*(?:\)|:|\{|;|\bthen\b|$)/u;
const neverLooped = /(?:^|[^\w.$])while\s*\(?\s*(?:false|False|0)\s*(?:\)|:|\{|;|$)/u;
const alwaysJoined =
  /(?:^|[^\w.$])(?:if|while|elif|unless)\b.*(?:(?:\|\||\bor\b)\s*(?:true|True|1)|(?:&&|\band\b)\s*(?:false|False|0))\s*\)?\s*[:{]?\s*$/u;

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** A function that does nothing but return a constant, on one line or on three. */
function isTrivialFunction(lines: readonly AddedLine[], at: number): boolean {
  const [before, line, after] = [lines[at - 1], lines[at], lines[at + 1]];
  if (line === undefined || comment.test(line.text)) return false;
  if ((before?.text.length ?? 0) > longestForm || (after?.text.length ?? 0) > longestForm) return false;
  const { text } = line;
  if (!control.test(text)) {
    if (trivialDef.test(text)) return true;
    if (
      /\)\s*(?::[^={}]{1,120}|->[^={}]{1,120})?\s*\{\s*return|=>\s*\{\s*return/u.test(text) &&
      trivialBody.test(text)
    )
      return true;
    // An arrow is a function of its own only where it is given a name.
    if (
      /^\s*(?:export\s+)?(?:const|let|var)\s|^\s*[\w$#]+\s*[:=]\s*(?:async\s*)?\(/u.test(text) &&
      trivialArrow.test(text)
    )
      return true;
  }
  if (!trivialReturn.test(text) || before === undefined) return false;
  const isNext = (one: AddedLine | undefined, number: number): one is AddedLine =>
    one !== undefined && one.path === line.path && one.line === number;
  if (!isNext(before, line.line - 1) || control.test(before.text) || comment.test(before.text)) return false;
  const follows = isNext(after, line.line + 1);
  if (opensDef.test(before.text))
    return !follows || after.text.trim() === '' || indentOf(after.text) <= indentOf(before.text);
  return opensFunction.test(before.text) && follows && closes.test(after.text);
}

function isAlwaysDecided({ text }: AddedLine): boolean {
  if (comment.test(text)) return false;
  return alwaysTested.test(text) || neverLooped.test(text) || alwaysJoined.test(text);
}

/** Every line once, for the first thing that gives it away. */
export function scanPlaceholders(lines: readonly AddedLine[], rule: PlaceholderRule): Placeholder[] {
  if (!rule.enabled) return [];
  const { enabled, blockTrivialConstantReturns, blockAlwaysTrueFalseConditionals } = rule.semanticChecks;
  const excluded = new Map<string, boolean>();
  const isExcluded = (path: string): boolean => {
    const known = excluded.get(path);
    if (known !== undefined) return known;
    const is = rule.excludePathRegex.some((pattern) => pattern.test(path));
    excluded.set(path, is);
    return is;
  };
  const cut = lines.map((line) => ({ ...line, text: line.text.slice(0, longestLine) }));
  return cut.flatMap((line, at) => {
    if (isExcluded(line.path)) return [];
    const found = rule.patterns.find((pattern) => pattern.test(line.text));
    if (found !== undefined) return [{ ...line, what: `the placeholder pattern ${found.source}` }];
    if (!enabled || line.text.length > longestForm) return [];
    if (blockTrivialConstantReturns && isTrivialFunction(cut, at))
      return [{ ...line, what: 'a function that only returns a constant' }];
    if (blockAlwaysTrueFalseConditionals && isAlwaysDecided(line))
      return [{ ...line, what: 'a condition that is always the same' }];
    return [];
  });
}
