/** Puts the points of a brief where their words belong, and keeps what was put nowhere. */
import type { ListItem, Paragraph, Root, RootContent } from 'mdast';
import { OpenElements } from '../../domain/spoken/spoken-elements.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { collectNodes, plainText, sourceOf } from '../../domain/text/markdown.ts';
import { isFilesLine } from './brief-files.ts';
import { type Held, type Holding, holdLists } from './brief-holds.ts';
import { isLabelsLine, labelsOf, namesIn } from './brief-labels.ts';
import { isAnswer, isReport } from './brief-refusals.ts';
import { joinSentences, type Sentence, sentencesOf, spokenWords } from './brief-sentences.ts';
import { isDependency, isDoubt, isFrame, isPutOff, isStory, isWish } from './brief-words.ts';
import { blocksSource } from './carry-markdown.ts';

/** Something that the brief says: a point of a list, or a sentence. */
export type Point =
  | { readonly item: ListItem }
  | { readonly sentence: Sentence; readonly paragraph: Paragraph };

/** What a block of the brief holds besides what was put elsewhere. */
export type Part = Point | { readonly block: RootContent };

/** All that an item says in words, its inner lists included. */
function itemSentences(text: string, item: ListItem): Sentence[] {
  return collectNodes([item], 'paragraph').flatMap((paragraph) => sentencesOf(text, paragraph, 2));
}

const isElsewhere = (one: Sentence): boolean =>
  isDoubt(spokenWords(one)) || isPutOff(spokenWords(one)) || isDependency(one.spoken);

/** Something that only stands in its own form, as code. */
function codePoint(written: string): Point {
  const node = { type: 'inlineCode', value: written } as const;
  const source = inertCode(written, 2000);
  return {
    sentence: { source, nodes: [node], pieces: [source], spoken: '' },
    paragraph: { type: 'paragraph', children: [node] },
  };
}

export class PointReader {
  readonly text: string;
  readonly doubts: Point[] = [];
  readonly putOff: Point[] = [];
  readonly dependencies: Point[] = [];
  readonly answered: Point[] = [];
  /** Lines that name files. */
  readonly files: Sentence[] = [];
  readonly held: Held[] = [];
  readonly labels: string[] = [];
  readonly #root: Root;
  /** What is folded away or struck out in HTML is not said. */
  readonly #hidden = new Set<RootContent>();
  #holding: Holding = { held: [], out: new Set(), cut: new Map() };
  /** Whether a line of labels counts where it stands: nothing before it hands the word to another. */
  #setsLabels = false;
  readonly #asksAboutLabels: boolean;
  story: Paragraph | null = null;

  /** `asksAboutLabels`: it is for a person to say whether labels are meant that are not surely named. */
  constructor(text: string, root: Root, asksAboutLabels: boolean) {
    this.text = text;
    this.#root = root;
    this.#asksAboutLabels = asksAboutLabels;
    const elements = new OpenElements();
    for (const node of root.children) {
      if (node.type === 'html') elements.read(node.value);
      if (elements.isInside) this.#hidden.add(node);
    }
  }

