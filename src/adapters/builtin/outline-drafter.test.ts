/** The drafter without a model: everything the brief says lands in the draft, and what it leaves open is marked. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { findLabels, readTitle } from '../../domain/drafts/issue-draft.ts';
import { checkIssueDraft, gapMark } from '../../domain/drafts/mechanical-checks.ts';
import { findSection, listSections, parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { outlineIssue } from './issue-outline.ts';
import { outlineDrafter } from './outline-drafter.ts';

const brief = `# Export reports as CSV

People copy numbers out of the report page by hand.

- a button on every report page
- the same columns as on the screen
`;

/** Words of one section of the draft, deeper headings included. */
function wordsOf(draft: string, title: string): string {
  const section = findSection(listSections(parseMarkdown(draft)), title);
  return section === undefined ? '(missing)' : section.content.map((node) => plainText(node)).join('\n');
}

function blocking(draft: string): string[] {
  return checkIssueDraft(draft)
    .filter((finding) => finding.tier === 'blocking')
    .map((finding) => finding.section);
}

const allSections = [
  'User Story',
  'Objective',
  'UX Flow',
  'Requirements',
  'Technical Approach',
  'Risk Checklist',
  'Security Considerations',
  'Files to Create/Modify',
  'Dependencies',
  'Out of Scope',
  'Open Questions',
  'Acceptance Criteria',
  'Definition of Done',
  'Testing Notes',
];

function missingSections(draft: string): string[] {
  const sections = listSections(parseMarkdown(draft));
  return allSections.filter((title) => findSection(sections, title) === undefined);
}

