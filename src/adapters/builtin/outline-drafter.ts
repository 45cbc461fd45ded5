/**
 * The drafter that needs no model: puts what the brief says into the template's sections, word for word, and marks what
 * the brief leaves open. The same brief always gives the same draft.
 */
import type { Nodes, RootContent } from 'mdast';
import { gapMark } from '../../domain/drafts/mechanical-checks.ts';
import {
  listSections,
  normaliseTitle,
  parseMarkdown,
  plainText,
  type Section,
  sourceOf,
} from '../../domain/text/markdown.ts';
import { makeBuiltinModel } from './builtin-model.ts';
import { outlineDesign } from './design-outline.ts';

const targets = [
  'User Story',
  'Objective',
  'UX Flow',
  'Requirements',
  'Technical Approach',
  'Security Considerations',
  'Files to Create/Modify',
  'Dependencies',
  'Out of Scope',
  'Open Questions',
  'Acceptance Criteria',
  'Testing Notes',
] as const;

type Target = (typeof targets)[number];

/** A longer brief would not leave room for the issue in the body that a forge takes. */
const longestQuote = 20_000;

/** Words in the brief's headings, and the section they speak of. The first that fits wins. */
const headingWords: readonly (readonly [RegExp, Target])[] = [
  [/out of scope|non ?goals?|not (included|in scope|now)|excluded/u, 'Out of Scope'],
  [/accept|done when|success criteria|criteria/u, 'Acceptance Criteria'],
  [/user stor|persona/u, 'User Story'],
  [/question|unclear|undecided/u, 'Open Questions'],
  [/security|privacy|permission/u, 'Security Considerations'],
  [/test|verif/u, 'Testing Notes'],
  [/depend|blocked by|prerequisite/u, 'Dependencies'],
  [/files?$|files? to|modules? to|paths?$/u, 'Files to Create/Modify'],
  [/approach|technical|implementation|design|architecture|how it works/u, 'Technical Approach'],
  [/flow|scenario|usage|example|experience|walkthrough/u, 'UX Flow'],
  [/require|feature|must|should|what we need|what to (do|build)|tasks?$|scope/u, 'Requirements'],
  [/objective|goal|why|problem|background|summary|motivation|idea|context|overview/u, 'Objective'],
];

