/** What code can check about a low-level design before a reviewer is paid: that it speaks of this issue and these files. */
import { type FileRow, type LldDocument, readLldDocument } from './lld-document.ts';
import { checkImports } from './lld-imports.ts';
import { nearestWords } from './nearest-word.ts';
import { vagueWords } from './vague-words.ts';
import type { Finding } from './verdict.ts';

export interface RepositoryFacts {
  readonly issue: number;
  /** Every file of the repository, as git lists them. */
  readonly files: readonly string[];
}

const requiredSections = [
  ['1', '## 1', 'Context and goal'],
  ['2.1', '### 2.1', 'Files changed'],
  ['3', '## 3', 'Requirements'],
  ['10.1', '### 10.1', 'Test scenarios'],
  ['11', '## 11', 'Risks'],
  ['12', '## 12', 'Definition of done'],
] as const;

/** Folders that drafters take for granted. */
const guessedFolders = ['src', 'lib', 'app'];
const wantedCoverage = 0.95;
const mostFindings = 60;

function blocking(section: string, problem: string, fix: string): Finding {
  return { tier: 'blocking', category: 'Mechanical', section, problem, fix };
}

function warning(section: string, problem: string, fix: string): Finding {
  return { tier: 'suggestion', category: 'Mechanical', section, problem, fix };
}

function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function isUsablePath(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 400 &&
    !path.startsWith('/') &&
    !/[\\\u0000-\u001F\u007F]/u.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') &&
    path.split('/')[0] !== '.git'
  );
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** The folders of a repository, the root as an empty name. */
function listFolders(files: readonly string[]): Set<string> {
  const folders = new Set(['']);
  for (const file of files) {
    for (let folder = folderOf(file); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

/** Up to three real paths that may have been meant: those of the same name first. */
function suggestPaths(path: string, files: readonly string[]): string {
  const name = path.split('/').at(-1) ?? path;
  const sameName = files.filter((file) => file.split('/').at(-1) === name);
  const near = nearestWords(path, files, 3);
  const names = [...new Set([...sameName, ...near])].slice(0, 3);
  return names.length === 0 ? '' : ` Did you mean ${names.map((one) => `\`${shown(one)}\``).join(' or ')}?`;
}

function checkFormalities(document: LldDocument, issue: number): Finding[] {
  const findings = requiredSections
    .filter(([number]) => !document.sections.has(number))
    .map(([, heading, title]) =>
      blocking(title, `The heading "${heading}" is missing.`, 'Keep the numbered headings of the template.'),
    );
  for (const title of document.gaps) {
    const problem = `The section "${shown(title)}" still has a gap.`;
    findings.push(blocking(shown(title), problem, 'Say it in the issue or write it in the design.'));
  }
  if (document.hasReviewLog) {
    const problem = 'The design brings a review log of its own.';
    findings.push(
      blocking('Review Log', problem, 'Leave it out: it is written when the design is approved.'),
    );
  }
  if (!document.isClosed) {
    const problem =
      'A code block or comment is opened and never closed, so whatever is added would be part of it.';
    findings.push(blocking('', problem, 'Close it.'));
  }
  if (document.issue !== issue) {
    const said = document.issue === null ? 'names no issue' : `speaks of #${document.issue}`;
    const fix = `Begin with "# LLD-${issue}: …".`;
    findings.push(blocking('Title', `The first heading ${said}; this is the design of #${issue}.`, fix));
  }
  return findings;
}

function checkTable(rows: readonly FileRow[] | null): Finding[] {
  const section = '2.1 Files Changed';
  if (rows === null || rows.length === 0) {
    const fix = 'List every file with Add, Modify or Delete.';
    return [blocking(section, 'There is no table of files.', fix)];
  }
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const path = shown(row.path);
    if (!isUsablePath(row.path)) {
      const fix = 'Give paths from the root of the repository, with forward slashes.';
      findings.push(blocking(section, `"${path}" is not a path inside the repository.`, fix));
    } else if (seen.has(row.path)) {
      findings.push(blocking(section, `\`${path}\` is listed twice.`, 'Keep one row for each file.'));
    }
    seen.add(row.path);
    if (row.change === null) {
      const problem = `"${shown(row.changeWord)}" for \`${path}\` is no kind of change.`;
      findings.push(blocking(section, problem, 'Write Add, Modify or Delete; "(Directory)" may follow.'));
    }
  }
  return findings;
}

/** A declared folder stands before what is put into it. */
function checkOrder(rows: readonly FileRow[]): Finding[] {
  return rows.flatMap((row, index) => {
    if (!row.isDirectory || row.change !== 'add') return [];
    const early = rows.slice(0, index).find((other) => other.path.startsWith(`${row.path}/`));
    if (early === undefined) return [];
    const problem = `The folder \`${shown(row.path)}\` is declared after \`${shown(early.path)}\`, which is in it.`;
    return [blocking('2.1 Files Changed', problem, 'Declare a folder before its files.')];
  });
}

