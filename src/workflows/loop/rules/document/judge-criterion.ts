/**
 * Whether a program can check a criterion. The rule is positive: a criterion has to name a command and its result, a file
 * that exists or what it contains, a request and its status, an exit code, a test by its name, or output word for word.
 * Everything else is sent back with a suggestion.
 */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { vagueWords } from '../../../../domain/drafts/vague-words.ts';
import { isFilePath } from '../../../rules/is-file-path.ts';
import {
  ambiguousPrograms,
  checks,
  contents,
  equality,
  existence,
  inside,
  joints,
  methods,
  nothingWrong,
  outcomePairs,
  outcomes,
  outputs,
  printed,
  programs,
  results,
  settings,
  throwing,
  vagueMore,
} from './criterion-words.ts';

export type CriterionKind = 'command' | 'check' | 'file' | 'request' | 'exit-code' | 'test' | 'output';

type CriterionVerdict =
  | { readonly isVerifiable: true; readonly kind: CriterionKind }
  | { readonly isVerifiable: false; readonly message: string; readonly suggestion: string };

/** A word, or what stands in quotes or back-ticks as one piece. */
interface Piece {
  readonly text: string;
  /** Folded; empty for what stands in quotes or back-ticks. */
  readonly word: string;
  readonly kind: 'word' | 'quoted' | 'code';
}

interface Read {
  readonly pieces: readonly Piece[];
  /** The folded words, without quotes and code. */
  readonly words: readonly string[];
  readonly prose: string;
  /** The text around quotes and code, as it is written. */
  readonly rest: string;
}

