/** Reads what code needs to know out of a low-level design: its files, requirements, scenarios, functions and risks. */
import type { Nodes, RootContent, Table } from 'mdast';
import { listSections, parseMarkdown, plainText, type Section } from './markdown.ts';
import { gapMark } from './mechanical-checks.ts';

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
  readonly id: string;
  readonly text: string;
  readonly requirements: readonly number[];
  readonly isManual: boolean;
}

export interface LldDocument {
  /** The number in the first heading, or null. */
  readonly issue: number | null;
  readonly hasReviewLog: boolean;
  /** Whether a heading that is added at the end would be one. */
  readonly isClosed: boolean;
  /** Sections that say themselves that something is missing. */
  readonly gaps: readonly string[];
  /** Numbers of the sections there are, such as `2.1`. */
  readonly sections: ReadonlySet<string>;
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
  /** Paths that section 12 speaks of. */
  readonly donePaths: readonly string[];
  /** Code in section 2. */
  readonly code: readonly CodeBlock[];
}

const changeWords: Readonly<Record<string, ChangeType>> = {
  add: 'add',
  create: 'add',
  new: 'add',
  modify: 'modify',
  update: 'modify',
  delete: 'delete',
  remove: 'delete',
};

function walk(nodes: readonly Nodes[], visit: (node: Nodes) => void): void {
  // A loop and no recursion: lists and quotes can be nested thousands deep.
  const waiting: Nodes[] = [...nodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    if ('children' in node) waiting.push(...([...node.children].reverse() as Nodes[]));
  }
}

function collect<T extends Nodes['type']>(
  nodes: readonly RootContent[],
  type: T,
): Extract<Nodes, { type: T }>[] {
  const found: Extract<Nodes, { type: T }>[] = [];
  walk(nodes, (node) => {
    if (node.type === type) found.push(node as Extract<Nodes, { type: T }>);
  });
  return found;
}

function numberOf(section: Section): string | null {
  return /^(\d{1,2}(?:\.\d{1,2})*)\.?(?=\s|$)/u.exec(section.title)?.[1] ?? null;
}

/** What stands under the heading itself, not under deeper ones. */
function hasGap({ content }: Section): boolean {
  const end = content.findIndex((node) => node.type === 'heading');
  const own = content.slice(0, end === -1 ? undefined : end).filter((node) => node.type !== 'code');
  return own.some((node) => plainText(node).includes(gapMark));
}

function tableRows(table: Table): string[][] {
  return table.children.slice(1).map((row) => row.children.map((cell) => plainText(cell).trim()));
}

function readFileRow(cells: readonly string[]): FileRow {
  const [pathCell = '', changeCell = ''] = cells;
  const directory = /\(\s*directory\s*\)/iu;
  const word = changeCell.replace(directory, '').trim();
  return {
    path: pathCell.replace(directory, '').trim().replace(/\/$/u, ''),
    change: changeWords[word.toLowerCase()] ?? null,
    changeWord: word,
    isDirectory: directory.test(pathCell) || directory.test(changeCell) || pathCell.trim().endsWith('/'),
  };
}

function readRequirements(content: readonly RootContent[]): Requirement[] {
  const items = content
    .filter((node) => node.type === 'list')
    .flatMap((list) => list.children)
    .map((item) => plainText(item).trim());
  return items.map((text, index) => ({ number: index + 1, text }));
}

function readScenarios(content: readonly RootContent[]): Scenario[] {
  const rows = [
    ...collect(content, 'table')
      .flatMap(tableRows)
      .map((cells) => ({ text: cells.join(' | '), type: cells[2] ?? '' })),
    ...collect(content, 'listItem').map((item) => {
      const text = plainText(item).trim();
      return { text, type: /\bmanual\b/iu.test(text) ? 'Manual' : 'Auto' };
    }),
  ];
  return rows.map(({ text, type }) => ({
    id: /^\D{0,3}(\d{2,4})\b/u.exec(text)?.[1] ?? '',
    text,
    requirements: [...text.matchAll(/\bREQ-(\d{1,4})\b/gu)].map((match) => Number(match[1])),
    isManual: /\bmanual\b/iu.test(type),
  }));
}

/** Names before an opening bracket: declarations in any of the usual languages look like that. */
function readFunctions(content: readonly RootContent[]): Set<string> {
  const names = new Set<string>();
  for (const block of collect(content, 'code')) {
    for (const match of block.value.matchAll(/([A-Za-z_$][\w$]*)\s*(?:<[^>\n]{0,80}>)?\s*\(/gu))
      names.add(match[1] ?? '');
    for (const match of block.value.matchAll(
      /\b(?:class|interface|type|const|struct|enum)\s+([A-Za-z_$][\w$]*)/gu,
    ))
      names.add(match[1] ?? '');
  }
  for (const code of collect(content, 'inlineCode')) {
    const name = /^([A-Za-z_$][\w$.]*)/u.exec(code.value)?.[1];
    if (name !== undefined) names.add(name.split('.').at(-1) ?? name);
  }
  return names;
}

function looksLikePath(text: string): boolean {
  return /^\.?[\w@+-][\w.@+-]*(?:\/[\w.@+-]+)+\/?$/u.test(text);
}

export function readLldDocument(draft: string): LldDocument {
  const root = parseMarkdown(draft);
  const sections = listSections(root);
  const numbered = new Map<string, Section>();
  for (const section of sections) {
    const number = section.depth === 1 ? null : numberOf(section);
    if (number !== null && !numbered.has(number)) numbered.set(number, section);
  }
  const content = (number: string): readonly RootContent[] => numbered.get(number)?.content ?? [];
  const title = sections.find((section) => section.depth === 1)?.title ?? '';
  const number = /\d+/u.exec(title)?.[0];
  const [table] = content('2.1').filter((node) => node.type === 'table');
  const justification = content('10.3')
    .map((node) => plainText(node))
    .join(' ')
    .trim();
  const probe = parseMarkdown(`${draft.trimEnd()}\n\n## The end\n`).children.at(-1);
  return {
    hasReviewLog: sections.some((section) => /\breview log\b/iu.test(section.title)),
    isClosed: probe?.type === 'heading' && plainText(probe) === 'The end',
    gaps: sections.filter(hasGap).map((section) => section.title),
    issue: number === undefined ? null : Number(number),
    sections: new Set(numbered.keys()),
    files: table === undefined ? null : tableRows(table).map(readFileRow),
    requirements: readRequirements(content('3')),
    scenarios: readScenarios(content('10.1')),
    justifiesManual: justification !== '' && !/^(none|n\/a)\b/iu.test(justification),
    functions: readFunctions(content('2.4')),
    mitigations: collect(content('11'), 'inlineCode').flatMap((code) => {
      const name = /^([A-Za-z_$][\w$.]*)\(.*\)$/u.exec(code.value)?.[1];
      return name === undefined ? [] : [name.split('.').at(-1) ?? name];
    }),
    donePaths: collect(content('12'), 'inlineCode')
      .map((code) => code.value.trim())
      .filter(looksLikePath)
      .map((path) => path.replace(/^\.\//u, '').replace(/\/$/u, '')),
    code: collect(content('2'), 'code').map((block) => ({
      language: (block.lang ?? '').toLowerCase(),
      text: block.value,
    })),
  };
}