function checkRow(
  row: FileRow,
  declared: ReadonlySet<string>,
  files: ReadonlySet<string>,
  folders: ReadonlySet<string>,
  all: readonly string[],
): Finding[] {
  const section = '2.1 Files Changed';
  const path = shown(row.path);
  const isThere = files.has(row.path) || folders.has(row.path);
  if (row.change === 'modify' || row.change === 'delete') {
    if (isThere) return [];
    const problem = `\`${path}\` does not exist, so it cannot be changed.${suggestPaths(row.path, all)}`;
    return [blocking(section, problem, 'Name a file that exists, or add it.')];
  }
  if (isThere && !row.isDirectory) {
    return [blocking(section, `\`${path}\` exists already, so it cannot be added.`, 'Call it Modify.')];
  }
  const [top = ''] = row.path.split('/');
  if (row.path.includes('/') && guessedFolders.includes(top) && !folders.has(top) && !declared.has(top)) {
    const problem = `There is no folder \`${top}/\` in this repository.${suggestPaths(row.path, all)}`;
    return [
      blocking(section, problem, `Use the folders there are, or declare \`${top}/\` with "(Directory)".`),
    ];
  }
  const parent = folderOf(row.path);
  // One new folder goes without saying; more than that is either declared or a mistake.
  const isKnown =
    folders.has(parent) || declared.has(parent) || folders.has(folderOf(parent)) || row.isDirectory;
  if (isKnown) return [];
  const problem = `Nothing says where the folder \`${shown(parent)}\` of \`${path}\` comes from.${suggestPaths(row.path, all)}`;
  return [blocking(section, problem, 'Declare new folders with "(Directory)" before their files.')];
}

function checkPaths(rows: readonly FileRow[], facts: RepositoryFacts): Finding[] {
  const files = new Set(facts.files);
  const folders = listFolders(facts.files);
  const declared = new Set(
    rows.filter((row) => row.isDirectory && row.change === 'add').map((row) => row.path),
  );
  return rows
    .filter((row) => row.change !== null && isUsablePath(row.path))
    .flatMap((row) => checkRow(row, declared, files, folders, facts.files));
}

function checkDone(document: LldDocument, rows: readonly FileRow[]): Finding[] {
  const listed = new Set(rows.map((row) => row.path));
  const isCovered = (path: string): boolean =>
    listed.has(path) ||
    rows.some((row) => row.path.startsWith(`${path}/`) || path.startsWith(`${row.path}/`));
  return [...new Set(document.donePaths)]
    .filter((path) => !isCovered(path))
    .map((path) =>
      blocking(
        '12 Definition of Done',
        `\`${shown(path)}\` is not among the files of section 2.1.`,
        'List it there, or do not promise it here.',
      ),
    );
}

function checkScenarios(document: LldDocument): Finding[] {
  const section = '10.1 Test Scenarios';
  const findings: Finding[] = [];
  const { requirements, scenarios } = document;
  if (document.sections.has('3') && requirements.length === 0) {
    findings.push(
      blocking('3 Requirements', 'There is no list of requirements.', 'Number them 1., 2., 3. …'),
    );
  }
  const covered = new Set(scenarios.flatMap((scenario) => scenario.requirements));
  const open = requirements.filter((requirement) => !covered.has(requirement.number));
  if (requirements.length > 0 && 1 - open.length / requirements.length < wantedCoverage) {
    const names = open.map((requirement) => `REQ-${requirement.number}`).slice(0, 20);
    const problem = `No scenario tries ${names.join(', ')}.`;
    findings.push(blocking(section, problem, 'Add scenarios, each ending with the requirement: (REQ-n).'));
  }
  for (const number of [...covered].filter((one) => one < 1 || one > requirements.length)) {
    const problem = `A scenario tries REQ-${number}, which section 3 does not have.`;
    findings.push(blocking(section, problem, 'Correct the number.'));
  }
  for (const scenario of scenarios) {
    const vague = vagueWords.exec(scenario.text);
    // A number says how much; then such words only explain it. The id and the requirement are numbers too.
    const rest = scenario.text.replace(/\bREQ-\d+\b/gu, '').replace(scenario.id, '');
    if (vague === null || /\d/u.test(rest)) continue;
    const problem = `"${shown(scenario.text)}" cannot pass or fail: "${vague[0]}".`;
    findings.push(blocking(section, problem, 'Say what is measured and which value passes.'));
  }
  if (scenarios.some((scenario) => scenario.isManual) && !document.justifiesManual) {
    const problem = 'A scenario is left to a person, and section 10.3 does not say why.';
    findings.push(blocking('10.3 Manual Tests', problem, 'Automate it, or give the reason there.'));
  }
  return findings;
}

function checkMitigations(document: LldDocument): Finding[] {
  return [...new Set(document.mitigations)]
    .filter((name) => !document.functions.has(name))
    .map((name) =>
      warning(
        '11 Risks',
        `A mitigation relies on \`${shown(name)}()\`, which section 2.4 does not have.`,
        'Add its signature, or name the function that does it.',
      ),
    );
}

/** All findings about a design, the blocking ones first. */
export function checkLldDraft(draft: string, facts: RepositoryFacts): Finding[] {
  if (draft.trim() === '') return [blocking('', 'The design is empty.', 'Write it.')];
  const document = readLldDocument(draft);
  const rows = document.files ?? [];
  const findings = [
    ...checkFormalities(document, facts.issue),
    ...(document.sections.has('2.1') ? checkTable(document.files) : []),
    ...checkOrder(rows),
    ...checkPaths(rows, facts),
    ...checkDone(document, rows),
    ...checkScenarios(document),
    ...checkMitigations(document),
    ...checkImports(document, facts.files).map(({ module, problem }) =>
      warning(
        '2 Proposed Changes',
        `\`${shown(module)}\` ${problem}`,
        'Import what exists, or add it in 2.1.',
      ),
    ),
  ];
  const rank = { blocking: 0, high: 1, suggestion: 2 };
  return findings.sort((a, b) => rank[a.tier] - rank[b.tier]).slice(0, mostFindings);
}