function targetOf(title: string): Target | null {
  const words = normaliseTitle(title);
  return headingWords.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

interface Brief {
  readonly source: string;
  readonly title: string;
  readonly labels: string | null;
  /** What stands under the title, or before the first heading. */
  readonly opening: readonly RootContent[];
  /** Lines, outside of code and of its questions, that say themselves that something is not decided yet. */
  readonly undecided: readonly string[];
  /** What the brief says under headings that speak of a section of the template. */
  readonly sections: ReadonlyMap<Target, readonly RootContent[]>;
}

function words(node: RootContent): string {
  return plainText(node).replace(/\s+/gu, ' ').trim();
}

function itemsOf(nodes: readonly RootContent[]): string[] {
  return nodes
    .filter((node) => node.type === 'list')
    .flatMap((list) => list.children)
    .map((item) => plainText(item).replace(/\s+/gu, ' ').trim())
    .filter((text) => text !== '');
}

function paragraphsOf(nodes: readonly RootContent[]): string[] {
  return nodes.filter((node) => node.type === 'paragraph').map(words);
}

function isLabelsLine(node: RootContent): boolean {
  return node.type === 'paragraph' && /^labels?\s*:/iu.test(plainText(node).trim());
}

/** What a section says itself: up to the next heading of any rank. */
function ownContent(nodes: readonly RootContent[]): RootContent[] {
  const end = nodes.findIndex((node) => node.type === 'heading');
  return nodes.slice(0, end === -1 ? undefined : end).filter((node) => !isLabelsLine(node));
}

/**
 * What people write where they have not decided. Doubts of users ("not sure which button") are a subject, not a gap,
 * and "TODO: a button" only says what to build.
 */
const undecidedWords = [
  /\b(?:TODO|FIXME)\b\W*(?:ask|check|clarify|decide|define|discuss|figure out|find out)\b/iu,
  /\bTBD\b|\?{3}/u,
  /\b(?:no idea|i(?: am|['’]m) not sure|to be (?:decided|determined)|undecided)\b/iu,
];

/** Lines of paragraphs: without code, which may speak of any of these words, and as they are shown. */
function spokenLines(node: Nodes): { readonly spoken: string; readonly shown: string }[] {
  if (node.type === 'code' || node.type === 'html' || node.type === 'heading') return [];
  if (node.type !== 'paragraph') return 'children' in node ? node.children.flatMap(spokenLines) : [];
  const parts = node.children.map((child) => {
    const shown = child.type === 'inlineCode' ? plainText(child).replaceAll('\n', ' ') : plainText(child);
    return { spoken: child.type === 'inlineCode' ? '…' : shown, shown };
  });
  const shown = parts
    .map((part) => part.shown)
    .join('')
    .split('\n');
  const spoken = parts
    .map((part) => part.spoken)
    .join('')
    .split('\n');
  return spoken.map((line, index) => ({ spoken: line, shown: shown[index] ?? line }));
}

function undecidedIn(nodes: readonly RootContent[]): string[] {
  return nodes
    .flatMap(spokenLines)
    .filter(({ spoken }) => undecidedWords.some((pattern) => pattern.test(spoken)))
    .map(({ shown }) => shown.replace(/\s+/gu, ' ').trim());
}

/** The heading that names the brief: the first of the first rank, or the first of all unless it speaks of a section. */
function titleSection(sections: readonly Section[]): Section | undefined {
  const [first] = sections;
  const isTitle = first !== undefined && targetOf(first.title) === null;
  return sections.find((section) => section.depth === 1) ?? (isTitle ? first : undefined);
}

function readBrief(source: string, fallbackTitle: string): Brief {
  const root = parseMarkdown(source);
  const all = listSections(root);
  const top = titleSection(all);
  const opening = [...ownContent(root.children), ...(top === undefined ? [] : ownContent(top.content))];
  const sections = new Map<Target, RootContent[]>();
  for (const section of all) {
    const target = section === top ? null : targetOf(section.title);
    const own = ownContent(section.content);
    if (target !== null && own.length > 0) sections.set(target, [...(sections.get(target) ?? []), ...own]);
  }
  const labels = root.children.find(isLabelsLine);
  const asked = new Set(sections.get('Open Questions'));
  const [firstParagraph = ''] = paragraphsOf(opening);
  return {
    source,
    title: top?.title.replace(/\s+/gu, ' ').trim() || firstSentence(firstParagraph) || fallbackTitle,
    labels: labels === undefined ? null : labelsOf(plainText(labels)),
    opening,
    undecided: undecidedIn(root.children.filter((node) => !asked.has(node))),
    sections,
  };
}

function labelsOf(line: string): string {
  return (line.trim().split('\n')[0] ?? '').replace(/^\s*labels?\s*:\s*/iu, '').trim();
}

function firstSentence(text: string): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  const sentence = /^(.+?[.!?])(?:\s|$)/u.exec(plain)?.[1] ?? plain;
  return [...sentence].slice(0, 200).join('');
}

function asClause(text: string): string {
  const clause = text.replace(/[.!?]+$/u, '').trim();
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}

function gap(what: string): string {
  return `_${gapMark}: ${what}._`;
}

function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Something of the brief in its own words. What would swallow the sections after it (an open fence) is quoted. */
function verbatim(brief: Brief, nodes: readonly RootContent[]): string {
  const text = nodes
    .map((node) => sourceOf(brief.source, node))
    .join('\n\n')
    .trim();
  const probe = parseMarkdown(`${text}\n\n# The next section\n`).children.at(-1);
  return probe?.type === 'heading' && plainText(probe) === 'The next section' ? text : quote(text);
}

function storyOf(brief: Brief, objective: string): string {
  const given = brief.sections.get('User Story');
  if (given !== undefined) return verbatim(brief, given);
  const reason =
    /\bso that\s+([^.!?]+)/iu.exec(paragraphsOf(brief.opening).join(' '))?.[1] ?? asClause(objective);
  if (reason.trim() === '') return gap('who wants this and why');
  return `As a user of this project,\nI want ${asClause(brief.title)},\nSo that ${reason.trim()}.`;
}

/** Stated criteria first, as a list or as prose; else what is required; else the list under the title. */
function criteriaOf(brief: Brief): string {
  const stated = brief.sections.get('Acceptance Criteria') ?? [];
  const required = [...(brief.sections.get('Requirements') ?? []), ...brief.opening];
  const candidates = [itemsOf(stated), paragraphsOf(stated), itemsOf(required)];
  const criteria = candidates.find((list) => list.length > 0);
  if (criteria === undefined)
    return gap('what has to be true for this to count as done; a list in the brief would do');
  return criteria.map((item) => `- [ ] ${item}`).join('\n');
}

function requirementsOf(brief: Brief): string {
  const stated = brief.sections.get('Requirements') ?? [];
  const items = [...itemsOf(brief.opening), ...itemsOf(stated)];
  const lines = items.length > 0 ? items : [...paragraphsOf(brief.opening), ...paragraphsOf(stated)];
  return lines.length === 0
    ? gap('what is required')
    : lines.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

function questionsOf(brief: Brief): string {
  const section = brief.sections.get('Open Questions') ?? [];
  const items = itemsOf(section);
  const stated = items.length > 0 ? items : section.map(words).filter((text) => text !== '');
  const questions = [...stated, ...brief.undecided];
  return questions.length === 0 ? 'None.' : questions.map((question) => `- [ ] ${question}`).join('\n');
}

const definitionOfDone = `### Implementation

- [ ] Every acceptance criterion is met

### Tools

- [ ] Scripts and configuration that the change touches are updated

### Documentation

- [ ] The documentation says what is true after the change

### Reports before merge

- [ ] The pull request says what was done and how it was tested

### Verification

- [ ] All tests pass`;

const riskChecklist = `- [ ] **Architecture:** does this change how parts depend on each other?
- [ ] **Cost:** does this cost money to run or call paid services?
- [ ] **Legal, personal data:** does this store or send data about people?
- [ ] **Legal, external data:** does this use data or code of others?
- [ ] **Safety:** can this destroy or lose something?`;

/** Makes an issue draft of a brief. The brief itself stands at its end, so nothing that it says is lost. */
export function outlineIssue(source: string, fallbackTitle: string): string {
  const brief = readBrief(source, fallbackTitle);
  const spoken = (brief.sections.get('Objective') ?? []).filter((node) =>
    ['paragraph', 'list'].includes(node.type),
  );
  const [goal = ''] = spoken.map(words);
  const [opening = ''] = paragraphsOf(brief.opening);
  const objective = firstSentence(goal) || firstSentence(opening) || brief.title;
  const or = (target: Target, otherwise: string): string => {
    const nodes = brief.sections.get(target);
    return nodes === undefined ? otherwise : verbatim(brief, nodes);
  };
  const parts: [string, string][] = [
    ['User Story', storyOf(brief, objective)],
    ['Objective', objective],
    ['UX Flow', or('UX Flow', gap('how a person uses it, when it works and when it does not'))],
    ['Requirements', requirementsOf(brief)],
    ['Technical Approach', or('Technical Approach', gap('which parts change'))],
    ['Risk Checklist', riskChecklist],
    [
      'Security Considerations',
      or('Security Considerations', gap('how input, paths and permissions are checked')),
    ],
    ['Files to Create/Modify', or('Files to Create/Modify', gap('which files change'))],
    ['Dependencies', or('Dependencies', 'None')],
    ['Out of Scope', or('Out of Scope', 'The brief rules nothing out.')],
    ['Open Questions', questionsOf(brief)],
    ['Acceptance Criteria', criteriaOf(brief)],
    ['Definition of Done', definitionOfDone],
    ['Testing Notes', or('Testing Notes', gap('how to see it work'))],
    [
      'The Brief',
      source.length > longestQuote
        ? 'It is too long to be quoted; the lineage keeps it as 001-brief.md.'
        : quote(source),
    ],
  ];
  const labels = `**Labels:** ${brief.labels ?? '`enhancement`'}`;
  const body = parts.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');
  return `# ${brief.title}\n\n${labels}\n\n${body}\n`;
}

export const outlineDrafter = makeBuiltinModel('outline', 'the built-in outline', (request) => {
  const { workflow, brief = '', title = 'Untitled', issue = '', files = '', draft } = request.material ?? {};
  // Rules cannot weigh remarks: a revision stays what it was until a person edits it.
  if (draft !== undefined) return draft;
  return workflow === 'lld' ? outlineDesign(brief, issue, files.split('\n')) : outlineIssue(brief, title);
});
