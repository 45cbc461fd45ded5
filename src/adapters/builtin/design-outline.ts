/**
 * The drafter of designs that needs no model: it puts the words of the issue into the numbered sections and marks the
 * gaps that only a person who knows the code can fill. The same issue always gives the same draft.
 */

import { gapMark } from '../../domain/drafts/mechanical-checks.ts';
import {
  collectNodes,
  findSection,
  inlineMarkdown,
  isTooDeep,
  listSections,
  parseMarkdown,
  plainText,
  type Section,
} from '../../domain/text/markdown.ts';

function gap(what: string): string {
  return `_${gapMark}: ${what}._`;
}

/** A longer item would drown the others; the issue has the whole of it. */
const longestQuote = 2_000;

/** Words of the issue on one line. Its marks are escaped, so that none of them swallows the sections that follow. */
function cell(text: string): string {
  return inlineMarkdown([...text.slice(0, 2 * longestQuote)].slice(0, longestQuote).join(''));
}

function itemsOf(section: Section | undefined): string[] {
  return (section?.content ?? [])
    .filter((node) => node.type === 'list')
    .flatMap((list) => list.children)
    .map((item) => cell(plainText(item)))
    .filter((text) => text !== '');
}

function wordsOf(section: Section | undefined): string {
  return cell((section?.content ?? []).map((node) => plainText(node)).join(' '));
}

/** What stands in back-ticks and looks like a path, in the section about files. */
function pathsOf(section: Section | undefined): string[] {
  const names = collectNodes(section?.content ?? [], 'inlineCode').map((node) => node.value);
  return [...new Set(names.filter((name) => /^[\w.@+/-]{1,400}$/u.test(name)))];
}

function scenarioRow(text: string, index: number): string {
  const id = String((index + 1) * 10).padStart(3, '0');
  return `| ${id} | ${text} | Auto | it holds (REQ-${index + 1}) |`;
}

/** Makes a design draft of an issue's text. `files` are the paths that exist. */
export function outlineDesign(issue: string, number: string, files: readonly string[]): string {
  const readable = issue.split('\n').filter((line) => !isTooDeep(line));
  const sections = listSections(parseMarkdown(readable.join('\n')));
  const section = (title: string): Section | undefined => findSection(sections, title);
  const title = cell(sections.find((one) => one.depth === 1)?.title ?? 'Untitled');
  const criteria = itemsOf(section('Acceptance Criteria'));
  const requirements = criteria.length > 0 ? criteria : itemsOf(section('Requirements'));
  const listed = requirements.length > 0 ? requirements : [title];
  const existing = new Set(files);
  const rows = pathsOf(section('Files to Create/Modify')).map(
    (path) => `| \`${path}\` | ${existing.has(path) ? 'Modify' : 'Add'} | ${gap('what changes and why')} |`,
  );
  const risks = wordsOf(section('Security Considerations'));
  const parts: [string, string][] = [
    [
      '## 1. Context & Goal',
      `- **Issue:** #${number}\n- **Objective:** ${wordsOf(section('Objective')) || title}\n- **Related:** ${wordsOf(section('Dependencies')) || 'None'}\n\n### Open Questions\n\nNone.`,
    ],
    ['## 2. Proposed Changes', ''],
    ['### 2.1 Files Changed', `| File | Change | What and why |\n|---|---|---|\n${rows.join('\n')}`],
    ['### 2.2 Dependencies', 'None'],
    ['### 2.3 Data Structures', gap('types and the rules that always hold')],
    ['### 2.4 Function Signatures', gap('what is new or changed')],
    ['### 2.5 Logic', gap('the order of steps')],
    ['### 2.6 Approach', wordsOf(section('Technical Approach')) || gap('how it works')],
    ['### 2.7 Decisions', gap('what was chosen and why')],
    ['## 3. Requirements', listed.map((text, index) => `${index + 1}. ${text}`).join('\n')],
    ['## 4. Alternatives', gap('what was thought of and left out')],
    ['## 5. Data & Fixtures', gap('where test data comes from')],
    ['## 6. Diagram', 'N/A: no model drew one.'],
    ['## 7. Security & Safety', risks || gap('input, secrets, recovery')],
    ['## 8. Performance & Cost', gap('bounds')],
    ['## 9. Legal', 'None'],
    ['## 10. Verification', ''],
    ['### 10.0 Test Plan', gap('which tests fail without the change')],
    [
      '### 10.1 Test Scenarios',
      `| ID | Scenario | Type | Passes when |\n|---|---|---|---|\n${listed.map(scenarioRow).join('\n')}`,
    ],
    ['### 10.2 Commands', gap('the commands that run the tests')],
    ['### 10.3 Manual Tests', 'None'],
    ['## 11. Risks', gap('what may go wrong and what is done about it')],
    ['## 12. Definition of Done', listed.map((text) => `- [ ] ${text}`).join('\n')],
  ];
  const body = parts.map(([heading, text]) => (text === '' ? heading : `${heading}\n\n${text}`)).join('\n\n');
  return `# LLD-${number}: ${title}\n\n${body}\n`;
}
