/**
 * The section of `AGENTS.md` and `CLAUDE.md` in which the loop keeps what its tasks learned about the code. It stands
 * between two marks; no byte outside them changes. Agents read these files as orders, so each pattern is one line of
 * inert words, and a person sees it in the pull request.
 */
import { codeOf, lineOf } from '../../../issue-runs/rules/comment-words.ts';

export interface LearnedPattern {
  readonly statement: string;
  readonly scope?: string | null | undefined;
  readonly files?: readonly string[] | null | undefined;
  readonly confidence?: number | null | undefined;
}

export interface PatternLimits {
  /** As `memory.managedSectionMarker` of the configuration. */
  readonly marker?: string;
  readonly minConfidence?: number;
  /** Of the patterns that are handed in, the first so many. */
  readonly most?: number;
}

const longestDocument = 1_000_000;
/** Older ones go when there are more. */
const mostLines = 100;
const heading = '## Learned patterns';

function lineOfPattern({ statement, scope, files }: LearnedPattern): string {
  const about = [
    ...(scope ? [lineOf(scope, 80)] : []),
    ...(files ?? []).slice(0, 5).map((file) => codeOf(file, 120)),
  ];
  const line = `- ${lineOf(statement, 300)}${about.length === 0 ? '' : ` (${about.join(', ')})`}`;
  // In code a mark would be one of ours.
  return line.replaceAll('<!--', '<\\!--');
}

interface Place {
  /** From the line after the first mark to the line of the second. */
  readonly from: number;
  readonly to: number;
}

interface Line {
  readonly at: number;
  readonly end: number;
  /** Without its line break. */
  readonly words: string;
}

/** The lines that are not in code, and whether the last one is. */
function readOutsideCode(text: string): { readonly lines: readonly Line[]; readonly endsInCode: boolean } {
  const lines: Line[] = [];
  let at = 0;
  let fence = '';
  for (const line of text.split(/(?<=\n)/u)) {
    const words = line.replace(/\r?\n$/u, '');
    const end = at + line.length;
    const ticks = /^ {0,3}(`{3,}|~{3,})/u.exec(words)?.[1] ?? '';
    if (fence === '' && ticks !== '') fence = ticks;
    else if (fence === '') lines.push({ at, end, words });
    else if (ticks.startsWith(fence) && /^ {0,3}(?:`+|~+)[ \t]*$/u.test(words)) fence = '';
    at = end;
  }
  return { lines, endsInCode: fence !== '' };
}

/** Where the section is: null when there is none, and a reason when the marks are not as we wrote them. */
function findPlace(text: string, start: string, end: string): Place | null | { readonly problem: string } {
  const { lines, endsInCode } = readOutsideCode(text);
  const count = (mark: string): number => text.split(mark).length - 1;
  const [starts, ends] = [count(start), count(end)];
  if (starts === 0 && ends === 0)
    return endsInCode ? { problem: 'it ends in a block of code that is not closed' } : null;
  if (starts !== 1 || ends !== 1)
    return { problem: `it has ${starts} marks "${start}" and ${ends} marks "${end}"` };
  const first = lines.find(({ words }) => words === start);
  const last = lines.find(({ words }) => words === end);
  if (first === undefined || last === undefined)
    return { problem: 'a mark does not stand alone on its line, or stands in code' };
  if (first.at > last.at) return { problem: 'the mark of the end stands before that of the start' };
  return { from: first.end, to: last.at };
}

/** The lines of a section: those that are there, as they are, and the new ones after them. */
function mergeLines(inside: string, patterns: readonly LearnedPattern[]): string[] {
  const kept = inside.split(/\r?\n/u).filter((line) => line.trim() !== '' && line !== heading);
  return [...new Set([...kept, ...patterns.map(lineOfPattern)])].slice(-mostLines);
}

/**
 * The document with the patterns in its section; without one the section is added at the end. A document whose marks
 * are damaged is not changed, and the reason is given.
 */
export function updatePatternSection(
  docText: string,
  patterns: readonly LearnedPattern[],
  { marker = 'issues-loop:auto-patterns', minConfidence = 0, most = 50 }: PatternLimits = {},
): { readonly text: string } | { readonly problem: string } {
  if (docText.length > longestDocument) return { problem: 'it is longer than a million characters' };
  if (!/^[A-Za-z0-9][A-Za-z0-9:._-]{0,59}$/u.test(marker) || marker.includes('--'))
    return { problem: 'the name of the marks is no plain word' };
  const [start, end] = [`<!-- ${marker}:start -->`, `<!-- ${marker}:end -->`];
  const place = findPlace(docText, start, end);
  if (place !== null && 'problem' in place) return place;
  const chosen = patterns
    .filter(({ statement, confidence }) => statement.trim() !== '' && (confidence ?? 0) >= minConfidence)
    .slice(0, most);
  const newLine = /\r\n/u.test(docText) ? '\r\n' : '\n';
  const inside = place === null ? '' : docText.slice(place.from, place.to);
  const lines = mergeLines(inside, chosen);
  // Nothing to add leaves every byte as it is, in the section too.
  if (chosen.length === 0 || lines.join('\n') === mergeLines(inside, []).join('\n')) return { text: docText };
  const section = [heading, '', ...lines, ''].join(newLine);
  if (place !== null) return { text: docText.slice(0, place.from) + section + docText.slice(place.to) };
  const gap = docText === '' ? '' : docText.endsWith('\n') ? newLine : newLine + newLine;
  return { text: `${docText}${gap}${start}${newLine}${section}${end}${newLine}` };
}
