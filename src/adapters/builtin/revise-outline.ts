/**
 * Revises a draft without a model. Rules cannot weigh remarks, but they can put words where they belong: what a person
 * says at the gate goes into the sections it speaks of, and a changed brief into the sections that no person has edited.
 */
import { marksGap } from '../../domain/drafts/mechanical-checks.ts';
import { inertCode } from '../../domain/text/inert-markdown.ts';
import { normaliseTitle, parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { answerQuestions } from './answer-questions.ts';
import type { Part, Point } from './brief-points.ts';
import { type Brief, readBrief } from './brief-reader.ts';
import { targetOf } from './brief-words.ts';
import { asLine } from './carry-markdown.ts';
import { Carrier, joinParts, outlineIssue, questionLines, refusedText, saysMore } from './issue-outline.ts';

interface Piece {
  readonly title: string;
  /** With the heading, up to the next one of the same rank. */
  readonly text: string;
}

/** A draft cut at its headings of the first ranks; the first piece is the title with what stands under it. */
function cutDraft(draft: string, ranks = 2): Piece[] {
  const headings = parseMarkdown(draft).children.filter(
    (node) => node.type === 'heading' && node.depth <= ranks,
  );
  const starts = headings.map((node) => node.position?.start.offset ?? 0);
  const pieces = headings.map((node, index) => ({
    title: index === 0 ? '' : normaliseTitle(plainText(node)),
    text: draft.slice(index === 0 ? 0 : starts[index], starts[index + 1]).trimEnd(),
  }));
  return pieces.length === 0 ? [{ title: '', text: draft.trimEnd() }] : pieces;
}

function join(pieces: readonly Piece[]): string {
  return `${pieces.map(({ text }) => text).join('\n\n')}\n`;
}

/** The heading of a section, its points with what belongs to each, and whether there is anything else in it. */
function readPoints(text: string): { heading: string; points: string[]; isList: boolean } {
  const [heading = '', ...lines] = text.split('\n');
  const points: string[] = [];
  let isList = true;
  for (const line of lines) {
    if (/^- /u.test(line)) points.push(line);
    else if (points.length > 0 && (line.trim() === '' || /^\s/u.test(line)))
      points.push(`${points.pop() ?? ''}\n${line}`);
    else if (line.trim() !== '') isList = false;
  }
  return { heading, points: points.map((point) => point.trimEnd()), isList };
}

/** @param before @param after the questions of the two briefs @param mine those of the draft, with answers and more */
function mergeQuestions(before: string, after: string, mine: string): string {
  const [was, is, own] = [readPoints(before), readPoints(after), readPoints(mine)];
  // Words besides the list are a person's: the section stays as it is.
  if (own.points.length === 0 || !own.isList) return mine;
  const gone = new Set(was.points.filter((point) => !is.points.includes(point)));
  const kept = own.points.filter((point) => !gone.has(point));
  const more = is.points.filter((point) => !was.points.includes(point) && !kept.includes(point));
  const points = [...kept, ...more];
  if (points.length === 0) return after;
  return `${own.heading}\n\n${points.join('\n')}`;
}

/** Brings a draft in line with a brief that was changed: sections that a person edited stay as the person left them. */
export function followBrief(before: string, after: string, draft: string, title: string): string {
  const known = new Map(cutDraft(outlineIssue(before, title)).map((piece) => [piece.title, piece.text]));
  const next = cutDraft(outlineIssue(after, title));
  const edited = cutDraft(draft);
  const mine = new Map(edited.map((piece) => [piece.title, piece.text]));
  const quoted = normaliseTitle('The Brief');
  const asked = normaliseTitle('Open Questions');
  const pieces = next.map((piece) => {
    const text = mine.get(piece.title);
    const isEdited = text !== undefined && text !== known.get(piece.title) && piece.title !== quoted;
    if (!isEdited) return piece;
    // What was ticked or said at the gate stays; a question that the brief answers by now is not asked again.
    return piece.title === asked
      ? { ...piece, text: mergeQuestions(known.get(piece.title) ?? '', piece.text, text) }
      : { ...piece, text };
  });
  const added = edited.filter(({ title: name }) => !next.some((piece) => piece.title === name));
  return join([...pieces.slice(0, -1), ...added, ...pieces.slice(-1)]);
}

/** `Out of scope: PDF` on a line of its own is a heading with what stands under it, up to the next empty line. */
function spreadLines(feedback: string): string {
  const plain: string[] = [];
  const sections: string[][] = [];
  let current = plain;
  for (const line of feedback.replace(/\r\n?/gu, '\n').split('\n')) {
    const [, name = '', words = ''] = /^([\p{L}][\p{L} /]{2,40}):(?:[ \t]+(.*))?$/u.exec(line) ?? [];
    if (name !== '' && name.split(' ').length <= 4 && targetOf(name) !== null) {
      sections.push([`## ${name}`, '', words]);
      current = words === '' ? (sections.at(-1) ?? plain) : plain;
    } else {
      if (line.trim() === '') current = plain;
      current.push(line);
    }
  }
  return [plain, ...sections].map((lines) => lines.join('\n')).join('\n\n');
}

/** Words of a section that only say that there are none. */
function isBlank(body: string): boolean {
  const words = body.trim();
  return (
    words === '' ||
    /^not stated in the (?:brief|issue)\.$/iu.test(words) ||
    marksGap(words) ||
    /^none\.?$/iu.test(words)
  );
}

function addTo(pieces: readonly Piece[], title: string, text: string): Piece[] {
  const wanted = normaliseTitle(title);
  if (text === '') return [...pieces];
  return pieces.map((piece) => {
    if (piece.title !== wanted) return piece;
    const end = piece.text.indexOf('\n');
    const [heading, body] =
      end === -1 ? [piece.text, ''] : [piece.text.slice(0, end), piece.text.slice(end + 1)];
    const known = isBlank(body) ? '' : `${body.trim()}${/^(?:- |\d+\. )/u.test(text) ? '\n' : '\n\n'}`;
    return { ...piece, text: `${heading}\n\n${known}${text}` };
  });
}

function setLabels(pieces: readonly Piece[], labels: readonly string[]): Piece[] {
  if (labels.length === 0) return [...pieces];
  const line = `**Labels:** ${labels.map((name) => inertCode(name)).join(', ')}`;
  return pieces.map((piece) =>
    piece.title === '' ? { ...piece, text: piece.text.replace(/^\*\*Labels:\*\*.*$/mu, () => line) } : piece,
  );
}

/** What was said and speaks of no section: only a person can do what it asks. */
function leftOver(said: Brief): Point[] {
  const placed = new Set<unknown>(
    [said.doubts, said.putOff, said.dependencies, said.wishes].flatMap((list) =>
      list.map((part: Part) =>
        'sentence' in part ? part.sentence : 'item' in part ? part.item : part.block,
      ),
    ),
  );
  return said.spoken.filter((point) => !placed.has('sentence' in point ? point.sentence : point.item));
}

/**
 * Puts what a person said at the gate into the draft. An answer ticks its question. What asks for something that rules
 * cannot do becomes a question.
 */
export function addFeedback(draft: string, feedback: string): string {
  const answered = answerQuestions(draft, feedback);
  if (answered.draft === draft || saysMore(answered.draft, `${draft}\n\n${feedback}`))
    return addWords(draft, feedback);
  return answered.rest === '' ? answered.draft : addWords(answered.draft, answered.rest);
}

function addWords(draft: string, feedback: string): string {
  const said = readBrief(spreadLines(feedback));
  const carrier = new Carrier(said, false);
  const points = (list: readonly Point[]): string =>
    joinParts(list.map((point) => carrier.point(point, '- ')));
  const items = said.wishes.filter((part) => 'item' in part);
  const asked = [...said.doubts, ...said.wishes.filter((part) => 'sentence' in part), ...leftOver(said)];
  let pieces = setLabels(cutDraft(draft), said.labels);
  for (const [target, nodes] of said.sections) {
    if (['Requirements', 'Acceptance Criteria', 'Open Questions'].includes(target)) continue;
    pieces = addTo(pieces, target, carrier.blocks(nodes));
  }
  if (said.story !== null) pieces = addTo(pieces, 'User Story', carrier.blocks([said.story]));
  pieces = addTo(pieces, 'Out of Scope', refusedText(said, carrier));
  pieces = addTo(pieces, 'Out of Scope', points(said.putOff));
  pieces = addTo(pieces, 'Dependencies', points(said.dependencies));
  pieces = addTo(pieces, 'Requirements', points(items));
  pieces = addTo(
    pieces,
    'Acceptance Criteria',
    carrier.boxes(said.criteria.length > 0 ? said.criteria : items),
  );
  pieces = addTo(pieces, 'Open Questions', joinParts(questionLines({ ...said, doubts: asked }, carrier)));
  const revised = join(pieces);
  const isSame = revised.trim() === draft.trim();
  if (!isSame && !saysMore(revised, `${draft}\n\n${feedback}`)) return revised;
  // Words that would do something in the draft that they do not do here stand in it as code.
  return join(addTo(cutDraft(draft), 'Open Questions', `- [ ] ${inertCode(feedback, 2000)}`));
}

/** In a design, what a person asks for is a question until a person has settled it in the draft. */
export function addQuestions(draft: string, feedback: string): string {
  const answered = answerQuestions(draft, feedback);
  if (answered.draft === draft || saysMore(answered.draft, `${draft}\n\n${feedback}`))
    return addBoxes(draft, feedback);
  return answered.rest === '' ? answered.draft : addBoxes(answered.draft, answered.rest);
}

function addBoxes(draft: string, feedback: string): string {
  const boxes = feedback
    .split(/[\r\n]+/u)
    .map((line) => line.replace(/^\s*(?:[-+*]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/u, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [only, ...rest] = parseMarkdown(line).children;
      const isWords = only?.type === 'paragraph' && rest.length === 0;
      return (isWords ? asLine('- [ ] ', line, only.children, '') : null) ?? `- [ ] ${inertCode(line, 2000)}`;
    });
  const add = (list: readonly string[]): string =>
    join(addTo(cutDraft(draft, 3), 'Open Questions', list.join('\n')));
  const revised = add(boxes);
  return saysMore(revised, `${draft}\n\n${feedback}`) ? add([`- [ ] ${inertCode(feedback, 2000)}`]) : revised;
}
