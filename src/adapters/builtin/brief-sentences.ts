/** Cuts a paragraph of a brief into its sentences, each with its own Markdown source. Code, links and HTML are never cut. */
import type { Nodes, Paragraph, PhrasingContent } from 'mdast';
import { parseMarkdown, plainText } from '../../domain/text/markdown.ts';

export interface Sentence {
  /** On one line, as it was written. */
  readonly source: string;
  readonly nodes: readonly Nodes[];
  /** The source of each node. */
  readonly pieces: readonly string[];
  /** Its words without code, addresses and HTML, in which any word may stand. */
  readonly spoken: string;
  /** Whether it stands at the beginning of a line. */
  readonly beginsLine?: true;
}

/** A part of the paragraph that is moved whole: everything but words. */
interface Atom {
  readonly source: string;
  readonly node: PhrasingContent;
}

/** Stands for an atom in the text that is cut; people do not type these characters. */
const firstAtom = 0xe000;
const mostAtoms = 0x1900;
const atomSign = /[\uE000-\uF8FF]/u;
const atomSigns = /[\uE000-\uF8FF]/gu;

/** Lines shorter than this are notes, one on each line, and no text that an editor has wrapped. */
const shortestWrap = 50;

/** The marks of quotes and the white space before a line that goes on are not part of it. */
function joinLines(source: string, quotes: number): string[] {
  const marks = new RegExp(`^(?:[ \\t]*>){0,${quotes}}[ \\t]*`, 'u');
  return source.split('\n').map((line, index) => (index === 0 ? line : line.replace(marks, '')));
}

interface Flat {
  readonly text: string;
  readonly atoms: readonly Atom[];
}

function flatten(text: string, paragraph: Paragraph, quotes: number): Flat | null {
  const atoms: Atom[] = [];
  let flat = '';
  for (const node of paragraph.children) {
    const written = text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
    const lines = joinLines(written, quotes);
    if (node.type === 'break') {
      flat += '\n\n';
    } else if (node.type === 'text') {
      // What stands for atoms must not stand there itself.
      if (atomSign.test(written)) return null;
      flat += lines.join('\n');
    } else {
      if (atoms.length >= mostAtoms) return null;
      flat += String.fromCharCode(firstAtom + atoms.length);
      atoms.push({ source: lines.join(' '), node });
    }
  }
  return { text: flat, atoms };
}

function lengthOf({ atoms }: Flat, line: string): number {
  let length = line.length;
  for (const [sign] of line.matchAll(atomSigns))
    length += (atoms[sign.charCodeAt(0) - firstAtom]?.source.length ?? 1) - 1;
  return length;
}

