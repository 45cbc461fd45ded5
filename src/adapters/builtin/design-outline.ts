/**
 * The drafter of designs that needs no model: puts what the issue says into the numbered sections and marks what only
 * somebody who knows the code can say. The same issue always gives the same draft.
 */
import type { RootContent } from 'mdast';
import { findSection, listSections, parseMarkdown, plainText, type Section } from '../../domain/markdown.ts';
import { gapMark } from '../../domain/mechanical-checks.ts';

function gap(what: string): string {
  return `_${gapMark}: ${what}._`;
}

function cell(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\|/gu, '\\|').trim();
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
  const paths: string[] = [];
  const visit = (node: RootContent): void => {
    if (node.type === 'inlineCode' && /^[\w.@+/-]+$/u.test(node.value)) paths.push(node.value);
    if ('children' in node) for (const child of node.children) visit(child as RootContent);
  };
  for (const node of section?.content ?? []) {
    if (node.type === 'list' || node.type === 'paragraph' || node.type === 'table') visit(node);
  }
  return [...new Set(paths)];
}

function scenarioRow(text: string, index: number): string {
  const id = String((index + 1) * 10).padStart(3, '0');
  return `| ${id} | ${text} | Auto | it holds (REQ-${index + 1}) |`;
}

/** Makes a design draft of an issue's text. `files` are the paths that exist. */
export function outlineDesign(issue: string, number: string, files: readonly string[]): string {
  const sections = listSections(parseMarkdown(issue));
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
