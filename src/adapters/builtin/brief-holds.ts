/**
 * Finds the lists of a brief that their introduction takes back ("It must not:", "Out of scope:", "Already done:"), and
 * those of which it is not clear whether they are asked for. Both stay together with their introduction, and so does a
 * list under a heading that speaks of neither ("Constraints:").
 */
import type { List, ListItem, Paragraph, Root, RootContent } from 'mdast';
import { collectNodes } from '../../domain/text/markdown.ts';
import { goesOn, isWelcome, pointsOn, refusalOf } from './brief-refusals.ts';
import { type Sentence, sentencesOf, spokenWords } from './brief-sentences.ts';
import { isDependency, isDoubt, isPutOff, isRequired, isWish, type Target, targetOf } from './brief-words.ts';
import { blocksSource, spanSource } from './carry-markdown.ts';

/** Something that is carried only as a whole, with the words that say how it is meant. */
export interface Held {
  /** Taken back or done; a question to a person; or a list under a heading, which is carried over as it stands. */
  readonly kind: 'refused' | 'asked' | 'carried';
  /** The heading or the introduction. */
  readonly lead: Sentence;
  /** What stands under it. */
  readonly nodes: readonly RootContent[];
  readonly source: string;
  /** The heading or the introduction as a block; null when it stands in the nodes. */
  readonly head: { readonly node: RootContent; readonly source: string } | null;
}

export interface Holding {
  readonly held: Held[];
  /** Blocks and items that stand in what is held. */
  readonly out: Set<RootContent | ListItem>;
  /** The sentences of a paragraph that do. */
  readonly cut: Map<Paragraph, { readonly from: number; readonly to: number }>;
}

const endsWithColon = (spoken: string): boolean => /[:：][\s*_)"'”–—-]*$/u.test(spoken);

/** A line in bold or slanted letters is a heading by another name. */
function isBold({ nodes }: Sentence): boolean {
  const said = nodes.filter((node) => !(node.type === 'text' && /^[\s:.]*$/u.test(node.value)));
  return said.length > 0 && said.every((node) => node.type === 'strong' || node.type === 'emphasis');
}

const listTargets: readonly (Target | null)[] = [
  'Requirements',
  'Acceptance Criteria',
  'UX Flow',
  'Objective',
];

/** What stands under these words is known about the work; it is not the work. */
const remarks =
  /^\W{0,4}(?:further |other |more |side |weitere )?(?:notes?|remarks?|comments?|background|context|facts|links|references|notizen|anmerkungen|bemerkungen|hinweise|hintergrund|kontext|fakten|quellen)[\s*_:：]*$/iu;

/** What a line that can only be an introduction says about the list under it. */
function readTitleLine(spoken: string, isBeforeList: boolean): Held['kind'] | null {
  const refusal = refusalOf(spoken);
  if (refusal === 'refused' && !isDoubt(spoken)) return 'refused';
  if (!isBeforeList) return null;
  if (refusal !== null || isDoubt(spoken)) return 'asked';
  if (remarks.test(spoken)) return 'carried';
  const target = targetOf(spoken);
  const isRead = target === null ? isWish(spoken) || isWelcome(spoken) : listTargets.includes(target);
  if (isRead) return null;
  return target !== 'Open Questions' && isHeadingLike(spoken) ? 'carried' : 'asked';
}

/**
 * A few words that name what stands under them ("Constraints:", "Hinweise:"). Words that ask, or say where something is
 * to be ("On mobile:"), may well ask for it.
 */
