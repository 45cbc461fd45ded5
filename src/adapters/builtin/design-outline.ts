/**
 * The drafter of designs that needs no model: it puts the words of the issue, as their own Markdown source, into the
 * numbered sections and marks the gaps that only a person who knows the code can fill. It states nothing that the issue
 * does not say. The same issue always gives the same draft.
 */
import type { Nodes, RootContent } from 'mdast';
import { designGapMark, marksGap, notStated } from '../../domain/drafts/mechanical-checks.ts';
import { inertLine } from '../../domain/text/inert-markdown.ts';
import {
  collectNodes,
  inlineMarkdown,
  listSections,
  normaliseTitle,
  parseMarkdown,
  plainText,
} from '../../domain/text/markdown.ts';
import { pathsOf } from './brief-files.ts';
import type { Held } from './brief-holds.ts';
import type { Part, Point } from './brief-points.ts';
import { type Brief, readBrief } from './brief-reader.ts';
import { joinTexts, type Sentence, sentencesOf } from './brief-sentences.ts';
import { isChange, type Target } from './brief-words.ts';
import { asLine } from './carry-markdown.ts';
import { saysMore } from './issue-outline.ts';

function gap(what: string): string {
  return `_${designGapMark}: ${what}._`;
}

const unsaid = 'Not stated in the issue.';

/** A longer item would drown the others; the issue has the whole of it. */
const longestQuote = 2_000;

/** Sections of an issue that say nothing about the work itself, or say it a second time. */
const leftOut = ['the brief', 'risk checklist', 'definition of done'];

/** The issue without the sections that are left out, and without those in which nothing is said. */
function readIssue(issue: string): Brief {
  const text = issue.replace(/\r\n?/gu, '\n');
  const root = parseMarkdown(text);
  const headings = root.children.filter((node) => node.type === 'heading' && node.depth <= 2);
  const starts = headings.map((node) => node.position?.start.offset ?? 0);
  const kept = headings.flatMap((node, index) => {
    const piece = text.slice(starts[index], starts[index + 1]);
    const body = piece.slice((node.position?.end.offset ?? 0) - (starts[index] ?? 0)).trim();
    const isSilent = body === notStated || marksGap(body) || /^(?:none|n\/a)\.?$/iu.test(body);
    return leftOut.includes(normaliseTitle(plainText(node))) || isSilent ? [] : [piece];
  });
  return readBrief(headings.length === 0 ? text : text.slice(0, starts[0]) + kept.join(''), 'issue');
}

/** `isSafe`: words only, with every mark escaped, for an issue whose source would break the design. */
class Words {
  readonly #brief: Brief;
  readonly #isSafe: boolean;

  constructor(brief: Brief, isSafe: boolean) {
    this.#brief = brief;
    this.#isSafe = isSafe;
  }

