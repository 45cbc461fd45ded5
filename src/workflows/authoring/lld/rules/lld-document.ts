/** Reads what code needs to know out of a low-level design: its files, requirements, scenarios, functions and risks. */
import type { RootContent, Table, TableCell } from 'mdast';
import { marksGap } from '../../../../domain/drafts/mechanical-checks.ts';
import {
  collectNodes,
  listSections,
  parseMarkdown,
  plainText,
  type Section,
  sourceOf,
} from '../../../../domain/text/markdown.ts';
import { hasUnsafeCharacters } from '../../../../domain/text/untrusted-text.ts';

type ChangeType = 'add' | 'modify' | 'delete';

export interface FileRow {
  readonly path: string;
  /** Null when the word in the table is none of those known. */
  readonly change: ChangeType | null;
  /** The word as it stands in the table. */
  readonly changeWord: string;
  readonly isDirectory: boolean;
}

interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

interface Requirement {
  readonly number: number;
  readonly text: string;
}

interface Scenario {
  readonly text: string;
  /** What is done and when it passes, cell by cell: without its id, and without what stands in back-ticks. */
  readonly prose: readonly string[];
  readonly requirements: readonly number[];
  readonly isManual: boolean;
  /** False when the table has a place for what passes and it is empty. */
  readonly saysWhen: boolean;
}

export interface LldDocument {
  /** The number in the first heading, or null. */
  readonly issue: number | null;
  readonly hasReviewLog: boolean;
  /** Whether a heading that is added at the end would be one. */
  readonly isClosed: boolean;
  /** Whether it holds what people do not see: comments, or invisible characters. */
  readonly hidesText: boolean;
  /** Sections that say themselves that something is missing. */
  readonly gaps: readonly string[];
  /** Placeholders of the template, in braces, that the drafter has not replaced. */
  readonly placeholders: readonly string[];
  /** Numbers of the sections there are, such as `2.1`. */
  readonly sections: ReadonlySet<string>;
  /** Numbers of those that hold nothing. */
  readonly empty: ReadonlySet<string>;
  /** Null when section 2.1 holds no table. */
  readonly files: readonly FileRow[] | null;
  readonly requirements: readonly Requirement[];
  readonly scenarios: readonly Scenario[];
  /** Whether section 10.3 says why something is tried by hand. */
  readonly justifiesManual: boolean;
  /** Names of the functions that section 2.4 declares. */
  readonly functions: ReadonlySet<string>;
  /** Functions that the mitigations in section 11 rely on. */
  readonly mitigations: readonly string[];
  /** What may be a path in section 12. */
  readonly doneNames: readonly string[];
  /** Code in section 2. */
  readonly code: readonly CodeBlock[];
}

const changeWords: ReadonlyMap<string, ChangeType> = new Map([
  ['add', 'add'],
  ['create', 'add'],
  ['new', 'add'],
  ['modify', 'modify'],
  ['update', 'modify'],
  ['delete', 'delete'],
  ['remove', 'delete'],
]);

const endTitle = 'The end';

function numberOf(section: Section): string | null {
  return /^(\d{1,2}(?:\.\d{1,2})*)[.:)]?(?=\s|$)/u.exec(section.title)?.[1] ?? null;
}

/** What stands under the heading itself, not under deeper ones. */
function hasGap({ content }: Section): boolean {
  const end = content.findIndex((node) => node.type === 'heading');
  const own = content.slice(0, end === -1 ? undefined : end).filter((node) => node.type !== 'code');
  return own.some((node) => marksGap(plainText(node)));
}

function wordsOf(content: readonly RootContent[]): string {
  return content
    .map((node) => plainText(node))
    .join(' ')
    .trim();
}

/** Several words in braces anywhere, or one that is all there is: sets and parameters look different. */
function findPlaceholders(nodes: readonly RootContent[]): string[] {
  const places = (['heading', 'paragraph', 'tableCell'] as const).flatMap((type) =>
    collectNodes(nodes, type),
  );
  return places.flatMap((node) => {
    const text = plainText(node, { withoutCode: true });
    const several = /\{[A-Za-z][^{}\n]{0,200}?[A-Za-z]\s[A-Za-z][^{}\n]{0,200}\}/u.exec(text)?.[0];
    const only = /^\s*(\{[A-Za-z]+\})\s*$/u.exec(text)?.[1];
    const found = several ?? only;
    return found === undefined ? [] : [found];
  });
}

/** The column whose heading fits, or the one that it is in the template. */
function columnOf(table: Table, title: RegExp, otherwise: number): number {
  const titles = table.children[0]?.children.map((cell) => plainText(cell)) ?? [];
  const index = titles.findIndex((text) => title.test(text));
  return index === -1 ? otherwise : index;
}

