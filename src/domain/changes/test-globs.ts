/**
 * Patterns by which a project tells its test runner which files are tests, as expressions over paths of the repository.
 * What cannot be read gives no expression: a file that only might be run does not count as a test. Pure.
 */

const longestGlob = 200;
/** More in one part of a path would make matching slow. */
const mostStars = 4;

/** What stands for a beginning of a glob, the longer ones first; `close` is what ends a group that it opens. */
interface Sign {
  readonly at: RegExp;
  readonly as: (text: string) => string;
  readonly close?: string;
}

const signs: readonly Sign[] = [
  { at: /^\?\(/u, as: () => '(?:', close: ')?' },
  { at: /^\*\(/u, as: () => '(?:', close: ')*' },
  { at: /^\+\(/u, as: () => '(?:', close: ')+' },
  { at: /^@\(/u, as: () => '(?:', close: ')' },
  { at: /^\{/u, as: () => '(?:', close: ')' },
  { at: /^\*\*\//u, as: () => '(?:[^/]+/)*' },
  { at: /^\*\*$/u, as: () => '.*' },
  { at: /^\*+/u, as: () => '[^/]*' },
  { at: /^\?/u, as: () => '[^/]' },
  { at: /^\[[\w-]+\]/u, as: (text) => text },
  { at: /^[\w./@~ -]/u, as: (text) => text.replace('.', '\\.') },
];

function isReadable(text: string): boolean {
  if (text === '' || text.length > longestGlob || text.startsWith('/') || /[\\\0!\n]/u.test(text))
    return false;
  return text.split('/').every((part) => part !== '..' && (part.match(/\*/gu) ?? []).length <= mostStars);
}

/** The source of an expression for a glob; null when it holds something that is not read here. */
export function globSource(glob: string): string | null {
  let rest = glob.replace(/^\.\//u, '').replace(/^<rootDir>\//u, '');
  if (!isReadable(rest)) return null;
  let source = '';
  const open: string[] = [];
  while (rest !== '') {
    const inGroup =
      open.length === 0 ? undefined : { ',': '|', '|': '|', '}': open.at(-1), ')': open.at(-1) };
    const ended = inGroup?.[rest[0] as ',' | '|' | '}' | ')'];
    if (ended !== undefined) {
      if (ended !== '|') open.pop();
      source += ended;
      rest = rest.slice(1);
      continue;
    }
    const sign = signs.find(({ at }) => at.test(rest));
    const text = sign?.at.exec(rest)?.[0];
    if (sign === undefined || text === undefined) return null;
    source += sign.as(text);
    if (sign.close !== undefined) open.push(sign.close);
    rest = rest.slice(text.length);
  }
  return open.length === 0 ? source : null;
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/gu, '\\$&');
}

/** Fits no path. */
export const noTests = /(?!)/u;

/**
 * One expression for several globs, of which those with `!` before them take out. Fits no path when one of them cannot be
 * read.
 * @param folder that the globs count from, with a slash at its end; empty for the root
 */
export function globsToExpression(globs: readonly string[], folder = ''): RegExp {
  const sources = (some: readonly string[]): (string | null)[] => some.map(globSource);
  const taken = sources(globs.filter((glob) => !glob.startsWith('!')));
  const left = sources(globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)));
  if (taken.length === 0 || [...taken, ...left].includes(null)) return noTests;
  const without = left.length === 0 ? '' : `(?!(?:${left.join('|')})$)`;
  return new RegExp(`^${escapeText(folder)}${without}(?:${taken.join('|')})$`, 'u');
}

/** The strings of a list literal that begins here; null when anything but plain strings is in it. */
function readStrings(text: string): string[] | null {
  const strings: string[] = [];
  let rest = text;
  for (;;) {
    rest = rest.replace(/^(?:\s|,|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/u, '');
    if (rest.startsWith(']')) return strings;
    const [whole, , value] = /^(['"`])((?:(?!\1)[^\\\n$])*)\1/u.exec(rest) ?? [];
    if (whole === undefined || value === undefined) return null;
    strings.push(value);
    rest = rest.slice(whole.length);
  }
}

/**
 * The list that a configuration file in a programming language gives under a name, if it is written down there.
 * `undefined` when the name does not occur, null when it does and its value cannot be read.
 */
export function readListLiteral(text: string, name: string): string[] | null | undefined {
  const found = new RegExp(`(?<![\\w.])["']?${name}["']?\\s*[:=]\\s*`, 'u').exec(text);
  if (found === null) return undefined;
  const rest = text.slice(found.index + found[0].length);
  return rest.startsWith('[')
    ? readStrings(rest.slice(1))
    : readStrings(`${rest.slice(0, 500).split('\n')[0]}]`);
}

/** A value of an INI file with the lines that go on; null when it is not set in that section. */
export function readIniWords(text: string, section: string, name: string): string[] | null {
  const lines = text.split(/\r?\n/u);
  const start = lines.findIndex((line) => line.trim() === `[${section}]`);
  if (start === -1) return null;
  const within = lines.slice(start + 1);
  const end = within.findIndex((line) => line.startsWith('['));
  const body = end === -1 ? within : within.slice(0, end);
  const at = body.findIndex((line) => new RegExp(`^${name}\\s*[=:]`, 'u').test(line));
  if (at === -1) return null;
  const first = (body[at] ?? '').replace(/^[^=:]*[=:]/u, '');
  const more = body.slice(at + 1);
  const stop = more.findIndex((line) => !/^\s+\S/u.test(line));
  return [first, ...(stop === -1 ? more : more.slice(0, stop))]
    .join(' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}