  /** Puts a point where its words belong; false when nothing in it says so. */
  #place(point: Point, sentences: readonly Sentence[]): boolean {
    const places = [
      [this.doubts, (one: Sentence) => isDoubt(spokenWords(one))],
      [this.putOff, (one: Sentence) => isPutOff(spokenWords(one))],
      [this.dependencies, ({ spoken }: Sentence) => isDependency(spoken)],
    ] as const;
    let found = false;
    for (const [list, speaks] of places) {
      if (!sentences.some(speaks)) continue;
      list.push(point);
      found = true;
    }
    return found;
  }

  /** Questions that are answered right after; null when one of them is not. */
  #isAnswered(sentences: readonly Sentence[]): boolean {
    const asked = sentences.filter((one) => isDoubt(spokenWords(one)));
    return asked.length > 0 && asked.every((one) => answerOf(sentences, sentences.indexOf(one)) !== null);
  }

  #readItem(item: ListItem): Part[] {
    if (this.#holding.out.has(item)) return [];
    const [first] = item.children;
    const [head] = first?.type === 'paragraph' ? sentencesOf(this.text, first, 2) : [];
    const labels = head === undefined ? null : labelsOf(head);
    const isOne = item.children.length === 1 && typeof item.checked !== 'boolean';
    if (labels !== null && isOne && this.#setsLabels) {
      this.labels.push(...labels);
      return [];
    }
    if (head !== undefined && isOne && this.#isUnclear(head)) {
      this.doubts.push({ item });
      return [];
    }
    const sentences = itemSentences(this.text, item);
    if (head !== undefined && isOne && sentences.length === 1 && this.#takeFiles(head)) return [];
    if (
      typeof item.checked !== 'boolean' &&
      this.#isAnswered(sentences) &&
      !sentences.some(({ spoken }) => isWish(spoken))
    ) {
      this.answered.push({ item });
      return [];
    }
    if (isOne && first?.type === 'paragraph' && sentences.length > 1 && sentences.some(isElsewhere))
      return this.#readParagraph(first, 2);
    return this.#place({ item }, sentences) ? [] : [{ item }];
  }

  #readParagraph(paragraph: Paragraph, quotes = 0): Part[] {
    const cut = this.#holding.cut.get(paragraph);
    const all = sentencesOf(this.text, paragraph, quotes);
    const sentences = cut === undefined ? all : [...all.slice(0, cut.from), ...all.slice(cut.to)];
    if (quotes === 0 && isStory(sentences.map(({ spoken }) => spoken).join(' '))) {
      this.story ??= paragraph;
      for (const sentence of sentences) this.#place({ sentence, paragraph }, [sentence]);
      return [];
    }
    return sentences.flatMap((sentence, index) => {
      const labels = quotes === 0 ? labelsOf(sentence) : null;
      const before = all.slice(0, all.indexOf(sentence));
      if (labels !== null && this.#setsLabels && before.every((one) => this.#isHead(paragraph, one))) {
        this.labels.push(...labels);
        return [];
      }
      if (quotes === 0 && this.#isUnclear(sentence)) {
        this.doubts.push({ sentence, paragraph });
        return [];
      }
      if (labels !== null) return [{ sentence, paragraph }];
      if (quotes === 0 && this.#takeFiles(sentence)) return [];
      const answer = answerOf(sentences, index);
      if (answer !== null) {
        this.answered.push({ sentence: joinSentences(sentence, answer), paragraph });
        return [];
      }
      const asked = sentences[index - 1];
      if (asked !== undefined && answerOf(sentences, index - 1) === sentence && !isWish(sentence.spoken))
        return [];
      const point = { sentence, paragraph };
      return this.#place(point, [sentence]) ? [] : [point];
    });
  }

  /** A line of files, where it stands in the writer's own words and puts nothing off. */
  #takeFiles(sentence: Sentence): boolean {
    if (!this.#setsLabels || !isFilesLine(sentence) || isElsewhere(sentence)) return false;
    this.files.push(sentence);
    return true;
  }

  /** A line of labels that sets none is no requirement either. */
  #isUnclear(sentence: Sentence): boolean {
    return this.#asksAboutLabels && isLabelsLine(sentence);
  }

  /** What may stand before a line of labels in its paragraph: other fields, and the words that the brief begins with. */
  #isHead(paragraph: Paragraph, sentence: Sentence): boolean {
    const { spoken } = sentence;
    const isFirst = this.#root.children.find(({ type }) => type !== 'heading') === paragraph;
    const isField = isFilesLine(sentence) || isPutOff(spoken);
    return labelsHead(spoken) || ((isFirst || isField) && !isReport(spoken));
  }

  /** Whether a line of labels after a block is the writer's own: nothing hands the word to another. */
  #isOwnAfter(node: RootContent, isOwn: boolean): boolean {
    if (node.type !== 'paragraph') return isOwn || node.type === 'thematicBreak';
    const spoken = plainText(node).trim();
    return isOwn && !/:\W*$/u.test(spoken) && !(isFrame(spoken) && isReport(spoken));
  }

  /** Takes the labels of paragraphs that say nothing else, and gives the other blocks. */
  takeLabels(nodes: readonly RootContent[]): RootContent[] {
    let isOwn = true;
    return nodes.filter((node) => {
      const isRead = isOwn && node.type === 'paragraph' && !this.#hidden.has(node);
      const sentences = isRead ? sentencesOf(this.text, node) : [];
      const named = sentences.map(labelsOf);
      isOwn = this.#isOwnAfter(node, isOwn);
      if (named.length === 0 || named.includes(null)) return true;
      this.labels.push(...named.flatMap((names) => names ?? []));
      return false;
    });
  }

  /** Reads some blocks, and gives what was put nowhere else, in order. */
  read(nodes: readonly RootContent[]): Part[] {
    this.#holding = holdLists(this.text, this.#root, nodes);
    this.held.push(...this.#holding.held);
    let isOwn = true;
    return nodes.flatMap((node): Part[] => {
      this.#setsLabels = isOwn;
      isOwn = this.#isOwnAfter(node, isOwn);
      if (this.#holding.out.has(node)) return [];
      if (node.type === 'html' || this.#hidden.has(node)) return [{ block: node }];
      switch (node.type) {
        case 'list':
          return node.children.flatMap((item) => this.#readItem(item));
        case 'paragraph':
          return this.#readParagraph(node);
        case 'blockquote':
          for (const inner of collectNodes([node], 'paragraph')) this.#readParagraph(inner, 9);
          return [{ block: node }];
        case 'definition':
          return [];
        case 'table':
          for (const row of node.children) {
            const spoken = row.children.map((cell) => plainText(cell, { withoutCode: true }));
            if (spoken.some(isDoubt)) this.doubts.push(codePoint(sourceOf(this.text, row)));
          }
          return [{ block: node }];
        default:
          return [{ block: node }];
      }
    });
  }

  /** A heading may ask something, too. */
  readHeading(paragraph: Paragraph): void {
    for (const sentence of sentencesOf(this.text, paragraph)) {
      if (isDoubt(spokenWords(sentence))) this.doubts.push({ sentence, paragraph });
    }
  }

  /** Questions that the brief itself lists: all are open that it neither ticks nor answers. */
  readQuestions(nodes: readonly RootContent[], isAnswered = false): void {
    for (const node of nodes) {
      if (node.type === 'list') {
        for (const item of node.children) {
          const isClosed =
            typeof item.checked !== 'boolean' &&
            (isAnswered || this.#isAnswered(itemSentences(this.text, item)));
          (isClosed ? this.answered : this.doubts).push({ item });
        }
      } else if (node.type === 'paragraph') this.#readAsked(node, isAnswered);
    }
  }

  #readAsked(paragraph: Paragraph, isAnswered: boolean): void {
    const sentences = sentencesOf(this.text, paragraph);
    for (const [index, sentence] of sentences.entries()) {
      const answer = answerOf(sentences, index);
      if (answer !== null) this.answered.push({ sentence: joinSentences(sentence, answer), paragraph });
      else if (index > 0 && answerOf(sentences, index - 1) !== null) continue;
      else (isAnswered ? this.answered : this.doubts).push({ sentence, paragraph });
    }
  }

  /** What stands under a heading that says nothing but "Labels". */
  readLabels(nodes: readonly RootContent[]): void {
    for (const node of nodes) {
      const paragraphs =
        node.type === 'paragraph'
          ? [node]
          : node.type === 'list'
            ? node.children.flatMap(({ children: [only, ...rest], checked }) =>
                only?.type === 'paragraph' && rest.length === 0 && checked !== false ? [only] : [],
              )
            : [];
      for (const paragraph of paragraphs) this.labels.push(...(namesIn({ nodes: paragraph.children }) ?? []));
    }
  }

  /** A heading with everything under it. */
  hold(kind: Held['kind'], lead: Sentence, head: RootContent, under: readonly RootContent[]): void {
    this.held.push({
      kind,
      lead,
      nodes: under,
      source: blocksSource(this.text, under, this.#root.children),
      head: { node: head, source: sourceOf(this.text, head) },
    });
  }
}

const labelsHead = (spoken: string): boolean =>
  isDependency(spoken) || isFrame(spoken) || /^labels?\s*:/iu.test(spoken);

/** The sentence that answers the one at this place; null when it is no question, or is not answered. */
function answerOf(sentences: readonly Sentence[], index: number): Sentence | null {
  const [asked, next] = [sentences[index], sentences[index + 1]];
  if (asked === undefined || next === undefined || !isDoubt(spokenWords(asked))) return null;
  return !isDoubt(spokenWords(next)) && isAnswer(asked.spoken, next.spoken) ? next : null;
}