/** Letter by letter: outside back-ticks Markdown would take the underscores of `__init__.py` away. */
function pathText(cell: TableCell | undefined, source: string): string {
  if (cell === undefined) return '';
  const codes = collectNodes([cell], 'inlineCode');
  if (codes.length === 1) return codes[0]?.value ?? '';
  if (cell.children.some((child) => child.type === 'link')) return plainText(cell);
  const text = cell.children.map((child) => sourceOf(source, child)).join('');
  return text.replace(/\\([!-/:-@[-`{-~])/gu, '$1');
}

function readFileRows(table: Table, source: string): FileRow[] {
  const directory = /\(\s{0,9}directory\s{0,9}\)/iu;
  const pathColumn = columnOf(table, /\b(?:file|path)s?\b/iu, 0);
  const changeColumn = columnOf(table, /\b(?:change|action|type)\b/iu, 1);
  return table.children.slice(1).map(({ children: cells }) => {
    const cell = cells[pathColumn];
    const said = cell === undefined ? '' : plainText(cell).trim();
    const changeCell = cells[changeColumn];
    const changeText = changeCell === undefined ? '' : plainText(changeCell);
    const word = changeText.replace(directory, '').trim();
    const path = pathText(cell, source).replace(directory, '').trim();
    return {
      path: path.replace(/^(?:\.\/)+/u, '').replace(/\/$/u, ''),
      change: changeWords.get(word.toLowerCase()) ?? null,
      changeWord: word,
      isDirectory: directory.test(said) || directory.test(changeText) || path.endsWith('/'),
    };
  });
}

/** All tables that list files; when none says so in its headings, the first. */
function readFiles(content: readonly RootContent[], source: string): FileRow[] | null {
  const tables = content.filter((node) => node.type === 'table');
  const named = tables.filter((table) => columnOf(table, /\b(?:file|path)s?\b/iu, -1) !== -1);
  const chosen = named.length > 0 ? named : tables.slice(0, 1);
  return chosen.length === 0 ? null : chosen.flatMap((table) => readFileRows(table, source));
}

function readRequirements(content: readonly RootContent[]): Requirement[] {
  const used = new Map<number, Requirement>();
  let next = 1;
  for (const list of content.filter((node) => node.type === 'list')) {
    list.children.forEach((item, index) => {
      const text = plainText(item).trim();
      if (text === '') return;
      const named = /^REQ-(\d{1,9})\b/iu.exec(text)?.[1];
      const said = named ?? (list.ordered === true ? (list.start ?? 1) + index : next);
      const number = used.has(Number(said)) ? next : Number(said);
      used.set(number, { number, text });
      next = Math.max(next, number + 1);
    });
  }
  return [...used.values()];
}

function requirementsIn(text: string): number[] {
  return [...text.matchAll(/\bREQ-(\d{1,9})\b/giu)].map((match) => Number(match[1]));
}

function readScenarioTable(table: Table): Scenario[] {
  const typeColumn = columnOf(table, /\btype\b/iu, -1);
  const passColumn = columnOf(table, /\b(?:pass|passes|expect|expected|criteria|result)\b/iu, -1);
  return table.children.slice(1).map((row) => {
    const cells = row.children.map((cell) => plainText(cell).trim());
    const text = cells.join(' | ');
    const prose = row.children.slice(1).map((cell) => plainText(cell, { withoutCode: true }));
    const when = (cells[passColumn] ?? '').replace(/\(?\bREQ-\d+\b\)?/giu, '');
    const types = typeColumn === -1 ? cells.filter((cell) => /^manual\b/iu.test(cell)) : [cells[typeColumn]];
    return {
      text,
      prose,
      requirements: requirementsIn(text),
      isManual: types.some((type) => /\bmanual\b/iu.test(type ?? '')),
      saysWhen: passColumn === -1 || when.trim() !== '',
    };
  });
}

/** The rows of its tables; without any, the items of its lists. */
function readScenarios(content: readonly RootContent[]): Scenario[] {
  const rows = collectNodes(content, 'table').flatMap(readScenarioTable);
  const items = collectNodes(content, 'listItem').map((item) => {
    const text = plainText(item).trim();
    const prose = plainText(item, { withoutCode: true }).trim();
    return {
      text,
      prose: [prose.replace(/^\D{0,3}\d{1,4}\b/u, '')],
      requirements: requirementsIn(text),
      isManual: /\bmanual\b/iu.test(text),
      saysWhen: true,
    };
  });
  return rows.length > 0 ? rows : items;
}

/** Names before an opening bracket: declarations in any of the usual languages look like that. */
function readFunctions(content: readonly RootContent[]): Set<string> {
  const names = new Set<string>();
  // Bounded, and tried once a word: drafts may be a megabyte of one letter.
  const calls = /(?<![\w$])([A-Za-z_$][\w$]{0,99})[ \t]{0,9}(?:<[^<>\n]{0,80}>)?[ \t]{0,9}\(/gu;
  const declarations = /\b(?:class|interface|type|const|struct|enum)[ \t]{1,9}([A-Za-z_$][\w$]{0,99})/gu;
  for (const { value } of collectNodes(content, 'code')) {
    for (const match of value.matchAll(calls)) names.add(match[1] ?? '');
    for (const match of value.matchAll(declarations)) names.add(match[1] ?? '');
  }
  for (const code of collectNodes(content, 'inlineCode')) {
    const name = /^([A-Za-z_$][\w$.]*)/u.exec(code.value)?.[1];
    if (name !== undefined) names.add(name.split('.').at(-1) ?? name);
  }
  return names;
}

function readMitigations(content: readonly RootContent[]): string[] {
  return collectNodes(content, 'inlineCode').flatMap((code) => {
    const name = /^([A-Za-z_$][\w$.]*)\(.*\)$/u.exec(code.value)?.[1];
    return name === undefined ? [] : [name.split('.').at(-1) ?? name];
  });
}

function readDoneNames(content: readonly RootContent[]): string[] {
  const texts = collectNodes(content, 'text').flatMap((node) =>
    // In plain text only what has slashes and an ending: "and/or" is no path.
    node.value
      .split(/[\s()[\]"',;]+/u)
      .map((word) => word.replace(/[.:!?]+$/u, ''))
      .filter((word) => /^(?:[\w@+.-]+\/)+[\w@+-][\w.@+-]*\.\w+$/u.test(word)),
  );
  const codes = collectNodes(content, 'inlineCode').map((code) => code.value.trim());
  return [...new Set([...codes, ...texts])].filter((name) => name !== '' && !/\s/u.test(name));
}

/** `LLD-42: …`, `#42 …` or `42 …`; any other number in a title may be about something else. */
function readIssueNumber(title: string): number | null {
  const match = /\bLLD[- ]?0*(\d{1,9})\b|#(\d{1,9})\b|^(\d{1,9})\b/iu.exec(title);
  const digits = match?.[1] ?? match?.[2] ?? match?.[3];
  return digits === undefined ? null : Number(digits);
}

function justifies(text: string): boolean {
  return text !== '' && !/^(?:none|n\/a)\s*(?:$|[.,:;!–—-])/iu.test(text);
}

export function readLldDocument(draft: string): LldDocument {
  // A heading is added at the end: one parse then shows what the design holds, and whether something in it would
  // swallow a heading after it.
  const source = `${draft.replace(/\r\n?/gu, '\n').trimEnd()}\n\n## ${endTitle}\n`;
  const { children } = parseMarkdown(source);
  const last = children.at(-1);
  const isClosed = last?.type === 'heading' && plainText(last) === endTitle;
  const nodes = isClosed ? children.slice(0, -1) : children;
  const sections = listSections({ type: 'root', children: nodes });
  const numbered = new Map<string, Section>();
  for (const section of sections) {
    const number = section.depth === 1 ? null : numberOf(section);
    if (number !== null && !numbered.has(number)) numbered.set(number, section);
  }
  const content = (number: string): readonly RootContent[] => numbered.get(number)?.content ?? [];
  const claimsApproval = (node: RootContent): boolean =>
    node.type === 'paragraph' && /^\s*final status\s{0,9}:/iu.test(plainText(node));
  return {
    issue: readIssueNumber(sections.find((section) => section.depth === 1)?.title ?? ''),
    hasReviewLog:
      sections.some((section) => /\breview log\b/iu.test(section.title)) || nodes.some(claimsApproval),
    isClosed,
    hidesText:
      hasUnsafeCharacters(source) || collectNodes(nodes, 'html').some(({ value }) => value.includes('<!--')),
    gaps: sections.filter(hasGap).map((section) => section.title),
    placeholders: [...new Set(findPlaceholders(nodes))],
    sections: new Set(numbered.keys()),
    empty: new Set([...numbered.keys()].filter((number) => wordsOf(content(number)) === '')),
    files: readFiles(content('2.1'), source),
    requirements: readRequirements(content('3')),
    scenarios: readScenarios(content('10.1')),
    justifiesManual: justifies(wordsOf(content('10.3'))),
    functions: readFunctions(content('2.4')),
    mitigations: readMitigations(content('11')),
    doneNames: readDoneNames(content('12')),
    code: collectNodes(content('2'), 'code').map((block) => ({
      language: (block.lang ?? '').toLowerCase(),
      text: block.value,
    })),
  };
}
