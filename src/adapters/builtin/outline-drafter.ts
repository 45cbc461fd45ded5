/**
 * The drafter that needs no model: puts what the brief says into the template's sections, word for word, and marks what
 * the brief leaves open. The same brief always gives the same draft.
 */
import type { Root, RootContent } from 'mdast';
import {
  listSections,
  normaliseTitle,
  parseMarkdown,
  plainText,
  type Section,
  sourceOf,
} from '../../domain/markdown.ts';
import { gapMark } from '../../domain/mechanical-checks.ts';
import { makeBuiltinModel } from './builtin-model.ts';

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
  readonly title: string;
  readonly labels: string | null;
  readonly paragraphs: readonly string[];
  readonly items: readonly string[];
  readonly mapped: ReadonlyMap<Target, string>;
  readonly mappedItems: ReadonlyMap<Target, readonly string[]>;
  readonly rest: readonly { readonly title: string; readonly text: string }[];
}

function itemsOf(nodes: readonly RootContent[]): string[] {
  return nodes
    .filter((node) => node.type === 'list')
    .flatMap((list) => list.children)
    .map((item) => plainText(item).replace(/\s+/gu, ' ').trim())
    .filter((text) => text !== '');
}

function sourceOfAll(source: string, nodes: readonly RootContent[]): string {
  return nodes
    .map((node) => sourceOf(source, node))
    .join('\n\n')
    .trim();
}

function isLabelsLine(node: RootContent): boolean {
  return node.type === 'paragraph' && /^labels?\s*:/iu.test(plainText(node).trim());
}

/** The part of the brief before its sections: what stands directly under the title, or before the first heading. */
function openingOf(root: Root): RootContent[] {
  const opening: RootContent[] = [];
  for (const [index, node] of root.children.entries()) {
    if (node.type === 'heading') {
      if (index === 0 || opening.length === 0) continue;
      break;
    }
    opening.push(node);
  }
  return opening;
}

function readBrief(source: string, fallbackTitle: string): Brief {
  const root = parseMarkdown(source);
  const sections = listSections(root);
  const top = sections.find((section) => section.depth === 1) ?? sections[0];
  const opening = openingOf(root);
  const mapped = new Map<Target, string>();
  const mappedItems = new Map<Target, string[]>();
  const rest: { title: string; text: string }[] = [];
  const openingEnd = opening.at(-1);
  for (const section of sections) {
    if (section === top) continue;
    const own = ownContent(section).filter((node) => node !== openingEnd && !opening.includes(node));
    const text = sourceOfAll(source, own);
    if (text === '') continue;
    const target = targetOf(section.title);
    if (target === null) rest.push({ title: section.title, text });
    else {
      mapped.set(target, mapped.has(target) ? `${mapped.get(target)}\n\n${text}` : text);
      mappedItems.set(target, [...(mappedItems.get(target) ?? []), ...itemsOf(own)]);
    }
  }
  const labels = root.children.find(isLabelsLine);
  const firstParagraph = opening.find((node) => node.type === 'paragraph' && !isLabelsLine(node));
  const title =
    top?.title ||
    firstSentence(firstParagraph === undefined ? '' : plainText(firstParagraph)) ||
    fallbackTitle;
  return {
    title,
    labels:
      labels === undefined
        ? null
        : plainText(labels)
            .replace(/^\s*labels?\s*:\s*/iu, '')
            .trim(),
    paragraphs: opening
      .filter((node) => node.type === 'paragraph' && !isLabelsLine(node))
      .map((node) => plainText(node).replace(/\s+/gu, ' ').trim()),
    items: itemsOf(opening),
    mapped,
    mappedItems,
    rest,
  };
}

/** What a section says itself: up to the next heading of any rank. */
function ownContent(section: Section): RootContent[] {
  const end = section.content.findIndex((node) => node.type === 'heading');
  return section.content.slice(0, end === -1 ? undefined : end).filter((node) => !isLabelsLine(node));
}

function firstSentence(text: string): string {
  const sentence = /^(.+?[.!?])(?:\s|$)/u.exec(text.trim())?.[1] ?? text.trim();
  return [...sentence].slice(0, 200).join('');
}

function asClause(text: string): string {
  const clause = text.replace(/[.!?]+$/u, '').trim();
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}

function gap(what: string): string {
  return `_${gapMark}: ${what}._`;
}

function storyOf(brief: Brief, objective: string): string {
  const given = brief.mapped.get('User Story');
  if (given !== undefined) return given;
  const reason = /\bso that\s+([^.!?]+)/iu.exec(brief.paragraphs.join(' '))?.[1] ?? asClause(objective);
  if (reason.trim() === '') return gap('who wants this and why');
  return `As a user of this project,\nI want ${asClause(brief.title)},\nSo that ${reason.trim()}.`;
}

function criteriaOf(brief: Brief): string {
  const stated = brief.mappedItems.get('Acceptance Criteria') ?? [];
  const items =
    stated.length > 0 ? stated : [...(brief.mappedItems.get('Requirements') ?? []), ...brief.items];
  if (items.length === 0)
    return gap('what has to be true for this to count as done; a list in the brief would do');
  return items.map((item) => `- [ ] ${item}`).join('\n');
}

function requirementsOf(brief: Brief): string {
  const items = [...brief.items, ...(brief.mappedItems.get('Requirements') ?? [])];
  const text = brief.mapped.get('Requirements');
  if (items.length > 0) return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
  if (text !== undefined) return text;
  const stated = brief.paragraphs.filter((paragraph) => paragraph !== '');
  return stated.length > 0
    ? stated.map((paragraph, index) => `${index + 1}. ${paragraph}`).join('\n')
    : gap('what is required');
}

function questionsOf(brief: Brief): string {
  const questions = brief.mappedItems.get('Open Questions') ?? [];
  if (questions.length > 0) return questions.map((question) => `- [ ] ${question}`).join('\n');
  return brief.mapped.has('Open Questions')
    ? `- [ ] ${(brief.mapped.get('Open Questions') ?? '').replace(/\s+/gu, ' ')}`
    : 'None.';
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

/** Makes an issue draft of a brief. */
export function outlineIssue(source: string, fallbackTitle: string): string {
  const brief = readBrief(source, fallbackTitle);
  const objective =
    firstSentence(brief.mapped.get('Objective') ?? '') ||
    firstSentence(brief.paragraphs[0] ?? '') ||
    brief.title;
  const or = (target: Target, otherwise: string): string => brief.mapped.get(target) ?? otherwise;
  const background = brief.mapped.get('Objective');
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
  ];
  const more = [
    ...(brief.paragraphs.length > 1 || background !== undefined
      ? [
          `### Background\n\n${[...brief.paragraphs, ...(background === undefined ? [] : [background])].join('\n\n')}`,
        ]
      : []),
    ...brief.rest.map(({ title, text }) => `### ${title}\n\n${text}`),
  ];
  if (more.length > 0) parts.push(['From the Brief', more.join('\n\n')]);
  const labels = `**Labels:** ${brief.labels ?? '`enhancement`'}`;
  const body = parts.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');
  return `# ${brief.title.replace(/\s+/gu, ' ')}\n\n${labels}\n\n${body}\n`;
}

export const outlineDrafter = makeBuiltinModel('outline', 'the built-in outline', (request) => {
  const { brief = '', title = 'Untitled', draft } = request.material ?? {};
  // Rules cannot weigh remarks: a revision stays what it was until a person edits it.
  return draft ?? outlineIssue(brief, title);
});
