/**
 * Whether the model that a provider says has answered is the one that was asked: a review by a smaller model is not the
 * one that was paid for. Positive: after the name that was asked a stamp may follow (a date, a build, `latest`,
 * `preview`), and nothing else. `mini`, `nano`, `lite`, `8b` and every word that is not listed here are other models.
 */
import { modelFamily } from './model-family.ts';

/** Who gives the answer, as it stands before the name in a request. */
const provider = /^(?:claude|google|anthropic|openai):/u;

/** The ways to a model that providers write before its name. Any other word before it may say that it is another model. */
const ways: readonly RegExp[] = [
  /^models\//u,
  /^(?:anthropic|google|openai)\//u,
  /^(?:projects\/[\w-]+\/locations\/[\w-]+\/)?publishers\/(?:anthropic|google|openai)\/models\//u,
  /^(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|me|af|global)\.)?anthropic\./u,
];

function bareName(name: string): string {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^cassette:/u, '')
    .replace(provider, '')
    // How much context it was given: "sonnet[1m]".
    .replace(/\[\d+[km]\]$/u, '');
  const way = ways.find((one) => one.test(bare));
  return way === undefined ? bare : bare.replace(way, '');
}

/** What stands before the last slash, with it: the maker of a model on servers that have those of several. */
const makerOf = (bare: string): string => bare.slice(0, bare.lastIndexOf('/') + 1);

/** How a name is compared: the case and the sign between two words differ among providers. */
function cutWords(bare: string): string[] {
  return bare.split(/[-_.:@\s]+/u).filter((word) => word !== '');
}

/** Words that say how finished a model is, and not which one it is. */
const stages: ReadonlySet<string> = new Set(['latest', 'preview', 'exp', 'experimental', 'stable']);

const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const year = '20[2-9]\\d';

/** A day or a month, as providers write it after a name: 2025-08-07, 20250807, 2025-08, 05-20, 09-2025, 0520, 2411. */
const date = `(?:${year}-?${month}(?:-?${day})?|${month}-${year}|${month}-?${day}|2[2-9]${month})`;

const stamp = new RegExp(
  `^(?:-(?:${[...stages].join('|')}|${date}|00\\d))*(?:-${year}${month}${day}-v\\d(?:-\\d)?)?$`,
  'u',
);

/** Whether these words only say when and how finished: what is left of a name after the model itself. */
function isStamp(words: readonly string[]): boolean {
  return stamp.test(words.map((word) => `-${word}`).join(''));
}

function startsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length > 0 && beginning.every((word, index) => words[index] === word);
}

function withoutStage(words: readonly string[]): string[] {
  const last = words.findLastIndex((word) => !stages.has(word));
  return words.slice(0, last + 1);
}

/** What the Claude Code CLI calls "choose for me". It never chooses the small ones. */
const anySize: ReadonlySet<string> = new Set(['default', 'best', 'inherit', 'opusplan']);
const smallOfClaude = /haiku|instant/u;
/** It is called by the sizes that it uses. */
const sizesOfPlan = /opus|sonnet/u;

/**
 * The version at which a name without one stood when this was written. A provider moves such a name forward and never back,
 * so an older version is not what was asked for. Of a newer one nothing is known, and it is taken.
 */
export const oldestOfAlias: readonly (readonly [family: string, kind: string, version: number])[] = [
  ['claude', 'opus', 4],
  ['claude', 'sonnet', 4],
  ['claude', 'haiku', 4],
  ['gemini', 'pro', 2.5],
  ['gemini', 'flash', 2.5],
  ['gemini', 'flash lite', 2.5],
];

/** The names of families, which the short names of the CLI ("sonnet") leave out. */
const houses: ReadonlySet<string> = new Set(['claude', 'gemini', 'gpt']);

/** What is left of a name without family, version and stamp: for "claude-opus-4-1" it is "opus". */
function kindOf(words: readonly string[]): string {
  return words.filter((word) => !houses.has(word) && !stages.has(word) && !/^v?\d+$/u.test(word)).join(' ');
}

/** Whether a name is an alias: it names no version, so the provider chooses one. */
function isAlias(words: readonly string[]): boolean {
  return words.every((word) => !/\d/u.test(word));
}

/** The version in a name, such as 4.5 of "claude-sonnet-4-5-20250929"; null when it names none. */
function versionOf(words: readonly string[]): number | null {
  const stage = words.findIndex((word) => stages.has(word));
  const judged = stage === -1 ? words : words.slice(0, stage);
  const first = judged.findIndex((word) => /^[1-9]\d?$/u.test(word));
  if (first === -1) return null;
  const minor = judged[first + 1] ?? '';
  return Number(/^\d{1,2}$/u.test(minor) ? `${judged[first]}.${minor}` : judged[first]);
}

/** Whether a model is older than what a name without a version stood for. Builds of names without a version are old ones. */
function isOutdated(answered: readonly string[]): boolean {
  const family = modelFamily(answered.join('-'));
  const kind = kindOf(answered);
  const version = versionOf(answered);
  const oldest = oldestOfAlias.find(([house, size]) => house === family && size === kind)?.[2];
  if (oldest === undefined) return false;
  return version === null ? answered.some((word) => /\d/u.test(word)) : version < oldest;
}

/** Whether the CLI may have chosen this model: it is of the family Claude, and none of the small or old models. */
function isChosenByClaude(word: string, answered: readonly string[]): boolean {
  const kind = kindOf(answered);
  if (modelFamily(answered.join('-')) !== 'claude' || smallOfClaude.test(kind)) return false;
  if (word === 'opusplan' && !sizesOfPlan.test(kind)) return false;
  return kind !== '' && !isOutdated(answered);
}

export function isReportedAsAsked(asked: string, reported: string): boolean {
  const [askedName, reportedName] = [bareName(asked), bareName(reported)];
  const [askedMaker, reportedMaker] = [makerOf(askedName), makerOf(reportedName)];
  // A server may leave the maker out; it may not name another one, or one that was not asked for.
  if (reportedMaker !== '' && reportedMaker !== askedMaker) return false;
  const answered = cutWords(reportedName.slice(reportedMaker.length));
  if (answered.length === 0) return false;
  const words = cutWords(askedName.slice(askedMaker.length));
  const [first = '', another] = words;
  if (asked.toLowerCase().startsWith('claude:') && another === undefined && anySize.has(first))
    return isChosenByClaude(first, answered);
  const wanted = withoutStage(words);
  if (wanted.length === 0) return false;
  if (isAlias(wanted))
    return (
      sameHouse(wanted, answered) &&
      kindOf(wanted) !== '' &&
      kindOf(wanted) === kindOf(answered) &&
      !isOutdated(answered)
    );
  if (startsWith(answered, wanted)) return isStamp(answered.slice(wanted.length));
  // A dated name was asked, and the provider leaves the date out.
  return startsWith(wanted, answered) && answered.length > 1 && isStamp(wanted.slice(answered.length));
}

/** "sonnet" is a Claude model, and a "pro" of another family does not answer for "pro-latest" of Gemini. */
function sameHouse(wanted: readonly string[], answered: readonly string[]): boolean {
  return modelFamily(wanted.join('-')) === modelFamily(answered.join('-'));
}
