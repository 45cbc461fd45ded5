/**
 * Reads a YAML file of any author. What a file can cost is limited: its size, its depth, and what its
 * aliases grow to. Every fault is a problem with a place; nothing is thrown.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { type Comment, readComments } from './read-comments.ts';
import type { Place, YamlEntry, YamlNode, YamlScalar } from './yaml-tree.ts';

/** Characters; the largest workflow files in use have a tenth of this. */
export const largestFile = 512 * 1024;
const deepest = 64;
/** With everything that aliases repeat. */
const mostNodes = 100_000;
const mostProblems = 20;

type YamlFault =
  | 'file-too-large'
  | 'yaml-invalid'
  | 'yaml-too-deep'
  | 'yaml-too-many-nodes'
  | 'duplicate-key'
  | 'merge-key';

interface YamlProblem {
  readonly fault: YamlFault;
  readonly detail: string;
  readonly at: Place;
}

export interface YamlFile {
  readonly root: YamlNode | null;
  readonly problems: readonly YamlProblem[];
  readonly comments: readonly Comment[];
}

/** Stops reading: the limits are there for what costs too much to go on with. */
class LimitReached extends Error {
  readonly fault: YamlFault;
  readonly at: Place;

  constructor(fault: YamlFault, at: Place) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

function makePlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

const opening = '$' + '{{';

class TreeReader {
  readonly #text: string;
  readonly #placeOf: (offset: number) => Place;
  readonly #commentAt: (line: number) => string;
  readonly #problems: YamlProblem[];
  readonly #anchors = new Map<string, Node>();
  #count = 0;

  constructor(
    text: string,
    placeOf: (offset: number) => Place,
    commentAt: (line: number) => string,
    problems: YamlProblem[],
  ) {
    this.#text = text;
    this.#placeOf = placeOf;
    this.#commentAt = commentAt;
    this.#problems = problems;
  }

  #report(fault: YamlFault, detail: string, at: Place): void {
    if (this.#problems.length < mostProblems) this.#problems.push({ fault, detail, at });
  }

  #scalar(value: unknown, source: string | undefined, range: readonly number[]): YamlScalar {
    const [start = 0, end = start] = range;
    const openings: Place[] = [];
    for (let at = this.#text.indexOf(opening, start); at !== -1 && at < end; )
      [openings[openings.length], at] = [this.#placeOf(at), this.#text.indexOf(opening, at + 1)];
    const isText = typeof value === 'string';
    return {
      kind: 'scalar',
      text: isText ? value : (source ?? (value === null ? '' : String(value))),
      isText,
      at: this.#placeOf(start),
      openings,
      comment: this.#commentAt(this.#placeOf(Math.max(start, end - 1)).line),
    };
  }

  #key(key: unknown, depth: number): { readonly text: string; readonly at: Place } {
    const node = this.read(key as Node | null, depth + 1, { line: 1, column: 1 });
    return { text: node.kind === 'scalar' ? node.text : '', at: node.at };
  }

  /** `<<` brings in what the map does not say itself. */
  #merge(value: YamlNode, into: YamlEntry[], seen: Set<string>): void {
    const maps = value.kind === 'list' ? value.items : [value];
    for (const map of maps)
      for (const entry of map.kind === 'map' ? map.entries : [])
        if (!seen.has(entry.key)) {
          seen.add(entry.key);
          into.push(entry);
        }
  }

  #entries(pairs: readonly Pair[], depth: number, at: Place): YamlEntry[] {
    const entries: YamlEntry[] = [];
    const merged: YamlNode[] = [];
    // GitHub compares keys without regard to capitals.
    const capitals = new Set<string>();
    for (const pair of pairs) {
      const key = this.#key(pair.key, depth);
      const value = this.read(pair.value as Node | null, depth + 1, key.at);
      if (key.text === '<<') {
        this.#report('merge-key', '', key.at);
        merged.push(value);
        continue;
      }
      if (capitals.has(key.text.toUpperCase())) this.#report('duplicate-key', key.text, key.at);
      capitals.add(key.text.toUpperCase());
      entries.push({ key: key.text, at: key.at, value });
    }
    const seen = new Set(entries.map(({ key }) => key));
    for (const value of merged) this.#merge(value, entries, seen);
    if (entries.length > mostNodes) throw new LimitReached('yaml-too-many-nodes', at);
    return entries;
  }

  /** @param around where it is said to stand when it is empty, and has no place of its own */
  read(node: Node | null | undefined, depth: number, around: Place): YamlNode {
    const range = node?.range ?? null;
    const at = range === null ? around : this.#placeOf(range[0]);
    this.#count += 1;
    if (this.#count > mostNodes) throw new LimitReached('yaml-too-many-nodes', at);
    if (depth > deepest) throw new LimitReached('yaml-too-deep', at);
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      // A repeated node stands where it is written; the parser reports an alias without an anchor.
      return this.read(target ?? null, depth + 1, at);
    }
    if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node as Node);
    }
    if (isMap(node)) return { kind: 'map', at, entries: this.#entries(node.items as Pair[], depth, at) };
    if (isSeq(node))
      return {
        kind: 'list',
        at,
        items: node.items.map((item) => this.read(item as Node | null, depth + 1, at)),
      };
    if (isScalar(node)) return this.#scalar(node.value, node.source, range ?? [0, 0]);
    return { kind: 'scalar', text: '', isText: false, at, openings: [], comment: this.#commentAt(at.line) };
  }
}

const nowhere: Place = { line: 1, column: 1 };

export function readYaml(text: string): YamlFile {
  if (text.length > largestFile)
    return { root: null, comments: [], problems: [{ fault: 'file-too-large', detail: '', at: nowhere }] };
  const placeOf = makePlaces(text);
  const problems: YamlProblem[] = [];
  try {
    const { comments, levels } = readComments(text, placeOf);
    if (levels > deepest) throw new LimitReached('yaml-too-deep', nowhere);
    const behind = new Map(comments.map((comment) => [comment.at.line, comment.text]));
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      // We look for them ourselves: the parser compares each key with each.
      uniqueKeys: false,
      prettyErrors: false,
      // Silent, it would not report a second document.
      logLevel: 'error',
    });
    for (const { message, pos } of document.errors.slice(0, mostProblems))
      problems.push({ fault: 'yaml-invalid', detail: message.split('\n')[0] ?? '', at: placeOf(pos[0]) });
    const reader = new TreeReader(text, placeOf, (line) => behind.get(line) ?? '', problems);
    return { root: reader.read(document.contents, 0, nowhere), problems, comments };
  } catch (error) {
    if (error instanceof LimitReached)
      return {
        root: null,
        comments: [],
        problems: [...problems, { fault: error.fault, detail: '', at: error.at }],
      };
    // The parser calls itself for each level, so a file that is deep enough exhausts the stack.
    if (error instanceof RangeError)
      return { root: null, comments: [], problems: [{ fault: 'yaml-too-deep', detail: '', at: nowhere }] };
    throw error;
  }
}
