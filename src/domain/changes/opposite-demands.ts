/**
 * Whether a finding asks for the opposite of another one. Read from titles by a small grammar: a title that fits none of
 * its forms asks for nothing here, because a person is called for a contradiction, and a false one is worse than one that
 * is only seen when the attempts are used up.
 */
import type { ReviewFinding } from './review-finding.ts';

interface Demand {
  /** What it moves along, such as `presence` or `async`. */
  readonly axis: string;
  readonly side: 'more' | 'less';
  /** The thing, as words. */
  readonly about: ReadonlySet<string>;
}

const absent = new Set(['missing', 'lacks', 'lacking', 'absent']);
const needless = new Set([
  ...['unneeded', 'unnecessary', 'needless', 'redundant', 'superfluous', 'unwanted', 'pointless', 'useless'],
]);
const adding = new Set(['add', 'introduce']);
const removing = new Set(['remove', 'drop', 'delete']);
const added = new Set(['added', 'introduced']);
const removed = new Set(['removed', 'dropped', 'deleted']);
const determiners = new Set(['a', 'an', 'the', 'this', 'these', 'those', 'any', 'some', 'its', 'their']);
const beings = new Set(['is', 'are', 'was', 'were', 'be', 'seems', 'looks', 'still', 'now', 'again', 'also']);
const denials = new Set(['not', 'never', 'no', 'longer', 'hardly', "isn't", "aren't", 'nor', 'neither']);
const demands = new Set(['should', 'must', 'ought', 'needs', 'need', 'has', 'have']);

/** Where a thing ends: what follows says when, where or why. */
const stops = new Set([
  ...['in', 'on', 'at', 'for', 'of', 'from', 'to', 'with', 'without', 'when', 'if', 'because', 'since', 'so'],
  ...['and', 'or', 'but', 'as', 'by', 'before', 'after', 'that', 'which', 'where', 'here', 'there', 'than'],
  ...['between', 'around', 'while', 'can', 'could', 'will', 'would', 'does', 'do', 'makes', 'causes', 'too'],
  ...['should', 'must', 'ought', 'needs', 'need', 'has', 'have', 'not', 'never'],
]);

/** Words that are the two ends of one thing, in "too …" and "not … enough". */
const measures: readonly (readonly [axis: string, more: readonly string[], less: readonly string[]])[] = [
  ['strictness', ['strict', 'restrictive'], ['loose', 'lenient', 'lax', 'permissive', 'weak']],
  ['length', ['long'], ['short']],
  ['time', ['late'], ['early']],
  ['breadth', ['broad', 'wide', 'general'], ['narrow', 'specific']],
  ['size', ['large', 'big', 'high'], ['small', 'low']],
  ['count', ['many', 'much', 'often'], ['few', 'little', 'rarely', 'seldom']],
];

/** Words that are the two ends of one thing, in "should be …" and "make … …". */
const states: readonly (readonly [axis: string, more: readonly string[], less: readonly string[]])[] = [
  ['async', ['async', 'asynchronous'], ['sync', 'synchronous']],
  ['visibility', ['public', 'exported'], ['private', 'internal']],
  ['mutability', ['mutable'], ['immutable', 'readonly', 'frozen']],
  ['bound', ['inclusive'], ['exclusive']],
  ['order', ['ascending'], ['descending']],
  ['eagerness', ['eager'], ['lazy']],
];

function findSide(table: typeof measures, word: string): Pick<Demand, 'axis' | 'side'> | null {
  for (const [axis, more, less] of table) {
    if (more.includes(word)) return { axis, side: 'more' };
    if (less.includes(word)) return { axis, side: 'less' };
  }
  return null;
}

const turn = { more: 'less', less: 'more' } as const;

