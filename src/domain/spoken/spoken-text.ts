/**
 * What the writer of a comment says in their own words: the plain text of its paragraphs, headings and list items, as
 * the forge shows them. Quotes, code, tables, struck-out text, boxes to tick, links, pictures, footnotes, formulas,
 * HTML and what comes with a mail are not the writer's words; nor is a sign that is written in disguise. Everything
 * that gives orders, approves or dismisses reads comments through this file.
 */
import type { Blockquote, Nodes, RootContent } from 'mdast';
import { withoutTangles } from '../text/limit-markdown.ts';
import { isTooDeep, parseAsWritten, sourceOf } from '../text/markdown.ts';
import { OpenElements } from './spoken-elements.ts';
import { cutMail, isSurelyMail } from './spoken-mail.ts';

/** Stands in place of something that is not the writer's words; people do not type this character. */
export const gap = '\uFFFC';

/** People do not nest this deep; a text that does is only meant to exhaust the stack. */
const deepest = 50;

/** Entities that programs write instead of a sign, and that do not deceive a reader. */
const plainEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
};

/** Boxes that the forge does not take for boxes are none to tick either. */
const box = /^(?:[-+*•]\s*)?[[［]\s{0,2}.?\s{0,2}[\]］](?![([])/u;
const boxItem = /^(?:[-+*]|\d{1,9}[.)])\s+[[［]\s{0,2}.?\s{0,2}[\]］](?![([])/u;

/** A block is a list of lines. */
type Block = readonly string[];

/**
 * `aside`: words of the writer that are taken back or not yet meant: struck out, in a box to tick, in an element of
 * HTML.
 */
type Voice = 'own' | 'aside' | 'theirs';

class Listener {
  readonly blocks: Block[] = [];
  readonly asides: string[] = [];
  readonly quotes: string[] = [];
  /** Of the quotes, those that the writer chose, and no mail program brought along. */
  readonly passages: string[] = [];
  #passageDepth = 0;
  /** How many points of lists the writer made. */
  points = 0;
  /** Lines that were cut off as part of a mail. */
  #cut: string[] = [];
  #isPartial: boolean;
  readonly #elements = new OpenElements();
  readonly #text: string;
  /** `quote`: the line before said who wrote what follows. */
  #mail: 'more' | 'quote' | 'nothing' = 'more';

  constructor(text: string, isPartial: boolean) {
    this.#text = text;
    this.#isPartial = isPartial;
  }

  /** Whether something that readers see, and that may be the writer's own words, is in none of the lists. */
  get isPartial(): boolean {
    return this.#isPartial || (this.#cut.length > 0 && !isSurelyMail(this.#cut));
  }

  hear(node: RootContent, voice: Voice, depth: number): void {
    if (depth > deepest) {
      this.#elements.lose();
      this.#isPartial = true;
      return;
    }
    const keep = (text: string): void => {
      if (voice === 'own') this.#keep(text);
    };
    switch (node.type) {
      case 'paragraph':
      case 'heading':
        keep(this.#inline(node, voice, depth));
        // Two hyphens under a line begin a signature, and make a heading of the line.
        if (node.type === 'heading' && /\n[ \t]*--[ \t]*$/u.test(sourceOf(this.#text, node))) {
          if (this.#mail === 'more') this.#cut.push('--');
          this.#mail = 'nothing';
        }
        break;
      case 'html':
        if (this.#elements.read(node.value) !== 'thing') break;
        keep(gap);
        if (voice !== 'theirs') this.asides.push(node.value);
        break;
      case 'code':
        keep(gap);
        if (voice === 'theirs') this.#quote(gap);
        break;
      case 'table':
        keep(gap);
        this.#hearAll(node.children, 'theirs', depth);
        break;
      case 'blockquote':
        this.#hearQuote(node, voice, depth);
        break;
      case 'listItem': {
        // A box to tick is a list of what is to be done or was, and no speech, whether it is ticked or not.
        if (voice === 'own') this.points += 1;
        const isBox = typeof node.checked === 'boolean' || boxItem.test(sourceOf(this.#text, node));
        if (isBox) keep(gap);
        this.#hearAll(node.children, isBox && voice === 'own' ? 'aside' : voice, depth);
        break;
      }
      default:
        if ('children' in node) this.#hearAll(node.children, voice, depth);
    }
  }

  #hearQuote(node: Blockquote, voice: Voice, depth: number): void {
    const source = sourceOf(this.#text, node);
    // A note or a warning looks like a quote in Markdown, and is said by the writer.
    if (voice === 'own' && (alert.test(source) || isContinued(source))) this.#isPartial = true;
    const isChosen = this.#mail === 'more';
    if (isChosen) this.#passageDepth += 1;
    this.#hearAll(node.children, 'theirs', depth);
    if (isChosen) this.#passageDepth -= 1;
    if (this.#mail === 'quote') this.#mail = 'more';
  }

  /** Code and pictures in a quote are a `gap`: they are quoted, too. */
  #quote(words: string): void {
    this.quotes.push(words);
    if (this.#passageDepth > 0) this.passages.push(words);
  }

  #hearAll(nodes: readonly RootContent[], voice: Voice, depth: number): void {
    for (const node of nodes) this.hear(node, voice, depth + 1);
  }

  #keep(text: string): void {
    // Nothing but a quote belongs to the line that says who wrote it.
    if (this.#mail === 'quote') this.#mail = 'nothing';
    const written = text.split('\n').map((line) => line.replace(/\s+/gu, ' ').trim());
    if (this.#mail === 'nothing') {
      for (const line of written) this.#cut.push(line);
      return;
    }
    const { said, next } = cutMail(written);
    this.#mail = next;
    const rest = written.slice(said.length);
    // A second one after a first: the first has to be a mail by itself.
    if (rest.length > 0 && this.#cut.length > 0 && !isSurelyMail(this.#cut)) this.#isPartial = true;
    if (rest.length > 0) this.#cut = rest;
    if (said.some(endsWords)) this.#isPartial = true;
    const lines = plainLines(said).filter((line) => line !== '');
    if (lines.length > 0) this.blocks.push(lines);
  }

  #inline(node: Nodes, voice: Voice, depth: number): string {
    if (depth > deepest) {
      this.#elements.lose();
      return gap;
    }
    switch (node.type) {
      case 'text':
        if (voice === 'own' && !this.#elements.isInside) return node.value;
        if (voice === 'theirs') this.#quote(node.value);
        else this.asides.push(node.value);
        return gap;
      case 'break':
        return '\n';
      case 'html': {
        const left = this.#elements.read(node.value);
        return left === 'nothing' ? ' ' : left === 'break' ? '\n' : gap;
      }
      case 'paragraph':
      case 'heading':
      case 'emphasis':
      case 'strong':
        return this.#joined(node.children, voice, depth);
      default:
        // HTML that is opened in it goes on after it.
        if ('children' in node)
          this.#joined(node.children, node.type === 'delete' && voice === 'own' ? 'aside' : 'theirs', depth);
        else if (voice === 'theirs') this.#quote(gap);
        return gap;
    }
  }

  #joined(nodes: readonly Nodes[], voice: Voice, depth: number): string {
    let text = '';
    for (const node of nodes) {
      const next = this.#inline(node, voice, depth + 1);
      // A word that is half emphasised is not the word that it looks like.
      const isSplit = /[\p{L}\p{N}_@/.-]$/u.test(text.slice(-2)) && /^[\p{L}\p{N}_@-]/u.test(next);
      text += isSplit ? gap + next : next;
    }
    return text;
  }
}

const footnote = /^\[\^[^\]\s]+\]:/u;
const quoted = /^[>\uFF1E]/u;
const alert = /^>[ \t]*\[!/u;
/** A line without a mark right under a quote: Markdown shows it in the quote, and it may be an answer to it. */
const isContinued = (source: string): boolean =>
  source.split('\n').some((line) => !quoted.test(line.trimStart()));
const address = /(?:https?:\/\/|www\.|mailto:)\S+/giu;
const formula = /\$\$[^$]*(?:\$\$|$)|\$(?=\S)[^$]*?(?<=\S)\$(?!\d)/gu;
/** Marks that make a line look other than it is written. */
const turned = /[\u202A-\u202E\u2066-\u2069]/u;
/** In quotation marks stands what others say. Without a call in it that matters only to those who read every word. */
const speech = /(?<=^|[\s(])"[^"]*(?:"|$)|[“„][^“”]*(?:[“”]|$)|«[^»]*(?:»|$)/gu;

function endsWords(line: string): boolean {
  return footnote.test(line) || quoted.test(line);
}

/** The lines of one block, trimmed as they came, without what is shown as something else than words. */
function plainLines(lines: readonly string[]): string[] {
  const end = lines.findIndex(endsWords);
  const said = end === -1 ? lines : lines.slice(0, end);
  const text = said.join('\n');
  if (turned.test(text) || box.test(text)) return [gap];
  return text
    .replace(address, gap)
    .replace(formula, gap)
    .replace(speech, (words) => (words.includes('@') ? gap : words))
    .split('\n');
}

/** Settings at the head of a file, between lines of hyphens. */
const frontMatter = /^---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)/u;

/** The text up to the first line that nests too deep to be parsed: what such a line holds may go on after it. */
function untilTooDeep(text: string): string {
  if (!isTooDeep(text)) return text;
  const lines = text.split('\n');
  return lines.slice(0, lines.findIndex(isTooDeep)).join('\n');
}

type Heard = Pick<Listener, 'blocks' | 'asides' | 'quotes' | 'passages' | 'points' | 'isPartial'>;

/** The last few comments: one is looked at for its calls, for an approval and for dismissals. */
const recent = new Map<string, Heard>();
const kept = 4;

function listen(markdown: string): Heard {
  const known = recent.get(markdown);
  if (known !== undefined) return known;
  const written = markdown.replace(/\r\n?/gu, '\n');
  const text = written.replace(frontMatter, '');
  const untangled = withoutTangles(text);
  const readable = untilTooDeep(untangled);
  const root = parseAsWritten(
    readable,
    (sign) => (sign === '@' ? gap : sign),
    (name) => (Object.hasOwn(plainEntities, name) ? (plainEntities[name] ?? gap) : gap),
  );
  const listener = new Listener(readable, text !== written || readable !== untangled);
  for (const node of root.children) listener.hear(node, 'own', 0);
  recent.set(markdown, listener);
  for (const oldest of recent.keys()) {
    if (recent.size <= kept) break;
    recent.delete(oldest);
  }
  return listener;
}

/** The blocks that are the writer's own words, line by line, with a `gap` for what stands in them beside words. */
export function spokenLines(markdown: string): readonly Block[] {
  return listen(markdown).blocks;
}

/**
 * Words that the writer wrote but does not mean: struck out, in a box to tick, in HTML. Used to ask what the writer
 * means.
 */
export function spokenAsides(markdown: string): readonly string[] {
  return listen(markdown).asides;
}

/** What the writer quotes: the words that the comment answers, as far as it says so. */
export function spokenQuotes(markdown: string): readonly string[] {
  return listen(markdown).quotes;
}

/** What the writer chose to quote, without what came with a mail. */
export function spokenPassages(markdown: string): readonly string[] {
  return listen(markdown).passages;
}

/** Whether the writer made a list: a list of steps says what is to be done, by anyone and at any time. */
export function hasPoints(markdown: string): boolean {
  return listen(markdown).points > 1;
}

/** Whether the writer may say more than is read here: readers see it, and it was left out. Then nothing is agreed to. */
export function isPartlyRead(markdown: string): boolean {
  return listen(markdown).isPartial;
}

/** The writer's own words, each block on one line. */
export function spokenBlocks(markdown: string): string[] {
  return spokenLines(markdown).map((lines) => lines.join(' '));
}

const before = /^[\s(,;–—]?$/u;
const after = /^(?:$|[\s,;)–—]|[.:!?…]{1,9}(?:$|[\s)]))/u;

/** Where in a block the writer calls an agent by `@handle`. Longer names, addresses and look-alikes do not count. */
function findCalls(block: string, handle: string): number[] {
  const name = `@${handle.toLowerCase()}`;
  const found: number[] = [];
  for (let at = block.indexOf('@'); at !== -1; at = block.indexOf('@', at + 1)) {
    const called = block.slice(at, at + name.length);
    // Only letters of ASCII have a capital here: some others become one of them in lower case.
    const isCalled = called.replace(/[A-Z]/gu, (letter) => letter.toLowerCase()) === name;
    const end = at + name.length;
    if (
      isCalled &&
      before.test(block.slice(Math.max(0, at - 1), at)) &&
      after.test(block.slice(end, end + 10))
    )
      found.push(at);
  }
  return found;
}

/** Whether the writer calls an agent by `@handle`. */
export function mentions(markdown: string, handle: string): boolean {
  return spokenBlocks(markdown).some((block) => findCalls(block, handle).length > 0);
}

/** The words of one line without the call to `@handle`. */
export function withoutMention(block: string, handle: string): string {
  let rest = '';
  let from = 0;
  for (const at of findCalls(block, handle)) {
    rest += `${block.slice(from, at)} `;
    from = at + 1 + handle.length;
    if (/[,:]/u.test(block.charAt(from))) from += 1;
  }
  return (rest + block.slice(from)).replace(/\s+/gu, ' ').trim();
}

/** The parts of a block that begin with the call to `@handle`, each being a sentence of its own. */
export function calledSentences(block: string, handle: string): string[] {
  const starts = findCalls(block, handle).filter(
    (at) => at === 0 || ['. ', '! ', '; '].includes(block.slice(Math.max(0, at - 2), at)),
  );
  return starts.map((at, index) => block.slice(at, starts[index + 1]).trim());
}