const quotes =
  /`([^`]+)`|"([^"]+)"|„([^“”"]+)[“”"]|“([^”]+)”|«([^»]+)»|»([^«]+)«|(?<![\p{L}\p{N}])['‘‚]([^'’‘]+)['’‘](?![\p{L}\p{N}])/gu;
const edge = /^[("'[{<„“”‘’«»,;:!?]+|[)"'\]}>“”‘’«»,;:!?]+$|(?<=[\p{L}\p{N})/])\.+$/gu;

function readWords(text: string): Piece[] {
  return text
    .split(/\s+/u)
    .map((token) => token.replace(edge, ''))
    .filter((token) => token !== '')
    .map((token) => ({ text: token, word: foldLetters(token), kind: 'word' }));
}

function readCriterion(criterion: string): Read {
  const pieces: Piece[] = [];
  let rest = '';
  let at = 0;
  for (const found of criterion.matchAll(quotes)) {
    const between = criterion.slice(at, found.index);
    rest += `${between} `;
    pieces.push(...readWords(between));
    const [, ticked, ...others] = found;
    const text = (ticked ?? others.find((one) => one !== undefined) ?? '').trim();
    if (text !== '') pieces.push({ text, word: '', kind: ticked === undefined ? 'quoted' : 'code' });
    at = found.index + found[0].length;
  }
  rest += criterion.slice(at);
  pieces.push(...readWords(criterion.slice(at)));
  const words = pieces.filter(({ kind }) => kind === 'word').map(({ word }) => word);
  return { pieces, words, prose: words.join(' '), rest };
}

function isStartOfCommand({ pieces }: Read, at: number): boolean {
  const [first, next] = pieces.slice(at, at + 2);
  if (first === undefined || first.kind !== 'word') return false;
  if (programs.has(first.word)) return true;
  return first.text === first.word && (ambiguousPrograms[first.word]?.test(next?.word ?? '') ?? false);
}

/** Whether a text in back-ticks is a command line. */
function isCommandLine(code: string): boolean {
  const [first = '', second = ''] = code.split(/\s+/u);
  if (programs.has(first) || (ambiguousPrograms[first]?.test(second) ?? false)) return true;
  return /^\.{0,2}\/[\w./-]+$/u.test(first) && second !== '';
}

/** A name that only code has: `makeSlug`, `TokenExpiredError`, `max_retries`, `parse()`. */
const isIdentifier = (token: string): boolean =>
  /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w*[A-Za-z]_\w+|[\w.]+\([^()]*\))$/u.test(token);

const hasWord = ({ words }: Read, list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));

/** Whether one of the words stands there and, at most `gap` pieces behind it, something that fits. */
function isFollowed(
  read: Read,
  list: ReadonlySet<string>,
  gap: number,
  fits: (piece: Piece) => boolean,
): boolean {
  return read.pieces.some(
    ({ word }, at) => list.has(word) && read.pieces.slice(at + 1, at + 2 + gap).some((piece) => fits(piece)),
  );
}

const isMarked = ({ kind }: Piece): boolean => kind !== 'word';
const isValue = ({ text }: Piece): boolean =>
  /^(?:-?\d+(?:\.\d+)?|true|false|null|undefined|NaN|\[\]|\{\})$/u.test(text) || isIdentifier(text);

function saysOutcome(read: Read): boolean {
  return (
    hasWord(read, outcomes) ||
    nothingWrong.test(read.prose) ||
    outcomePairs.some((pair) => pair.every((word) => read.words.includes(word)))
  );
}

/** Output that stands there word for word: behind "prints", before "is printed", or as what a message "is". */
function saysOutput(read: Read): boolean {
  if (isFollowed(read, outputs, 4, isMarked)) return true;
  const { pieces } = read;
  return pieces.some((piece, at) => {
    if (!isMarked(piece)) return false;
    if (pieces.slice(at + 1, at + 4).some(({ word }) => printed.has(word))) return true;
    const isSaid = equality.has(pieces[at - 1]?.word ?? '');
    return isSaid && pieces.slice(0, at).some(({ word }) => results.has(word));
  });
}

function namesExitCode({ prose }: Read): boolean {
  return /(?:^| )(?:exit|exits|exited|exit-code|exitcode|ruckgabewert|beendet|endet)(?: \S{1,20}){0,4} \d{1,3}(?!\S)/u.test(
    prose,
  );
}

function namesCommand(read: Read): boolean {
  const isInCode = read.pieces.some(({ kind, text }) => kind === 'code' && isCommandLine(text));
  const at = read.pieces.findIndex((_, index) => isStartOfCommand(read, index));
  if (!isInCode && at === -1) return false;
  if (saysOutcome(read) || saysOutput(read)) return true;
  if (isFollowed(read, outputs, 4, ({ text }) => /^[<>=≥≤]*\d+(?:[.,]\d+)? ?%?$/u.test(text))) return true;
  // Nothing but the command: it has to pass.
  if (isInCode) return ['', 'run', 'runs', 'ausfuhren'].includes(read.prose);
  return at === 0 && read.words.length <= 8;
}

/** "Typecheck passes": a check without its command, but one of the task's own commands runs it. */
function namesCheck(read: Read, verifyCommands: readonly string[]): boolean {
  if (!saysOutcome(read) || read.words.length > 8) return false;
  return checks.some(([words, form]) => hasWord(read, words) && verifyCommands.some((one) => form.test(one)));
}

/** "src/a.ts exists"; in "the bugs in src/a.ts are removed" the file is not what is spoken of. */
function saysFileExists(read: Read): boolean {
  if (!hasWord(read, existence)) return false;
  const isNamed = read.pieces.some(
    (piece) => !isFilePath(piece.text) && (isMarked(piece) || isIdentifier(piece.text)),
  );
  return read.pieces.some(
    ({ text }, at) => isFilePath(text) && (isNamed || !inside.has(read.pieces[at - 1]?.word ?? '')),
  );
}

function namesFile(read: Read): boolean {
  if (!read.pieces.some(({ text }) => isFilePath(text))) return false;
  const isContent = (piece: Piece): boolean =>
    !isFilePath(piece.text) && (isMarked(piece) || isIdentifier(piece.text));
  if (saysFileExists(read) || isFollowed(read, contents, 6, isContent)) return true;
  return / (?:has|have|hat|under|below|unter|most|hochstens) (?:\S{1,12} ){0,3}\d+ (?:lines|zeilen|bytes|kb)\b/u.test(
    read.prose,
  );
}

function namesRequest(read: Read): boolean {
  const tokens = read.pieces.flatMap(({ text }) => text.split(/\s+/u));
  const hasMethod = tokens.some((token) => methods.has(token));
  const hasPath = tokens.some((token) => /^(?:https?:\/\/[\w.:-]+)?\/[\w\-./{}:?=&%*[\]~]*$/u.test(token));
  if (!hasMethod || !hasPath) return false;
  if (read.pieces.some(({ text }) => /^[1-5]\d\d$/u.test(text))) return true;
  const isBody = (piece: Piece): boolean =>
    isMarked(piece) && !/^(?:[A-Z]+ )?(?:https?:\/\/\S+|\/\S*)$/u.test(piece.text);
  return isFollowed(read, outputs, 4, isBody);
}

/** `auth.test.ts`, `test_login`, `tests/test_api.py::test_login`. */
const isTestName = (text: string): boolean =>
  /[._](?:test|spec)s?\.\w+(?:$|:)|(?:^|\/|::)test_\w+/u.test(text);

function namesTest(read: Read): boolean {
  const isTest = read.words.some((word) =>
    /^(?:unit-|integration-|e2e-)?(?:test|tests|testfall|spec)$/u.test(word),
  );
  const isNamed = read.pieces.some(({ text }) => isTestName(text));
  if (isNamed && saysOutcome(read)) return true;
  if (!isTest || !(isNamed || read.pieces.some(isMarked))) return false;
  return saysOutcome(read) || hasWord(read, existence) || isFollowed(read, contents, 6, isMarked);
}

/** Something gives a result that stands there word for word, or a call gives a value. */
function namesOutput(read: Read): boolean {
  if (saysOutput(read) || isFollowed(read, throwing, 2, ({ text }) => isIdentifier(text))) return true;
  const isSet = isFollowed(read, settings, 1, (piece) => isMarked(piece) || isValue(piece));
  if (
    isSet &&
    read.pieces.some(
      ({ kind, text }) => kind === 'code' || isIdentifier(text) || /^\w+(?:\.\w+)+$/u.test(text),
    )
  )
    return true;
  const isCall =
    /[\w.]\([^()]*\)/u.test(read.rest) ||
    read.pieces.some(({ kind, text }) => kind === 'code' && /^[\w.]+\(.*\)$/u.test(text));
  return isCall && isFollowed(read, outputs, 1, isValue);
}

const recognisers: readonly (readonly [
  CriterionKind,
  (read: Read, verifyCommands: readonly string[]) => boolean,
])[] = [
  ['request', namesRequest],
  ['exit-code', namesExitCode],
  ['command', namesCommand],
  ['test', namesTest],
  ['file', namesFile],
  ['check', namesCheck],
  ['output', namesOutput],
];

/** The first word that can be neither met nor missed; the words of a command and names of files do not count. */
function findVague(read: Read): string | null {
  let isCommand = false;
  for (const [at, { word, text }] of read.pieces.entries()) {
    if (isStartOfCommand(read, at)) isCommand = true;
    else if ([outcomes, outputs, equality, joints].some((words) => words.has(word))) isCommand = false;
    if (isCommand || /[/_:=.]|^-/u.test(word)) continue;
    if (vagueMore.has(word) || vagueWords.test(word)) return text;
  }
  return null;
}

export function judgeCriterion(criterion: string, verifyCommands: readonly string[]): CriterionVerdict {
  const read = readCriterion(criterion);
  const example = verifyCommands[0] ?? 'npm test';
  const vague = findVague(read);
  if (vague !== null)
    return {
      isVerifiable: false,
      message: `"${vague}" is an opinion: no command can check it`,
      suggestion: `Say what a command can see instead, for example "${example} passes" or "GET /health returns 200".`,
    };
  const found = recognisers.find(([, names]) => names(read, verifyCommands));
  if (found !== undefined) return { isVerifiable: true, kind: found[0] };
  return {
    isVerifiable: false,
    message: 'does not say how a command can check it',
    suggestion: `Name a command and its result ("${example} passes"), a file ("File exists: src/lib/jwt.ts"), a request and its status ("POST /api/users returns 201"), an exit code, a test by its name, or the output in quotes.`,
  };
}
