/**
 * Makes an issue draft of a brief without a model: the words of the brief, as their own Markdown source, in the sections
 * of the template. It states nothing that the brief does not say: what is missing is called "not stated", what is in doubt
 * is an open question. The same brief always gives the same draft.
 */
import type { RootContent } from 'mdast';
import { gapMark, notStated } from '../../domain/drafts/mechanical-checks.ts';
import { mentions, spokenBlocks } from '../../domain/spoken/spoken-text.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { isTangled } from '../../domain/text/limit-markdown.ts';
import { isTooDeep, listSections, parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { pathsOf } from './brief-files.ts';
import type { Held } from './brief-holds.ts';
import type { Part, Point } from './brief-points.ts';
import { type Brief, readBrief } from './brief-reader.ts';
import { type Sentence, shorten } from './brief-sentences.ts';
import { isDoubt, type Target, targetOf } from './brief-words.ts';
import {
  asBox,
  asLine,
  asPoint,
  blocksSource,
  carryBlocks,
  carryQuote,
  fence,
  isQuoteOf,
  parsePiece,
  quote,
} from './carry-markdown.ts';
import { definitionOfDone, riskChecklist } from './fixed-sections.ts';

/** A longer brief would not leave room for the issue in the body that a forge takes. */
const longestQuote = 20_000;
const longestTitle = 200;

function gap(what: string): string {
  return `_${gapMark}: ${what}._`;
}

/** `quoted`: everything is carried as a quote, in which nothing of it can be said to anyone. */
export class Carrier {
  readonly #brief: Brief;
  readonly #isQuoted: boolean;

  constructor(brief: Brief, isQuoted: boolean) {
    this.#brief = brief;
    this.#isQuoted = isQuoted;
  }

  #aside(text: string): string {
    return this.#isQuoted ? quote(text) : text;
  }

  blocks(nodes: readonly RootContent[]): string {
    const { text, root, definitions } = this.#brief;
    const carried = nodes.filter((node) => node.type !== 'definition');
    if (carried.length === 0) return '';
    return this.#aside(carryBlocks(blocksSource(text, carried, root.children), carried, definitions));
  }

  #sentence(sentence: Sentence, mark: string): string {
    const { definitions } = this.#brief;
    const line = asLine(mark, sentence.source, sentence.nodes, definitions);
    if (line !== null) return line;
    // Words that would be something else on one line are quoted as code, which they can be in any place.
    return `${mark}${inertCode(sentence.source, 2000)}`;
  }

  point(point: Point, bullet: string): string {
    const { text, definitions } = this.#brief;
    const made =
      'item' in point
        ? asPoint(text, point.item, definitions, bullet)
        : this.#sentence(point.sentence, bullet);
    return this.#aside(made);
  }

  box(point: Point, keepsTick = false): string {
    const { text, definitions } = this.#brief;
    if ('sentence' in point) return this.#sentence(point.sentence, '- [ ] ');
    return asBox(text, point.item, definitions, keepsTick && point.item.checked === true);
  }

  /** A question that the brief answers. */
  ticked(point: Point): string {
    const { text, definitions } = this.#brief;
    if ('sentence' in point) return this.#sentence(point.sentence, '- [x] ');
    return asBox(text, point.item, definitions, true);
  }

  /** A list with the words above it, apart from everything else. */
  held({ head, nodes, source }: Held): string {
    const text = [head?.source ?? '', source].filter((one) => one !== '').join('\n\n');
    return carryQuote(text, [...(head === null ? [] : [head.node]), ...nodes], this.#brief.definitions);
  }

  /** The same as a question whether it is asked for. */
  heldBox({ lead, nodes, source }: Held): string {
    const line = this.#sentence(lead, '- [ ] ');
    if (nodes.length === 0) return line;
    const quoted = carryQuote(source, nodes, this.#brief.definitions);
    return `${line}\n\n${quoted.replace(/^(?=.)/gmu, '  ')}`;
  }

  line(point: Point): string {
    return 'item' in point ? this.point(point, '- ') : this.#aside(this.#sentence(point.sentence, ''));
  }

  /** Points under numbers, and blocks between them as they stand. */
  numbered(parts: readonly Part[]): string {
    let number = 0;
    return joinParts(
      parts.map((part) => {
        if ('block' in part) return this.blocks([part.block]);
        number += 1;
        return this.point(part, `${number}. `);
      }),
    );
  }

  boxes(parts: readonly Part[], keepsTicks = false): string {
    return joinParts(
      parts.map((part) => ('block' in part ? this.blocks([part.block]) : this.box(part, keepsTicks))),
    );
  }
}

const isItem = (text: string): boolean => /^(?:- |\d+\. )/u.test(text);

/** Points one under the other; an empty line around everything else. */
export function joinParts(parts: readonly string[]): string {
  let text = '';
  let before = '';
  for (const part of parts.filter((one) => one !== '')) {
    text += `${text === '' ? '' : isItem(before) && isItem(part) ? '\n' : '\n\n'}${part}`;
    before = part;
  }
  return text;
}

/** What is asked twice in the same words is asked once; a point with more than a line in it is never taken for another. */
function withoutRepeats(parts: readonly string[]): string[] {
  return parts.filter((part, index) => part.includes('\n') || parts.indexOf(part) === index);
}

/** The first plain sentence; the title where there is none. */
function objectiveOf({ objective, title }: Brief, carrier: Carrier): string {
  if (objective !== null) return carrier.line(objective);
  if (title === null || isDoubt(title.spoken)) return gap('what this is for');
  return carrier.line({ sentence: title, paragraph: { type: 'paragraph', children: [] } });
}

function storyOf(brief: Brief, carrier: Carrier): string {
  const given =
    carrier.blocks(brief.sections.get('User Story') ?? []) || carriedTo('User Story', brief, carrier);
  if (given !== '') return given;
  return brief.story === null ? notStated : carrier.blocks([brief.story]);
}

/** Stated criteria first, as a list or as prose; else every point that is asked for. */
function criteriaOf(brief: Brief, carrier: Carrier): string {
  const points = brief.wishes.filter((part) => 'item' in part);
  // A stated criterion is met when the work is done; a point that is ticked in the brief has been.
  const text = brief.criteria.length > 0 ? carrier.boxes(brief.criteria) : carrier.boxes(points, true);
  return text === ''
    ? gap('what has to be true for this to count as done; a list in the brief would do')
    : text;
}

function requirementsOf(brief: Brief, carrier: Carrier): string {
  return carrier.numbered(brief.wishes) || gap('what is required; a list in the brief would do');
}

function questionsOf(brief: Brief, carrier: Carrier): string {
  return joinParts(questionLines(brief, carrier)) || notStated;
}

/** Open ones first, then those that the brief answers. */
export function questionLines(brief: Brief, carrier: Carrier): string[] {
  return withoutRepeats([
    ...brief.doubts.map((point) => carrier.box(point, true)),
    ...brief.held.filter(({ kind }) => kind === 'asked').map((one) => carrier.heldBox(one)),
    ...brief.answered.map((point) => carrier.ticked(point)),
  ]);
}

/** What the brief takes back or calls done, in its own words. */
export function refusedText(brief: Brief, carrier: Carrier): string {
  return brief.held
    .filter(({ kind }) => kind === 'refused')
    .map((one) => carrier.held(one))
    .join('\n\n');
}

/** The sections that take a list as it stands. */
const carrying: readonly (Target | null)[] = [
  ...(['User Story', 'UX Flow', 'Technical Approach', 'Security Considerations'] as const),
  ...(['Files to Create/Modify', 'Dependencies', 'Testing Notes'] as const),
];

const isFurther = (spoken: string): boolean => !carrying.includes(targetOf(spoken));

/** The lists under a heading that speaks of a section, as they stand. */
function carriedTo(target: Target, brief: Brief, carrier: Carrier): string {
  return brief.held
    .filter(({ kind, lead }) => kind === 'carried' && targetOf(lead.spoken) === target)
    .map(({ nodes }) => carrier.blocks(nodes))
    .join('\n\n');
}

/** The lists under a heading that speaks of no section, with their heading. */
function furtherNotes(brief: Brief, carrier: Carrier): string {
  const notes = brief.held.filter(({ kind, lead }) => kind === 'carried' && isFurther(lead.spoken));
  if (notes.length === 0) return '';
  return ['### Further Notes', ...notes.map((one) => carrier.held(one)), '### In Full', ''].join('\n\n');
}

function listed(carrier: Carrier, stated: string, points: readonly Point[]): string {
  const list = joinParts(withoutRepeats(points.map((point) => carrier.point(point, '- '))));
  return [stated, list].filter((text) => text !== '').join('\n\n') || notStated;
}

/** One name in each line, as a design reads them; a line that says more stays as it is. */
function fileLines(brief: Brief, carrier: Carrier): string {
  const lines = brief.files.flatMap((sentence) => {
    const paths = pathsOf(sentence)?.map((path) => `- ${inertCode(path)}`);
    return paths ?? [carrier.point({ sentence, paragraph: { type: 'paragraph', children: [] } }, '- ')];
  });
  return joinParts(withoutRepeats(lines));
}

/** The whole brief, so that nothing that it says is lost. */
function wholeBrief(brief: Brief, source: string): string {
  const text = source.replace(/\r\n?/gu, '\n').trimEnd();
  if (text.length > longestQuote) return 'It is too long to be quoted; the lineage keeps it as 001-brief.md.';
  if (isTooDeep(text) || isTangled(text)) return fence(text);
  const quoted = quote(text);
  const nodes = parseMarkdown(text).children;
  return nodes.length > 0 && isQuoteOf(quoted, nodes, brief.definitions) ? quoted : fence(text);
}

function headingLine(title: Sentence, definitions: string): string | null {
  const line = `# ${title.source}`;
  const [heading, ...rest] = parsePiece(line, definitions) ?? [];
  const words = heading?.type === 'heading' ? plainText(heading).replace(/\s+/gu, ' ').trim() : '';
  return rest.length === 0 && words !== '' ? line : null;
}

function titleLine(brief: Brief, fallbackTitle: string): string {
  const short =
    brief.title === null ? null : headingLine(shorten(brief.title, longestTitle), brief.definitions);
  const plain = fallbackTitle.replace(/\s+/gu, ' ').trim().slice(0, longestTitle) || 'Untitled';
  return short ?? `# ${plain.replace(/[\\`*_[\]<>#|~&]/gu, (mark) => `\\${mark}`)}`;
}

const sectionTitles = [
  'User Story',
  'Objective',
  'UX Flow',
  'Requirements',
  'Technical Approach',
  'Risk Checklist',
  'Security Considerations',
  'Files to Create/Modify',
  'Dependencies',
  'Out of Scope',
  'Open Questions',
  'Acceptance Criteria',
  'Definition of Done',
  'Testing Notes',
  'The Brief',
] as const;

type Texts = Readonly<Record<(typeof sectionTitles)[number], string>>;

function textsOf(brief: Brief, carrier: Carrier, source: string): Texts {
  const stated = (target: Target): string =>
    [carrier.blocks(brief.sections.get(target) ?? []), carriedTo(target, brief, carrier)]
      .filter((text) => text !== '')
      .join('\n\n');
  return {
    'User Story': storyOf(brief, carrier),
    Objective: objectiveOf(brief, carrier),
    'UX Flow':
      stated('UX Flow') ||
      carrier.blocks(brief.shown) ||
      gap('how a person uses it, when it works and when it does not'),
    Requirements: requirementsOf(brief, carrier),
    'Technical Approach': stated('Technical Approach') || gap('which parts change'),
    'Risk Checklist': riskChecklist,
    'Security Considerations':
      stated('Security Considerations') || gap('how input, paths and permissions are checked'),
    'Files to Create/Modify':
      joinParts([stated('Files to Create/Modify'), fileLines(brief, carrier)]) || gap('which files change'),
    Dependencies: listed(carrier, stated('Dependencies'), brief.dependencies),
    'Out of Scope': listed(
      carrier,
      [stated('Out of Scope'), refusedText(brief, carrier)].filter((text) => text !== '').join('\n\n'),
      brief.putOff,
    ),
    'Open Questions': questionsOf(brief, carrier),
    'Acceptance Criteria': criteriaOf(brief, carrier),
    'Definition of Done': definitionOfDone,
    'Testing Notes': stated('Testing Notes') || gap('how to see it work'),
    'The Brief': `${furtherNotes(brief, carrier)}${wholeBrief(brief, source)}`,
  };
}

function compose(title: string, labels: readonly string[], texts: Texts): string {
  const line = `**Labels:** ${labels.map((name) => inertCode(name)).join(', ')}`.trimEnd();
  const body = sectionTitles.map((one) => `## ${one}\n\n${texts[one]}`).join('\n\n');
  return `${title}\n\n${line}\n\n${body}\n`;
}

const calls = /@([A-Za-z0-9][A-Za-z0-9-]{0,60})/gu;
const closings = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?#\d+/giu;

function handlesIn(text: string): Set<string> {
  return new Set([...text.matchAll(calls)].map(([, handle = '']) => handle.toLowerCase()));
}

function closingsIn(text: string): Set<string> {
  if (text.match(closings) === null) return new Set();
  const words = spokenBlocks(text).flatMap((block) => [...block.matchAll(closings)]);
  return new Set(words.map(([phrase]) => phrase.toLowerCase().replace(/\s+/gu, ' ')));
}

/** Whether a text calls or closes what the brief, read as a comment, does not. */
export function saysMore(text: string, brief: string): boolean {
  for (const handle of handlesIn(text)) if (mentions(text, handle) && !mentions(brief, handle)) return true;
  const phrases = [...closingsIn(text)];
  return phrases.length > 0 && phrases.some((phrase) => !closingsIn(brief).has(phrase));
}

function hasItsSections(draft: string): boolean {
  const titles = listSections(parseMarkdown(draft))
    .filter((section) => section.depth <= 2)
    .map((section) => section.title);
  return JSON.stringify(titles.slice(1)) === JSON.stringify(sectionTitles);
}

const nothing: Pick<
  Brief,
  'wishes' | 'criteria' | 'doubts' | 'answered' | 'held' | 'files' | 'putOff' | 'dependencies' | 'shown'
> = {
  wishes: [],
  criteria: [],
  doubts: [],
  answered: [],
  held: [],
  files: [],
  putOff: [],
  dependencies: [],
  shown: [],
};

/** The brief as if it said nothing that can be put into a section. */
function silent(brief: Brief): Brief {
  return { ...brief, ...nothing, sections: new Map(), story: null, objective: null };
}

/** Makes an issue draft of a brief. The brief itself stands at its end, so nothing that it says is lost. */
export function outlineIssue(source: string, fallbackTitle: string): string {
  const brief = readBrief(source);
  const title = titleLine(brief, fallbackTitle);
  const isSafeTitle = !saysMore(title.slice(2), source);
  const shownTitle = isSafeTitle ? title : titleLine({ ...brief, title: null }, fallbackTitle);
  const isRight = (draft: string): boolean => hasItsSections(draft) && !saysMore(draft, source);
  for (const [read, isQuoted] of [
    [brief, false],
    [brief, true],
    [silent(brief), true],
  ] as const) {
    const draft = compose(shownTitle, brief.labels, textsOf(read, new Carrier(read, isQuoted), source));
    if (isRight(draft)) return draft;
  }
  const texts = textsOf(silent(brief), new Carrier(silent(brief), true), source);
  return compose('# Untitled', [], { ...texts, 'The Brief': fence(source.replace(/\r\n?/gu, '\n')) });
}
