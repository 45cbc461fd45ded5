/** What code can check about a low-level design before a reviewer is paid: that it speaks of this issue and these files. */

import type { Finding } from '../../../../domain/drafts/verdict.ts';
import { isTooDeep } from '../../../../domain/text/markdown.ts';
import { type LldDocument, readLldDocument } from './lld-document.ts';
import { checkDone, checkFiles } from './lld-files.ts';
import { blocking, shown, warning } from './lld-findings.ts';
import { checkImports } from './lld-imports.ts';
import { checkScenarios } from './lld-scenarios.ts';

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

/** A longer design would not be read, and models do not write one. */
const longestDesign = 256 * 1024;
const mostFindings = 60;

function checkSections(document: LldDocument): Finding[] {
  const findings: Finding[] = [];
  for (const [number, heading, title] of requiredSections) {
    if (!document.sections.has(number)) {
      const problem = `The heading "${heading}" is missing.`;
      findings.push(blocking(title, problem, 'Keep the numbered headings of the template.'));
    } else if (document.empty.has(number)) {
      findings.push(blocking(title, `The section "${heading}" is empty.`, 'Fill it in.'));
    }
  }
  for (const title of document.gaps) {
    const problem = `The section "${shown(title)}" still has a gap.`;
    findings.push(blocking(shown(title), problem, 'Say it in the issue or write it in the design.'));
  }
  for (const text of document.placeholders.slice(0, 10)) {
    const problem = `"${shown(text)}" stands there as in the template.`;
    findings.push(blocking('', problem, 'Replace it; braces that are meant go into back-ticks.'));
  }
  return findings;
}

function checkFormalities(document: LldDocument, issue: number): Finding[] {
  const findings = checkSections(document);
  if (document.hasReviewLog) {
    const problem = 'The design brings a review log or a final status of its own.';
    const fix = 'Leave it out: it is written when the design is approved.';
    findings.push(blocking('Review Log', problem, fix));
  }
  if (!document.isClosed) {
    const problem = 'A code block or comment is never closed, so all following text would be part of it.';
    findings.push(blocking('', problem, 'Close it.'));
  }
  if (document.issue !== issue) {
    const said = document.issue === null ? 'names no issue' : `speaks of #${document.issue}`;
    const fix = `Begin with "# LLD-${issue}: …".`;
    findings.push(blocking('Title', `The first heading ${said}; this is the design of #${issue}.`, fix));
  }
  if (document.hidesText) {
    const problem = 'The design holds comments or invisible characters, which its page does not show.';
    findings.push(warning('', problem, 'Say it openly or leave it out.'));
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
  if (draft.length > longestDesign) {
    const problem = `The design has ${draft.length} characters; at most ${longestDesign} are read.`;
    return [blocking('', problem, 'Shorten it, or split the issue.')];
  }
  if (isTooDeep(draft)) {
    return [
      blocking('', 'A line opens more than a hundred quotes or lists in each other.', 'Write it plainly.'),
    ];
  }
  const document = readLldDocument(draft);
  const rows = document.files ?? [];
  const findings = [
    ...checkFormalities(document, facts.issue),
    ...(document.sections.has('2.1') ? checkFiles(document.files, facts.files) : []),
    ...checkDone(document.doneNames, rows, facts.files),
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
  const sorted = findings.sort((a, b) => rank[a.tier] - rank[b.tier]);
  const rest = sorted.length - mostFindings;
  if (rest <= 0) return sorted;
  const more = warning(
    '',
    `${rest === 1 ? '1 more finding is' : `${rest} more findings are`} not listed.`,
    'Settle these first.',
  );
  return [...sorted.slice(0, mostFindings), more];
}