describe('outlineIssue', () => {
  it.each([
    ['Ziel: Nutzer sollen eine Datei bekommen.', '- Knopf auf jeder Seite'],
    ['**Ziel:** Nutzer sollen eine Datei bekommen.', 'Anforderungen:\n\n- Knopf auf jeder Seite'],
    ['Unser Ziel: Wir brauchen eine Datei.', 'Der Knopf soll auf jeder Seite stehen.'],
    ['Goal: people should get a file.', '- a button on every page'],
    ['- Goal: people must get a file', '- a button on every page'],
  ])('takes what is introduced as the goal for the objective, not for a requirement: %s', (goal, rest) => {
    const draft = outlineIssue(`# CSV\n\n${goal}\n${goal.startsWith('-') ? '' : '\n'}${rest}\n`, 'CSV');
    const said = goal.replaceAll('*', '').replace(/^- /u, '');
    expect(wordsOf(draft, 'Objective')).toContain(said);
    expect(wordsOf(draft, 'Requirements')).not.toMatch(/Ziel|Goal/u);
    expect(wordsOf(draft, 'Requirements')).toMatch(/Knopf|button/u);
  });

  it('takes a goal for what is required when the brief asks for nothing else, or names another goal', () => {
    const alone = outlineIssue('# CSV\n\nZiel: Wir brauchen eine Datei.\n', 'CSV');
    expect(wordsOf(alone, 'Objective')).toContain('Wir brauchen eine Datei.');
    expect(wordsOf(alone, 'Requirements')).toContain('Wir brauchen eine Datei.');
    const headed = outlineIssue(
      '# CSV\n\nGoal: it must be fast.\n\n- a button\n\n## Objective\n\nLess typing.\n',
      'CSV',
    );
    expect(wordsOf(headed, 'Objective')).toContain('Less typing.');
    expect(wordsOf(headed, 'Requirements')).toContain('it must be fast');
  });

  it('asks what the brief itself calls undecided, so that nothing is filed before it is answered', () => {
    const scribble = `emoji are dropped

maybe an option \`emoji\`, no idea about the default
- the default stays as it is
- docs
TODO ask Sam

Colours: TBD
`;
    const draft = outlineIssue(scribble, 'fallback');
    expect(wordsOf(draft, 'Open Questions')).toBe(
      'maybe an option emoji, no idea about the default\nTODO ask Sam\nColours: TBD',
    );
    expect(blocking(draft)).toContain('Open Questions');
  });

  it('asks about every doubt and every mark that something is to be done, and about no word in code or in a name', () => {
    const told = `# A TODO list

Users are not sure which button saves. Why? It has no name.

- \`// TODO: rename\` stays in the code
- the page shows TODO comments
- TODO: a button

## TODO

TODO:

- a colour

## Questions

- [x] TODO decide: which colour? Blue.
`;
    const draft = outlineIssue(told, 'fallback');
    expect(wordsOf(draft, 'Open Questions')).toBe(
      'Users are not sure which button saves.\nWhy?\nTODO: a button\nTODO:\na colour\nTODO decide: which colour? Blue.',
    );
    expect(draft).toContain('- [x] TODO decide: which colour? Blue.');
    expect(wordsOf(draft, 'Requirements')).toBe(
      '// TODO: rename stays in the code\nthe page shows TODO comments',
    );
  });

  it('makes of an ordinary brief a draft that nothing blocks', () => {
    const draft = outlineIssue(brief, 'fallback');
    expect(blocking(draft)).toEqual([]);
    expect(missingSections(draft)).toEqual([]);
    expect(readTitle(draft)).toBe('Export reports as CSV');
    expect(wordsOf(draft, 'Objective')).toBe('People copy numbers out of the report page by hand.');
    expect(wordsOf(draft, 'Requirements')).toBe(
      'a button on every report page\nthe same columns as on the screen',
    );
    expect(draft).toContain('- [ ] a button on every report page\n- [ ] the same columns as on the screen');
    expect(findLabels(draft)).toEqual([]);
  });

  it('gives the same draft for the same brief', () => {
    expect(outlineIssue(brief, 'fallback')).toBe(outlineIssue(brief, 'fallback'));
  });

  it('marks the criteria as a gap when the brief has no list', () => {
    const draft = outlineIssue('# Export\n\nPeople copy numbers by hand.\n', 'fallback');
    expect(wordsOf(draft, 'Acceptance Criteria')).toContain(gapMark);
    expect(blocking(draft)).toContain('Acceptance Criteria');
    expect(wordsOf(draft, 'Requirements')).toContain(gapMark);
    expect(wordsOf(draft, 'Objective')).toBe('People copy numbers by hand.');
  });

  it.each([
    ['Out of scope', 'Out of Scope'],
    ['Non-goals', 'Out of Scope'],
    ['Success criteria', 'Acceptance Criteria'],
    ['Done when', 'Acceptance Criteria'],
    ['User story', 'User Story'],
    ['Open questions', 'Open Questions'],
    ['Security', 'Security Considerations'],
    ['Privacy', 'Security Considerations'],
    ['How to test', 'Testing Notes'],
    ['Blocked by', 'Dependencies'],
    ['Files', 'Files to Create/Modify'],
    ['Technical design', 'Technical Approach'],
    ['Usage', 'UX Flow'],
    ['What we need', 'Requirements'],
    ['Features', 'Requirements'],
    ['Why', 'Objective'],
    ['3. Background', 'Objective'],
  ])('puts what stands under "%s" into "%s"', (heading, section) => {
    const draft = outlineIssue(
      `# T\n\nIntro.\n\n## ${heading}\n\n- something quite particular\n`,
      'fallback',
    );
    expect(wordsOf(draft, section)).toContain('something quite particular');
  });

  it('reads the first section as what its heading says when nothing stands under the title', () => {
    const draft = outlineIssue(
      '# Export\n\n## Out of scope\n\n- no PDF\n\n## Requirements\n\n- CSV\n',
      'fallback',
    );
    expect(wordsOf(draft, 'Out of Scope')).toBe('no PDF');
    expect(wordsOf(draft, 'Requirements')).toBe('CSV');
    expect(wordsOf(draft, 'Acceptance Criteria')).toBe('CSV');
  });

  it('takes the stated criteria before the requirements', () => {
    const draft = outlineIssue(
      '# T\n\nIntro.\n\n## Requirements\n\n- r\n\n## Acceptance criteria\n\n- [x] c\n',
      'fallback',
    );
    expect(wordsOf(draft, 'Acceptance Criteria')).toBe('c');
    expect(draft).toContain('- [ ] c');
  });

  it('joins two sections that speak of the same', () => {
    const draft = outlineIssue('# T\n\nIntro.\n\n## Security\n\none\n\n## Privacy\n\ntwo\n', 'fallback');
    expect(wordsOf(draft, 'Security Considerations')).toBe('one\ntwo');
  });

  it('keeps sections that fit nowhere', () => {
    const draft = outlineIssue(`${brief}\n## Thanks\n\nTo Ada.\n\n### Deeper\n\nTo Grace.\n`, 'fallback');
    for (const said of ['Thanks', 'To Ada.', 'Deeper', 'To Grace.'])
      expect(wordsOf(draft, 'The Brief')).toContain(said);
  });

  it('leaves the questions open, so that the draft is not sent on with them', () => {
    const draft = outlineIssue(`${brief}\n## Open questions\n\n- Which separator?\n`, 'fallback');
    expect(draft).toContain('- [ ] Which separator?');
    expect(blocking(draft)).toEqual(['Open Questions']);
    expect(blocking(outlineIssue(`${brief}\n## Questions\n\nWhich separator?\n`, 'fallback'))).toEqual([
      'Open Questions',
    ]);
  });

  it.each([
    ['Labels: bug, ui', ['bug', 'ui']],
    ['**Labels:** `bug`, `ui`', ['bug', 'ui']],
    ['label: bug', ['bug']],
    ['no such line', []],
    ['Labels: these are the words above the fields, which nobody reads', []],
    ['`Labels: bug`', []],
    ['> Labels: bug', []],
    ['~~Labels: bug~~', []],
    ['<!-- Labels: bug -->', []],
  ])('labels: %s', (line, labels) => {
    const draft = outlineIssue(`# T\n\n${line}\n\nIntro.\n\n- a\n`, 'fallback');
    expect(findLabels(draft)).toEqual(labels);
  });

  it('does not let a brief ask for a control label', () => {
    expect(blocking(outlineIssue(`${brief}\nLabels: hold\n`, 'fallback'))).toEqual(['Labels']);
  });

  it.each([
    ['the title', '# A title\n\nIntro.', 'A title'],
    ['the first heading', '## A section\n\nIntro.', 'A section'],
    ['the first sentence', 'One sentence. Another.', 'One sentence.'],
    ['the fallback', '- only a list', 'fallback'],
    ['the fallback for nothing', '', 'fallback'],
  ])('takes as its title %s', (_, text, title) => {
    expect(readTitle(outlineIssue(text, 'fallback'))).toBe(title);
  });

  it.each([
    ['none', 'Make a file so that nobody has to copy. Soon.', 'Not stated in the brief.'],
    [
      'one',
      'As a clerk, I want a file, so that I need not copy.',
      'As a clerk, I want a file, so that I need not copy.',
    ],
    [
      'one on three lines',
      'As a clerk\nI want a file\nso that I rest',
      'As a clerk\nI want a file\nso that I rest',
    ],
    ['a German one', 'Als Kundin möchte ich eine Datei.', 'Als Kundin möchte ich eine Datei.'],
  ])('takes the user story of the brief, and makes none: %s', (_, text, story) => {
    expect(wordsOf(outlineIssue(`# Export\n\n${text}\n\n- a\n`, 'fallback'), 'User Story')).toBe(story);
  });
});