/** Words and breaks (as empty words), in small letters; names in code keep their dots and underscores. */
function listTokens(title: string): string[] {
  return (title.toLowerCase().match(/[\p{L}\p{N}_$][\p{L}\p{N}_$.'-]*|[,;:.!?()]/gu) ?? []).map((token) =>
    /^[,;:.!?()]$/u.test(token) ? '' : token.replace(/[.'-]+$/u, ''),
  );
}

function isEnd(word: string | undefined): boolean {
  return word === undefined || word === '' || stops.has(word) || beings.has(word);
}

/** "checks" and "check" are one word. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/u, '') : word;
}

function thingAfter(words: readonly string[], from: number): string[] {
  const thing: string[] = [];
  for (let at = from; !isEnd(words[at]); at += 1) thing.push(words[at] ?? '');
  return thing;
}

function thingBefore(words: readonly string[], until: number): string[] {
  let end = until;
  while (end > 0 && beings.has(words[end - 1] ?? '')) end -= 1;
  const thing: string[] = [];
  for (let at = end - 1; at >= 0 && !isEnd(words[at]); at -= 1) thing.unshift(words[at] ?? '');
  return thing;
}

function about(...things: readonly string[][]): ReadonlySet<string> {
  const thing = things.find((words) => words.some((word) => !determiners.has(word))) ?? [];
  return new Set(thing.filter((word) => !determiners.has(word)).map(stem));
}

/** Whether a clause begins here: what stands there is an order, and no name. */
function isOpening(words: readonly string[], at: number): boolean {
  return ['', undefined, 'please'].includes(words[at - 1]);
}

/** The place of the first word of "should be", "must not be", "needs to be" that ends here; null when there is none. */
function findDemand(
  words: readonly string[],
  end: number,
): { readonly at: number; readonly isNot: boolean } | null {
  let at = end;
  let isNot = false;
  if (words[at] !== 'be') return null;
  at -= 1;
  if (words[at] === 'not') {
    isNot = true;
    at -= 1;
  }
  if (words[at] === 'to') at -= 1;
  return demands.has(words[at] ?? '') ? { at, isNot } : null;
}

type Reading = (words: readonly string[], at: number) => Demand | null;

const axis = 'presence';

/** "missing X", "X is unneeded". */
const readLack: Reading = (words, at) => {
  const word = words[at] ?? '';
  if (!(absent.has(word) || needless.has(word)) || denials.has(words[at - 1] ?? '')) return null;
  const side = absent.has(word) ? 'more' : 'less';
  return { axis, side, about: about(thingAfter(words, at + 1), thingBefore(words, at)) };
};

/** "no X", "has no X". */
const readNone: Reading = (words, at) => {
  if (words[at] !== 'no' || words[at + 1] === 'longer') return null;
  if (!isOpening(words, at) && !/^ha(?:s|ve)$/u.test(words[at - 1] ?? '')) return null;
  return { axis, side: 'more', about: about(thingAfter(words, at + 1)) };
};

/** "add the X". Without the article it may as well be the name of a function: "remove fails on …". */
const readOrder: Reading = (words, at) => {
  const word = words[at] ?? '';
  if (!(adding.has(word) || removing.has(word))) return null;
  if (!isOpening(words, at) || !determiners.has(words[at + 1] ?? '')) return null;
  return { axis, side: adding.has(word) ? 'more' : 'less', about: about(thingAfter(words, at + 1)) };
};

/** "X should be removed". */
const readWish: Reading = (words, at) => {
  const word = words[at] ?? '';
  if (!(added.has(word) || removed.has(word))) return null;
  const demand = findDemand(words, at - 1);
  if (demand === null) return null;
  const side = added.has(word) ? 'more' : 'less';
  return { axis, side: demand.isNot ? turn[side] : side, about: about(thingBefore(words, demand.at)) };
};

/** "X is needed", "X is not needed". */
const readNeed: Reading = (words, at) => {
  if (words[at] !== 'needed') return null;
  const isNot = words[at - 1] === 'not';
  const end = isNot ? at - 1 : at;
  if (!beings.has(words[end - 1] ?? '')) return null;
  return { axis, side: isNot ? 'less' : 'more', about: about(thingBefore(words, end)) };
};

/** "X is too strict", "X is not strict enough". */
const readMeasure: Reading = (words, at) => {
  const known = findSide(measures, words[at] ?? '');
  if (known === null) return null;
  const before = words[at - 1] ?? '';
  const isTooMuch = before === 'too' && !denials.has(words[at - 2] ?? '');
  const isTooLittle = before === 'not' && words[at + 1] === 'enough';
  if (!isTooMuch && !isTooLittle) return null;
  const after = isTooLittle ? at + 2 : at + 1;
  return {
    ...{ axis: known.axis, side: isTooMuch ? turn[known.side] : known.side },
    about: about(thingBefore(words, at - 1), thingAfter(words, after)),
  };
};

/**
 * "X should be async", "make X async". "X is async" is no demand: the sentence may go on with what is wrong about it.
 */
const readState: Reading = (words, at) => {
  const known = findSide(states, words[at] ?? '');
  if (known === null) return null;
  const demand = findDemand(words, at - 1);
  if (demand !== null)
    return {
      ...{ axis: known.axis, side: demand.isNot ? turn[known.side] : known.side },
      about: about(thingBefore(words, demand.at)),
    };
  const thing = thingBefore(words, at);
  const made = at - thing.length - 1;
  return thing[0] === 'make' && isOpening(words, made + 1)
    ? { ...known, about: about(thing.slice(1)) }
    : null;
};

const readings = [readLack, readNone, readOrder, readWish, readNeed, readMeasure, readState];

/** What a title asks for. One that speaks in both directions asks for nothing that can be told apart. */
export function listDemands(title: string): Demand[] {
  if (title.includes('?')) return [];
  const words = listTokens(title);
  const found = words.flatMap((_, at) =>
    readings.map((read) => read(words, at)).filter((one) => one !== null),
  );
  return found.filter((one) => found.every((other) => other.axis !== one.axis || other.side === one.side));
}

/** Names in code: `readConfig`, `read_config`, `config.read`, `read()`. Other words in back-ticks may be of the language. */
function listNames(title: string): Set<string> {
  const names = title.match(/[\p{L}\p{N}_$]+(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?/gu) ?? [];
  return new Set(
    names
      .filter((name) => /[a-z][A-Z]|[\p{L}\p{N}]_[\p{L}\p{N}]|\.|\(\)$/u.test(name))
      .map((name) => name.replace('()', '')),
  );
}

/** Corrections move lines: so far within a function that both name, and so far where no name tells. */
const farthestInName = 20;
const farthest = 3;

/** Whether the lines are at most so far apart; two findings about the whole file are at one place. */
export function isNearLine(a: ReviewFinding, b: ReviewFinding, most: number): boolean {
  if (a.line === null || b.line === null) return a.line === b.line;
  return Math.abs(a.line - b.line) <= most;
}

function isSamePlace(a: ReviewFinding, b: ReviewFinding): boolean {
  if (a.path !== b.path) return false;
  const [first, second] = [listNames(a.title), listNames(b.title)];
  if (first.size === 0 || second.size === 0) return isNearLine(a, b, farthest);
  if (![...first].some((name) => second.has(name))) return false;
  return a.line === null || b.line === null || isNearLine(a, b, farthestInName);
}

function isSameThing(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === a.size && shared === b.size ? true : shared >= 2 && shared === Math.min(a.size, b.size);
}

/** Whether two findings ask for opposite things of the same thing at the same place. */
export function areOpposite(a: ReviewFinding, b: ReviewFinding): boolean {
  if (!isSamePlace(a, b)) return false;
  const wanted = listDemands(b.title);
  return listDemands(a.title).some((asked) =>
    wanted.some(
      (one) => one.axis === asked.axis && one.side !== asked.side && isSameThing(asked.about, one.about),
    ),
  );
}