function isHeadingLike(spoken: string): boolean {
  // "Bob's list:" names a person, and not what the list is about.
  if (/['’]s(?![\p{L}])/u.test(spoken)) return false;
  const words = spoken.replace(/[:：*_\s]+$/u, '').split(/\s+/u);
  return words.length <= 3 && /^\p{Lu}/u.test(words[0] ?? '') && !opensOtherwise.test(words[0] ?? '');
}

const opensOtherwise =
  /^(?:who|what|which|how|when|why|where|whose|is|are|do|does|can|should|may|on|in|at|by|with|from|under|after|before|to|into|of|as|then|and|or|but|also|only|open|undecided|offene?[nrs]?|wer|was|welche[mnrs]?|wie|wann|warum|wo|wessen|auf|bei|mit|von|nach|vor|unter|im|am|zum|zur|als|dann|und|oder|aber|auch|nur)$/iu;

/** What an introduction says about the list under it; null when the list is to be read as any other. */
function readLead(sentence: Sentence, isAlone: boolean, isBeforeList: boolean): Held['kind'] | null {
  const { spoken } = sentence;
  if (endsWithColon(spoken) || (isAlone && isBold(sentence))) return readTitleLine(spoken, isBeforeList);
  const refusal = refusalOf(spoken);
  if (!isBeforeList || refusal === null || isDoubt(spoken)) return null;
  if (/[.!?…]["'’”»)*_]*$/u.test(spoken)) return pointsOn(spoken) ? refusal : null;
  // "Not now: the format side" has said what it is about.
  if (/:\s/u.test(spoken)) return null;
  return refusal === 'refused' || spoken.split(' ').length <= 4 ? refusal : null;
}

/** Whether a sentence asks for something by itself, after an introduction that takes back. */
function isOwnWish({ spoken }: Sentence): boolean {
  return isRequired(spoken) && refusalOf(spoken) === null;
}

const paragraphOf = (sentences: readonly Sentence[]): Paragraph[] =>
  sentences.map(({ nodes }) => ({ type: 'paragraph', children: nodes as Paragraph['children'] }));

class Holder implements Holding {
  readonly held: Held[] = [];
  readonly out = new Set<RootContent | ListItem>();
  readonly cut = new Map<Paragraph, { readonly from: number; readonly to: number }>();
  readonly #text: string;
  readonly #root: Root;

  constructor(text: string, root: Root) {
    this.#text = text;
    this.#root = root;
  }

  #hold(
    kind: Held['kind'],
    said: readonly Sentence[],
    blocks: readonly RootContent[],
    written?: string,
    isInside = false,
  ): void {
    const [lead, ...more] = said;
    if (lead === undefined) return;
    for (const block of blocks) this.out.add(block);
    const source = [
      ...more.map((one) => one.source),
      written ?? blocksSource(this.#text, blocks, this.#root.children),
    ];
    const [node] = paragraphOf([lead]);
    if (node === undefined) return;
    this.held.push({
      kind,
      lead,
      nodes: [...paragraphOf(more), ...blocks],
      source: source.filter((one) => one !== '').join('\n\n'),
      head: isInside ? null : { node, source: lead.source },
    });
  }

  /** Everything up to the next words or heading, and words that only go on. */
  #follow(nodes: readonly RootContent[], from: number, isOpen: boolean): number {
    let end = from;
    for (let isFirst = isOpen; end < nodes.length; isFirst = false) {
      const node = nodes[end];
      if (node === undefined || node.type === 'heading' || node.type === 'thematicBreak') break;
      if (node.type === 'paragraph') {
        const said = sentencesOf(this.#text, node);
        const isFragment = said.every(({ spoken }) => !/[.!?:]["'’”»)*_]*$/u.test(spoken));
        const isList = nodes[end + 1]?.type === 'list' && !goesOn.test(said[0]?.spoken ?? '');
        if (said.some(isOwnWish) || (!isFirst && (!isFragment || isList))) break;
      }
      end += 1;
    }
    return end;
  }

  #paragraph(nodes: readonly RootContent[], index: number, paragraph: Paragraph): number {
    const said = sentencesOf(this.#text, paragraph);
    const next = nodes[index + 1];
    for (const [from, sentence] of said.entries()) {
      const isLast = from === said.length - 1;
      const kind = readLead(sentence, said.length === 1, isLast && next?.type === 'list');
      const isPointing =
        !isLast &&
        refusalOf(sentence.spoken) === 'refused' &&
        pointsOn(sentence.spoken) &&
        !isDoubt(sentence.spoken) &&
        /[.!]\W*$/u.test(sentence.spoken);
      if (kind === null && !isPointing) continue;
      const own = said.findIndex((one, place) => place > from && isOwnWish(one));
      const to = own === -1 ? said.length : own;
      if (isPointing && /(?:this|it|that|das|es)\W*$/iu.test(sentence.spoken)) continue;
      const end =
        to < said.length
          ? index + 1
          : this.#follow(nodes, index + 1, isLast && endsWithColon(sentence.spoken));
      this.cut.set(paragraph, { from, to });
      const under = nodes.slice(index + 1, end);
      const isOpen = kind === 'carried' && this.#asks(under);
      this.#hold(isOpen ? 'asked' : (kind ?? 'refused'), said.slice(from, to), under);
      return end;
    }
    return index + 1;
  }

  /** Whether something in it is undecided, put off, or waits for another issue: a person has to look at it. */
  #asks(blocks: readonly RootContent[]): boolean {
    return collectNodes(blocks, 'paragraph')
      .flatMap((paragraph) => sentencesOf(this.#text, paragraph, 2))
      .some((one) => isDoubt(spokenWords(one)) || isPutOff(spokenWords(one)) || isDependency(one.spoken));
  }

  /** An item that introduces the items after it, or the list in it. */
  #list(list: List): void {
    let [kind, from, lead]: [Held['kind'] | null, number, Sentence | null] = [null, 0, null];
    const close = (to: number): void => {
      const items = list.children.slice(from, to);
      const [first, last] = [items[0], items.at(-1)];
      if (kind === null || lead === null) return;
      const block: List = { ...list, children: items };
      const written = first === undefined || last === undefined ? '' : spanSource(this.#text, first, last);
      for (const item of items) this.out.add(item);
      this.#hold(kind, [lead], items.length === 0 ? [] : [block], written);
    };
    for (const [index, item] of list.children.entries()) {
      const [head, ...rest] = item.children;
      const said = head?.type === 'paragraph' ? sentencesOf(this.#text, head, 2) : [];
      const last = said.at(-1);
      const isLead =
        last !== undefined && (endsWithColon(last.spoken) || (said.length === 1 && isBold(last)));
      if (!isLead) continue;
      close(index);
      kind = null;
      const found = readLead(last, said.length === 1, true);
      if (rest.length > 0) {
        if (found !== 'refused') continue;
        this.out.add(item);
        this.#hold(
          'refused',
          said.slice(-1),
          [{ ...list, children: [item] }],
          spanSource(this.#text, item, item),
          true,
        );
        continue;
      }
      if (refusalOf(last.spoken) === null) continue;
      [kind, from, lead] = [found, index + 1, last];
      if (kind !== null) this.out.add(item);
    }
    close(list.children.length);
  }

  read(nodes: readonly RootContent[]): void {
    for (let index = 0; index < nodes.length; ) {
      const node = nodes[index];
      if (node?.type === 'list') this.#list(node);
      index = node?.type === 'paragraph' ? this.#paragraph(nodes, index, node) : index + 1;
    }
  }
}

export function holdLists(text: string, root: Root, nodes: readonly RootContent[]): Holding {
  const holder = new Holder(text, root);
  holder.read(nodes);
  return holder;
}