/** Lines that begin something of their own, wherever the line before them ends. */
const ownLine =
  /^(?:todo|fixme|xxx|tbd|note|nb|labels?|files?|dateien|depends?|blocked|requires?|out of scope|not now|later|später|offen|frage|question|q|hängt|from|to|cc|date|subject|sent|betreff|von|an|datum|\?+)\b\s*[:(#-]?/iu;

/** A line goes on in the next one where the next word had no room on it; in prose also where no sentence ends. */
function joinWrapped(flat: Flat): string {
  const lines = flat.text.split('\n').map((line) => line.trimEnd());
  const width = Math.max(...lines.map((line) => lengthOf(flat, line)));
  const isProse = /[.!?…]["'’”»)]*$/u.test(lines.at(-1) ?? '');
  let joined = lines[0] ?? '';
  for (const [index, line] of lines.slice(1).entries()) {
    const before = lines[index] ?? '';
    const [word = ''] = line.split(/\s/u);
    const hadRoom = lengthOf(flat, before) + 1 + lengthOf(flat, word) <= width;
    const goesOn = isProse && /^\p{Ll}/u.test(line) && /[\p{L}\p{N},]$/u.test(before);
    const isWrapped = ((width >= shortestWrap && !hadRoom) || goesOn) && !ownLine.test(line);
    joined += `${isWrapped ? ' ' : '\n'}${line}`;
  }
  return joined;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|v\.\s?a|etc|vs|cf|bzw|ca|nr|no|approx|evtl|ggf|inkl|usw|max|min|resp|\p{L}|\d{1,2})$/iu;

function cutSentences(line: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of line.matchAll(/([.!?…]+)["'’”»)\]*_]*\s+/gu)) {
    const end = match.index + match[0].length;
    if (match[1] === '.' && abbreviation.test(line.slice(from, match.index))) continue;
    sentences.push(line.slice(from, end));
    from = end;
  }
  return [...sentences, line.slice(from)].map((one) => one.trim()).filter((one) => one !== '');
}

/** Text without any sign that Markdown could take for a mark. */
export const plainWords = /^\p{L}[\p{L}\p{N} ,;'()/"-]*(?:\.(?: |$)[\p{L}\p{N} ,;'()/"-]*)*$/u;

/** What the words of a piece of source are; null when it is more than words. */
function readWords(source: string): Nodes | null {
  if (plainWords.test(source)) return { type: 'text', value: source };
  const [only, ...rest] = parseMarkdown(`x${source}x`).children;
  if (only?.type !== 'paragraph' || rest.length > 0) return null;
  const [words, ...more] = only.children;
  if (words?.type !== 'text' || more.length > 0) return null;
  return { type: 'text', value: words.value.slice(1, -1) };
}

function readSentence(flat: string, atoms: readonly Atom[]): Sentence | null {
  let spoken = '';
  const nodes: Nodes[] = [];
  const pieces: string[] = [];
  for (const part of flat.split(/([\uE000-\uF8FF])/u).filter((one) => one !== '')) {
    const atom = atomSign.test(part) ? atoms[part.charCodeAt(0) - firstAtom] : undefined;
    const node = atom === undefined ? readWords(part) : atom.node;
    if (node === null) return null;
    nodes.push(node);
    pieces.push(atom?.source ?? part);
    spoken += speak(node);
  }
  return { source: pieces.join(''), nodes, pieces, spoken: spoken.replace(/\s+/gu, ' ').trim() };
}

/** Addresses hold any sign, and in quotation marks stands what a program says. */
const address = /(?:https?:\/\/|www\.|mailto:)\S+/giu;
const speech = /(?<=^|[\s(])"[^"]{1,200}"|[“„][^“”]{1,200}[“”]|«[^»]{1,200}»/gu;

function speak(node: Nodes): string {
  if (node.type === 'html') return ' ';
  if (node.type === 'inlineCode') return '…';
  return plainText(node, { withoutCode: true });
}

/** What a sentence says in words of its own. */
export function spokenWords({ spoken }: Pick<Sentence, 'spoken'>): string {
  return spoken.replace(address, '…').replace(speech, '…');
}

/** `quotes`: how many quotes the paragraph stands in. The whole paragraph is one sentence where it cannot be cut. */
export function sentencesOf(text: string, paragraph: Paragraph, quotes = 0): Sentence[] {
  const flat = flatten(text, paragraph, quotes);
  const written = text.slice(paragraph.position?.start.offset ?? 0, paragraph.position?.end.offset ?? 0);
  const whole: Sentence = {
    source: joinLines(written, quotes).join(' '),
    nodes: paragraph.children,
    pieces: [],
    spoken: paragraph.children.map(speak).join('').replace(/\s+/gu, ' ').trim(),
    beginsLine: true,
  };
  // Struck-out words begin and end with a mark that must not be parted.
  if (flat === null || written.includes('~~')) return [whole];
  const sentences: Sentence[] = [];
  for (const line of joinWrapped(flat).split('\n')) {
    for (const [index, part] of cutSentences(line).entries()) {
      const sentence = readSentence(part, flat.atoms);
      if (sentence === null) return [whole];
      sentences.push(index === 0 ? { ...sentence, beginsLine: true } : sentence);
    }
  }
  return sentences;
}

/** A sentence that is too long, up to a word of it; what is no word is left whole or left out. */
export function shorten(sentence: Sentence, longest: number): Sentence {
  if (sentence.source.length <= longest) return sentence;
  const nodes: Nodes[] = [];
  let source = '';
  for (const [index, piece] of sentence.pieces.entries()) {
    const node = sentence.nodes[index];
    if (node === undefined) break;
    const room = longest - source.length;
    if (piece.length <= room) {
      nodes.push(node);
      source += piece;
      continue;
    }
    const words = node.type === 'text' ? node.value.slice(0, Math.max(0, room)) : '';
    const cut = words.slice(0, Math.max(0, words.lastIndexOf(' ')));
    nodes.push({ type: 'text', value: `${cut}…` });
    source += `${cut.replace(/[\\`*_[\]<>#|~&]/gu, (mark) => `\\${mark}`)}…`;
    break;
  }
  return { source, nodes, pieces: [], spoken: source };
}

/** Texts that stand one after the other are one text. */
export function joinTexts(nodes: readonly Nodes[]): Nodes[] {
  const joined: Nodes[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', value: last.value + node.value };
    else joined.push(node);
  }
  return joined;
}

/** Two sentences as one that is carried whole. */
export function joinSentences(one: Sentence, other: Sentence): Sentence {
  return {
    source: `${one.source} ${other.source}`,
    nodes: joinTexts([...one.nodes, { type: 'text', value: ' ' }, ...other.nodes]),
    pieces: [],
    spoken: `${one.spoken} ${other.spoken}`,
  };
}
