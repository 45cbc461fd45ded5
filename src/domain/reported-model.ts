/**
 * Whether the model that a provider says has answered is the one that was asked: a review by a smaller model is not the
 * one that was paid for. Positive: after the name that was asked a stamp may follow (a date, a build, `latest`,
 * `preview`), and nothing else. `mini`, `nano`, `lite`, `8b` and every word that nobody has thought of yet are other models.
 */
import { modelFamily } from './model-family.ts';

/** How a name is compared: the case, the way to the model and the sign between two words differ among providers. */
function wordsOf(name: string): string[] {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/^cassette:/u, '')
    .replace(/^(?:claude|google|anthropic|openai):/u, '')
    // How much context it was given: "sonnet[1m]".
    .replace(/\[\d+[km]\]$/u, '')
    // The way to it: "models/", "anthropic/", "us.anthropic.".
    .replace(/^.*\//u, '')
    .replace(/^(?:[a-z]+\.)?anthropic\./u, '');
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

/** What the Claude Code CLI calls "choose for me": no size is asked for. */
const anySize: ReadonlySet<string> = new Set(['default', 'best', 'inherit', 'opusplan']);

/** The names of houses, which the short names of the CLI ("sonnet") leave out. */
const houses: ReadonlySet<string> = new Set(['claude', 'gemini', 'gpt']);

/** What is left of a name without house, version and stamp: for "claude-opus-4-1" it is "opus". */
function kindOf(words: readonly string[]): string {
  return words.filter((word) => !houses.has(word) && !stages.has(word) && !/^v?\d+$/u.test(word)).join(' ');
}

/** Whether a name is an alias, for which a provider takes the version that it likes: it names none. */
function isAlias(words: readonly string[]): boolean {
  return words.every((word) => !/\d/u.test(word));
}

export function isReportedAsAsked(asked: string, reported: string): boolean {
  const answered = wordsOf(reported);
  if (answered.length === 0) return false;
  const [first, another] = wordsOf(asked);
  if (asked.toLowerCase().startsWith('claude:') && another === undefined && anySize.has(first ?? ''))
    return modelFamily(reported) === 'claude';
  const wanted = withoutStage(wordsOf(asked));
  if (wanted.length === 0) return false;
  if (isAlias(wanted))
    return sameHouse(wanted, answered) && kindOf(wanted) !== '' && kindOf(wanted) === kindOf(answered);
  if (startsWith(answered, wanted)) return isStamp(answered.slice(wanted.length));
  // A dated name was asked, and the provider leaves the date out.
  return startsWith(wanted, answered) && answered.length > 1 && isStamp(wanted.slice(answered.length));
}

/** "sonnet" is Claude's, and "pro-latest" of a Gemini is not answered by another house's "pro". */
function sameHouse(wanted: readonly string[], answered: readonly string[]): boolean {
  return modelFamily(wanted.join('-')) === modelFamily(answered.join('-'));
}
