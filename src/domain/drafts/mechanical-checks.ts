/** What code can check about a drafted issue, so that no reviewer is paid to find it. */
import type { RootContent } from 'mdast';
import { GatewrightError } from '../../errors.ts';
import { longestBody } from '../forge/forge-texts.ts';
import { findSection, listSections, parseMarkdown, plainText, type Section } from '../text/markdown.ts';
import { readLabels, readTitle } from './issue-draft.ts';
import { vagueWords } from './vague-words.ts';
import type { Finding } from './verdict.ts';

const requiredSections = [
  'User Story',
  'Objective',
  'Requirements',
  'Out of Scope',
  'Acceptance Criteria',
  'Definition of Done',
] as const;

const expectedSections = [
  'UX Flow',
  'Technical Approach',
  'Risk Checklist',
  'Security Considerations',
  'Files to Create/Modify',
  'Dependencies',
  'Testing Notes',
] as const;

/**
 * How a drafter marks what it does not know. A person or a later draft has to fill such a mark in a required section.
 */
export const gapMark = 'Not in the brief';
/** The same in a design, which is made of an issue. */
export const designGapMark = 'Not in the issue';

export function marksGap(text: string): boolean {
  return text.includes(gapMark) || text.includes(designGapMark);
}

/** How a drafter says that it found nothing about a section: that is not the same as "none". It blocks nothing. */
export const notStated = 'Not stated in the brief.';

function finding(tier: Finding['tier'], section: string, problem: string, fix: string): Finding {
  return { tier, category: 'Quality', section, problem, fix };
}

function contentText(section: Section): string {
  return section.content
    .filter((node) => node.type !== 'heading')
    .map((node) => plainText(node))
    .join('\n')
    .trim();
}

interface Item {
  readonly text: string;
  /** Without text in back-ticks: a name may contain any word. */
  readonly prose: string;
  readonly checked: boolean | null;
  /** Whether it stands under another item, which says whether it is met. */
  readonly isDetail: boolean;
}

function listItems(nodes: readonly RootContent[], isDetail = false): Item[] {
  return nodes
    .filter((node) => node.type === 'list')
    .flatMap((list) => list.children)
    .flatMap((item) => {
      const own = item.children.filter((child) => child.type !== 'list');
      const text = own
        .map((child) => plainText(child))
        .join('\n')
        .trim();
      const prose = own.map((child) => plainText(child, { withoutCode: true })).join('\n');
      const isBox = typeof item.checked === 'boolean';
      return [
        { text, prose, checked: item.checked ?? null, isDetail },
        ...listItems(item.children, isDetail || isBox),
      ];
    });
}

function checkSections(sections: readonly Section[]): Finding[] {
  const findings: Finding[] = [];
  for (const title of requiredSections) {
    const section = findSection(sections, title);
    if (section === undefined) {
      findings.push(
        finding('blocking', title, `The section "${title}" is missing.`, 'Add it, as the template shows.'),
      );
    } else if (contentText(section) === '') {
      findings.push(finding('blocking', title, `The section "${title}" is empty.`, 'Fill it in.'));
    } else if (contentText(section).includes(gapMark)) {
      findings.push(
        finding(
          'blocking',
          title,
          `The section "${title}" still has a gap: the brief does not say it.`,
          'Say it in the brief or write it in the draft.',
        ),
      );
    } else if (contentText(section) === notStated) {
      const fix = 'Say it in the brief or write it in the draft, if it matters.';
      findings.push(finding('suggestion', title, `"${title}" is not stated in the brief.`, fix));
    }
  }
  for (const title of expectedSections) {
    const section = findSection(sections, title);
    if (section === undefined) {
      const fix = 'Add it, or write N/A with a reason.';
      findings.push(finding('suggestion', title, `The section "${title}" is missing.`, fix));
    } else if (contentText(section).includes(gapMark)) {
      const fix = 'Say it in the brief or write it in the draft.';
      findings.push(
        finding('suggestion', title, `The section "${title}" has a gap: the brief does not say it.`, fix),
      );
    }
  }
  return findings;
}