describe('outlineIssue loses nothing', () => {
  it.each([
    ['the second sentence of the only paragraph', '# T\n\nCopying is slow. Particular words.\n\n- a\n'],
    ['text above the list of requirements', '# T\n\nIntro.\n\n## Requirements\n\nParticular words.\n\n- a\n'],
    [
      'text above the list of criteria',
      '# T\n\nIntro.\n\n## Acceptance criteria\n\nParticular words.\n\n- a\n',
    ],
    ['criteria that are no list', '# T\n\nIntro.\n\n- a\n\n## Acceptance criteria\n\nParticular words.\n'],
    [
      'text above the list of questions',
      '# T\n\nIntro.\n\n- a\n\n## Open questions\n\nParticular words.\n\n- b?\n',
    ],
    ['code under the title', '# T\n\nIntro.\n\n```\nParticular words.\n```\n\n- a\n'],
    ['a quote under the title', '# T\n\nIntro.\n\n> Particular words.\n\n- a\n'],
    ['a table under the title', '# T\n\nIntro.\n\n| Particular words. |\n|---|\n\n- a\n'],
    ['text on the line after the labels', '# T\n\nIntro.\n\nLabels: bug\nParticular words.\n\n- a\n'],
  ])('%s', (_, text) => {
    expect(plainText(parseMarkdown(outlineIssue(text, 'fallback')))).toContain('Particular words');
  });
});