  #plain(nodes: readonly Nodes[]): string {
    const text = nodes.map((node) => plainText(node)).join(' ');
    const cut = [...text.slice(0, 2 * longestQuote)].slice(0, longestQuote).join('');
    return this.#isSafe ? inlineMarkdown(cut) : inertLine(cut, longestQuote);
  }

  #sentences(point: Point): Sentence[] {
    if ('sentence' in point) return [point.sentence];
    const [first] = point.item.children;
    return first?.type === 'paragraph' ? sentencesOf(this.#brief.text, first, 2) : [];
  }

  /** A point on one line. */
  line(point: Point): string {
    const sentences = this.#sentences(point);
    const nodes = 'sentence' in point ? point.sentence.nodes : [point.item];
    const source = sentences.map((one) => one.source).join(' ');
    const isWhole = 'sentence' in point || point.item.children.length === 1;
    if (this.#isSafe || !isWhole || source === '' || source.length > longestQuote) return this.#plain(nodes);
    const parts = sentences.flatMap((one, index) =>
      index === 0 ? one.nodes : [{ type: 'text', value: ' ' } as const, ...one.nodes],
    );
    return asLine('', source, joinTexts(parts), this.#brief.definitions) ?? this.#plain(nodes);
  }

  /** A list with the words above it, on one line. */
  held({ lead, nodes }: Held): string {
    return this.#plain([...lead.nodes, ...nodes]);
  }

  /** The same where a bar would end it. */
  cell(point: Point): string {
    return this.line(point).replace(/(?<!\\)\|/gu, '\\|');
  }

  section(target: Target): string {
    const nodes: readonly RootContent[] = this.#brief.sections.get(target) ?? [];
    if (this.#isSafe) return this.#plain(nodes);
    const lines = nodes.flatMap((node) => {
      if (node.type === 'list') return node.children.map((item) => this.line({ item }));
      if (node.type !== 'paragraph') return [this.#plain([node])];
      const sentences = sentencesOf(this.#brief.text, node);
      return [sentences.map((sentence) => this.line({ sentence, paragraph: node })).join(' ')];
    });
    return lines.filter((line) => line !== '').join('; ');
  }
}

function pointsOf(parts: readonly Part[]): Point[] {
  return parts.filter((part): part is Point => !('block' in part));
}

const pathWord = /^[\w.@+/-]{1,400}$/u;

interface FileLine {
  readonly path: string;
  readonly words: string;
}

/** What the issue lists as files: a name in code, or a word with a slash or an ending, and what is said about it. */
function filesOf(brief: Brief): FileLine[] {
  const content = brief.sections.get('Files to Create/Modify') ?? [];
  const found = new Map<string, string>();
  const note = (path: string, words: string): void => {
    if (pathWord.test(path) && !found.has(path)) found.set(path, words);
  };
  for (const item of collectNodes(content, 'listItem')) {
    const own = item.children.filter((child) => child.type !== 'list');
    const words = own.map((child) => plainText(child)).join(' ');
    const codes = collectNodes(own, 'inlineCode').filter((code) => pathWord.test(code.value));
    for (const code of codes) note(code.value, words.replace(code.value, ' '));
    const [, bare = ''] = /^\s*([\w.@+/-]*[/.][\w@+-][\w.@+/-]*?)(?=[:,;\s]|$)/u.exec(words) ?? [];
    if (codes.length === 0 && bare !== '') note(bare, words.replace(bare, ' '));
  }
  for (const code of collectNodes(content, 'inlineCode')) note(code.value, '');
  for (const path of brief.files.flatMap((sentence) => pathsOf(sentence) ?? [])) note(path, '');
  return [...found].map(([path, words]) => ({ path, words: words.replace(/^[\s:,;–—-]+/u, '').trim() }));
}

/** A file that is not there and is not called new is not added silently: the checks ask which one is meant. */
function fileRow({ path, words }: FileLine, existing: ReadonlySet<string>): string {
  const isThere = existing.has(path);
  const change =
    isThere && isChange(words, 'delete') ? 'Delete' : isThere || !isChange(words, 'add') ? 'Modify' : 'Add';
  const why = /\p{L}{2}/u.test(words) ? inertLine(words, 500) : gap('what changes and why');
  return `| \`${path}\` | ${change} | ${why.replace(/(?<!\\)\|/gu, '\\|')} |`;
}

function scenarioRow(text: string, index: number): string {
  const id = String((index + 1) * 10).padStart(3, '0');
  return `| ${id} | ${text} | Auto | it holds (REQ-${index + 1}) |`;
}

/** An issue says in another section what it asks: once it is ticked there, with or without an answer, it is settled. */
function askOnce(lines: readonly string[]): string[] {
  const [open, ticked] = ['- [ ] ', '- [x] '];
  const settled = lines.filter((line) => line.startsWith(ticked)).map((line) => line.slice(ticked.length));
  const isSettled = (line: string): boolean =>
    line.startsWith(open) && settled.some((answer) => answer.startsWith(line.slice(open.length)));
  return [...new Set(lines)].filter((line) => !isSettled(line));
}

function compose(brief: Brief, number: string, files: readonly string[], isSafe: boolean): string {
  const words = new Words(brief, isSafe);
  const title =
    brief.title === null
      ? 'Untitled'
      : words.line({ sentence: brief.title, paragraph: { type: 'paragraph', children: [] } });
  const criteria = pointsOf(brief.criteria);
  const points = criteria.length > 0 ? criteria : pointsOf(brief.wishes);
  const listed = points.map((point) => words.line(point)).filter((line) => line !== '');
  const cells = points.map((point) => words.cell(point)).filter((line) => line !== '');
  const requirements = listed.length > 0 ? listed : [title];
  const existing = new Set(files);
  const rows = filesOf(brief).map((line) => fileRow(line, existing));
  const related = [words.section('Dependencies'), ...brief.dependencies.map((point) => words.line(point))];
  const questions = askOnce([
    ...brief.doubts.map(
      (point) => `- [${'item' in point && point.item.checked === true ? 'x' : ' '}] ${words.line(point)}`,
    ),
    ...brief.held.filter(({ kind }) => kind !== 'refused').map((one) => `- [ ] ${words.held(one)}`),
    ...brief.answered.map((point) => `- [x] ${words.line(point)}`),
  ]);
  const objective = brief.objective === null ? '' : words.line(brief.objective);
  const parts: [string, string][] = [
    [
      '## 1. Context & Goal',
      `- **Issue:** #${number}\n- **Objective:** ${objective || title}\n- **Related:** ${[...new Set(related)].filter((text) => text !== '').join('; ') || unsaid}\n\n### Open Questions\n\n${questions.join('\n') || unsaid}`,
    ],
    ['## 2. Proposed Changes', ''],
    ['### 2.1 Files Changed', `| File | Change | What and why |\n|---|---|---|\n${rows.join('\n')}`],
    ['### 2.2 Dependencies', unsaid],
    ['### 2.3 Data Structures', gap('types and the rules that always hold')],
    ['### 2.4 Function Signatures', gap('what is new or changed')],
    ['### 2.5 Logic', gap('the order of steps')],
    ['### 2.6 Approach', words.section('Technical Approach') || gap('how it works')],
    ['### 2.7 Decisions', gap('what was chosen and why')],
    ['## 3. Requirements', requirements.map((text, index) => `${index + 1}. ${text}`).join('\n')],
    ['## 4. Alternatives', gap('what was thought of and left out')],
    ['## 5. Data & Fixtures', gap('where test data comes from')],
    ['## 6. Diagram', 'N/A: no model drew one.'],
    ['## 7. Security & Safety', words.section('Security Considerations') || gap('input, secrets, recovery')],
    ['## 8. Performance & Cost', gap('bounds')],
    ['## 9. Legal', unsaid],
    ['## 10. Verification', ''],
    ['### 10.0 Test Plan', gap('which tests fail without the change')],
    [
      '### 10.1 Test Scenarios',
      `| ID | Scenario | Type | Passes when |\n|---|---|---|---|\n${(cells.length > 0 ? cells : [title.replaceAll('|', '\\|')]).map(scenarioRow).join('\n')}`,
    ],
    ['### 10.2 Commands', gap('the commands that run the tests')],
    ['### 10.3 Manual Tests', unsaid],
    ['## 11. Risks', gap('what may go wrong and what is done about it')],
    ['## 12. Definition of Done', requirements.map((text) => `- [ ] ${text}`).join('\n')],
  ];
  const body = parts.map(([heading, text]) => (text === '' ? heading : `${heading}\n\n${text}`)).join('\n\n');
  return `# LLD-${number}: ${title}\n\n${body}\n`;
}

const titlesOf = (design: string): string[] => listSections(parseMarkdown(design)).map(({ title }) => title);

/** Read when the first design is checked: it takes longer than to load this file. */
let templateTitles: readonly string[] | null = null;

/** Whether nothing of the issue swallows a section, ends a table or says more than it says there. */
function isWhole(design: string, issue: string): boolean {
  templateTitles ??= titlesOf(compose(readBrief('# x'), '1', [], true));
  if (JSON.stringify(titlesOf(design).slice(1)) !== JSON.stringify(templateTitles.slice(1))) return false;
  const rows = collectNodes([parseMarkdown(design)], 'table').flatMap((table) => table.children);
  return (
    rows.every((row) => row.children.length === 3 || row.children.length === 4) && !saysMore(design, issue)
  );
}

/** Makes a design draft of an issue's text. `files` are the paths that exist. */
export function outlineDesign(issue: string, number: string, files: readonly string[]): string {
  const brief = readIssue(issue);
  const design = compose(brief, number, files, false);
  return isWhole(design, issue) ? design : compose(brief, number, files, true);
}