function checkCriteria(sections: readonly Section[]): Finding[] {
  const title = 'Acceptance Criteria';
  const section = findSection(sections, title);
  if (section === undefined || contentText(section) === '') return [];
  const items = listItems(section.content);
  if (items.length === 0) {
    return [
      finding(
        'blocking',
        title,
        'There is no list of criteria.',
        'Write each criterion as "- [ ] …", one that is either true or not.',
      ),
    ];
  }
  return items.flatMap((item) => {
    const shown = item.text.slice(0, 80);
    if (item.checked === null && !item.isDetail) {
      return [finding('blocking', title, `"${shown}" is not a checkbox.`, 'Write it as "- [ ] …".')];
    }
    const vague = vagueWords.exec(item.prose);
    // A criterion with a number says how much; then words such as "fast" only explain it.
    if (vague !== null && !/\d/u.test(item.prose)) {
      return [
        finding(
          'blocking',
          title,
          `"${shown}" cannot be answered with yes or no: "${vague[0]}".`,
          'Say what is measured and which value passes.',
        ),
      ];
    }
    return [];
  });
}

/** The questions of a draft, an issue's or a design's, that are neither ticked nor "none". */
export function findOpenQuestions(draft: string): string[] {
  if (draft.length > longestBody) return [];
  const section = findSection(listSections(parseMarkdown(draft)), 'Open Questions');
  return section === undefined ? [] : openItems(listItems(section.content)).map(({ text }) => text);
}

/**
 * The sections of a design that its drafter left to a person: sent as it is, the design comes back. In an issue a gap may
 * stay, so those are not looked for.
 */
export function findDesignGaps(draft: string): string[] {
  if (draft.length > longestBody || !draft.includes(designGapMark)) return [];
  return listSections(parseMarkdown(draft)).flatMap(({ title, content }) => {
    const end = content.findIndex((node) => node.type === 'heading');
    const own = content.slice(0, end === -1 ? undefined : end).filter((node) => node.type !== 'code');
    return own.some((node) => plainText(node).includes(designGapMark)) ? [title] : [];
  });
}

function openItems(items: readonly Item[]): Item[] {
  return items.filter(
    (item) => !item.isDetail && item.checked !== true && !/^(none|n\/a)\.?$/iu.test(item.text),
  );
}

function checkOpenQuestions(sections: readonly Section[]): Finding[] {
  const title = 'Open Questions';
  const section = findSection(sections, title);
  if (section === undefined) return [];
  const items = listItems(section.content);
  const open = openItems(items);
  if (open.length > 0) {
    return open.map((item) =>
      finding(
        'blocking',
        title,
        `Still open: "${item.text.slice(0, 120)}".`,
        'Answer it, then tick or remove it.',
      ),
    );
  }
  const text = contentText(section);
  if (items.length > 0 || text === '' || /^(none|n\/a|not stated)\b[^?]*$/iu.test(text)) return [];
  return [
    finding(
      'blocking',
      title,
      'The section holds text that is not a ticked question.',
      'Write "None." or a list of ticked questions.',
    ),
  ];
}

function checkDependencies(sections: readonly Section[]): Finding[] {
  const title = 'Dependencies';
  const section = findSection(sections, title);
  const placeholder =
    section === undefined
      ? null
      : /#(tbd|todo|n+|x+|\?+|0+)(?![\p{L}\p{N}])|\btbd\b/iu.exec(contentText(section));
  if (placeholder === null) return [];
  return [
    finding(
      'blocking',
      title,
      `"${placeholder[0].slice(0, 40)}" is not an issue number.`,
      'Name a real issue, or write "None".',
    ),
  ];
}

function checkFilingFields(draft: string): Finding[] {
  const findings: Finding[] = [];
  for (const [section, read] of [
    ['Title', readTitle],
    ['Labels', readLabels],
  ] as const) {
    try {
      read(draft);
    } catch (error) {
      if (!(error instanceof GatewrightError)) throw error;
      findings.push(finding('blocking', section, error.message, error.hint));
    }
  }
  return findings;
}

/** All findings about an issue draft, most serious first. Blocking ones send it back before a reviewer is asked. */
export function checkIssueDraft(draft: string): Finding[] {
  if (draft.length > longestBody - 1024) {
    return [
      finding(
        'blocking',
        '',
        `The draft has ${draft.length} characters; a forge takes ${longestBody - 1024}.`,
        'Shorten it, or split the issue.',
      ),
    ];
  }
  const sections = listSections(parseMarkdown(draft));
  const findings = [
    ...checkFilingFields(draft),
    ...checkSections(sections),
    ...checkCriteria(sections),
    ...checkOpenQuestions(sections),
    ...checkDependencies(sections),
  ];
  const rank = { blocking: 0, high: 1, suggestion: 2 };
  return findings.sort((a, b) => rank[a.tier] - rank[b.tier]).slice(0, 100);
}