describe('outlineIssue keeps its sections', () => {
  it('takes the first sentence of an objective that is wrapped over lines', () => {
    const text =
      '# T\n\nIntro.\n\n- a\n\n## Goal\n\nReports can be\nexported as files. There is more\nto say about it.\n';
    expect(wordsOf(outlineIssue(text, 'fallback'), 'Objective').replace(/\s+/gu, ' ')).toBe(
      'Reports can be exported as files.',
    );
  });

  it.each([
    ['an unclosed code fence', `${brief}\n## Design\n\n\`\`\`\ncode\n`],
    ['an unclosed comment', `${brief}\n## Design\n\n<!-- later\n`],
    ['a long code block as the objective', `${brief}\n## Goal\n\n\`\`\`\n${'words '.repeat(60)}\n\`\`\`\n`],
    ['a comment as the objective', `${brief}\n## Goal\n\n<!-- Why. -->\n\nTo save time.\n`],
  ])('after %s', (_, text) => {
    expect(missingSections(outlineIssue(text, 'fallback'))).toEqual([]);
  });
});

describe('outlineIssue on anything', () => {
  const fragments = [
    '# T\n\n',
    '## Goal\n\n',
    '\n## Requirements\n\n',
    '\n## Thanks\n',
    'words. ',
    '- a\n',
    '- [x] b\n',
    '> ',
    '```\n',
    '<!--',
    '-->',
    'Labels: hold\n',
    '\n\n',
    '\r\n',
    '|',
    '`',
    '\t',
    '\0',
    '\u202E',
    '$(x)',
    '../',
  ];
  const anyBrief = hostileText(fragments, 80);

  it('gives a text that begins with a title and a labels line and ends with one line break', () => {
    fc.assert(
      fc.property(anyBrief, (text) => {
        const draft = outlineIssue(text, 'fallback');
        expect(draft).toMatch(/^# [^\n]*\n\n\*\*Labels:\*\*/u);
        expect(draft.endsWith('\n')).toBe(true);
        for (const title of allSections) expect(draft).toContain(`\n## ${title}\n\n`);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('does not fail on quotes nested thousands deep', () => {
    expect(outlineIssue('>'.repeat(10_000), 'fallback')).toContain('# fallback');
  });
});

describe('outlineDrafter', () => {
  const request = { role: 'drafter', call: 1, instructions: '', messages: [] };

  it('drafts from the brief, and leaves a draft as it is', async () => {
    const first = await outlineDrafter.answerText({ ...request, material: { brief, title: 'x' } });
    expect(first.value).toBe(outlineIssue(brief, 'x'));
    const second = await outlineDrafter.answerText({
      ...request,
      material: { brief, title: 'x', draft: 'mine' },
    });
    expect(second.value).toBe('mine');
    expect(first).toMatchObject({ reportedModel: 'builtin:outline', usage: { costUsd: 0, turns: 0 } });
  });
});
