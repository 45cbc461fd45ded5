/** Each finding appears exactly when it should: a missing one lets a poor draft through, a false one wastes a round. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { checkIssueDraft, gapMark } from './mechanical-checks.ts';
import { verdictSchema } from './verdict.ts';

const sections: Readonly<Record<string, string>> = {
  'User Story': 'As a reader,\nI want a file,\nSo that I need not copy.',
  Objective: 'Reports can be exported.',
  'UX Flow': 'Press the button.',
  Requirements: '1. A button on every report page',
  'Technical Approach': 'A new route.',
  'Risk Checklist': '- [ ] **Cost:** does this cost money?',
  'Security Considerations': 'N/A: public data.',
  'Files to Create/Modify': '- `src/export.ts`',
  Dependencies: 'None',
  'Out of Scope': '- PDF',
  'Open Questions': 'None.',
  'Acceptance Criteria': '- [ ] The file has the columns of the screen\n- [x] A button is there',
  'Definition of Done': '- [ ] All tests pass',
  'Testing Notes': 'Press the button and open the file.',
};

interface Change {
  readonly title?: string;
  readonly labels?: string;
  /** New texts of sections; null leaves the section out. */
  readonly with?: Readonly<Record<string, string | null>>;
}

function makeDraft(change: Change = {}): string {
  const parts = Object.entries({ ...sections, ...change.with }).flatMap(([title, text]) =>
    text === null ? [] : [`## ${title}\n\n${text}`],
  );
  return [change.title ?? '# Export reports', change.labels ?? '**Labels:** `enhancement`', ...parts].join(
    '\n\n',
  );
}

/** Findings as `tier section`, in order. */
function check(change: Change): string[] {
  return checkIssueDraft(makeDraft(change)).map((finding) => `${finding.tier} ${finding.section}`);
}

describe('checkIssueDraft', () => {
  it('finds nothing in a good draft', () => {
    expect(checkIssueDraft(makeDraft())).toEqual([]);
  });

  it.each([
    'User Story',
    'Objective',
    'Requirements',
    'Out of Scope',
    'Acceptance Criteria',
    'Definition of Done',
  ])('blocks when "%s" is missing, empty, only a comment or still has a gap', (section) => {
    for (const text of [null, '', '<!-- later -->'])
      expect(check({ with: { [section]: text } })).toEqual([`blocking ${section}`]);
    expect(check({ with: { [section]: `- [ ] _${gapMark}: what is meant._` } })).toEqual([
      `blocking ${section}`,
    ]);
    expect(checkIssueDraft(makeDraft({ with: { [section]: null } }))[0]?.problem).toContain('is missing');
    expect(checkIssueDraft(makeDraft({ with: { [section]: '' } }))[0]?.problem).toContain('is empty');
    expect(checkIssueDraft(makeDraft({ with: { [section]: `- [ ] ${gapMark}` } }))[0]?.problem).toContain(
      'gap',
    );
  });

  it.each([
    'UX Flow',
    'Technical Approach',
    'Risk Checklist',
    'Security Considerations',
    'Files to Create/Modify',
    'Dependencies',
    'Testing Notes',
  ])('only suggests "%s", missing or with a gap', (section) => {
    expect(check({ with: { [section]: null } })).toEqual([`suggestion ${section}`]);
    expect(check({ with: { [section]: `_${gapMark}: this._` } })).toEqual([`suggestion ${section}`]);
  });

  it('does not ask for the section of open questions', () => {
    expect(check({ with: { 'Open Questions': null } })).toEqual([]);
  });

  it.each<[string, Change, string[]]>([
    ['no title', { title: 'text' }, ['blocking Title']],
    ['a long title', { title: `# ${'a'.repeat(257)}` }, ['blocking Title']],
    ['no labels line', { labels: 'text' }, []],
    ['a control label', { labels: '**Labels:** `bug`, `Auto-Merge`' }, ['blocking Labels']],
    ['a control label of the ai: kind', { labels: '**Labels:** ai:implement' }, ['blocking Labels']],
    ['a label that is too long', { labels: `**Labels:** ${'a'.repeat(51)}` }, ['blocking Labels']],
  ])('%s', (_, change, findings) => {
    expect(check(change)).toEqual(findings);
  });

  it.each<[string, string, number]>([
    ['no list', 'It works.', 1],
    ['items without boxes', '- It opens\n- [ ] It closes', 1],
    ['numbered without boxes', '1. It opens\n2. It closes', 2],
    ['vague', '- [ ] It is fast', 1],
    ['vague, upper case', '- [ ] It is User-Friendly', 1],
    ['vague, several words', '- [ ] Errors are shown as needed', 1],
    ['vague with a number', '- [ ] It is fast: an answer in 200 ms', 0],
    ['two vague ones', '- [ ] It looks nice\n- [ ] It is easy\n- [ ] It ends', 2],
    ['part of another word', '- [ ] Breakfast is listed', 0],
    ['vague word in code', '- [ ] `fast` is a flag of the command', 0],
    ['a number only in code does not measure', '- [ ] It is fast in `v2`', 1],
    ['an undecided one', '- [ ] The limit is TBD', 1],
    ['code that also stands inside a word before it', '- [ ] The fetched file lies in `etc`', 0],
    ['a vague word of which some code is a part', '- [ ] It is fast, see `as`', 1],
  ])('acceptance criteria: %s', (_, text, count) => {
    expect(check({ with: { 'Acceptance Criteria': text } })).toEqual(
      Array(count).fill('blocking Acceptance Criteria'),
    );
  });

  it.each<[string, string, number]>([
    ['none', 'None.', 0],
    ['none, otherwise', 'N/A', 0],
    ['none with a reason', 'None: the brief says it all.', 0],
    ['none as an item', '- None', 0],
    ['empty', '', 0],
    ['ticked', '- [x] Which columns? All.', 0],
    ['open', '- [ ] Which columns?', 1],
    ['an item without a box', '- Which columns?', 1],
    ['two open, one ticked', '- [ ] a?\n- [x] b?\n- [ ] c?', 2],
    ['a sentence', 'Which columns?', 1],
    ['none, or is there one?', 'None, or do we need a limit?', 1],
  ])('open questions: %s', (_, text, count) => {
    expect(check({ with: { 'Open Questions': text } })).toEqual(Array(count).fill('blocking Open Questions'));
  });

  it.each<[string, string, number]>([
    ['none', 'None', 0],
    ['a real issue', '- #42', 0],
    ['#TBD', '- #TBD', 1],
    ['#todo', 'Needs #todo first', 1],
    ['#XX', '#XX', 1],
    ['#???', '#???', 1],
    ['#0', '#0', 1],
    ['#000', '#000', 1],
    ['TBD', 'TBD', 1],
    ['#100', '#100', 0],
    ['a word that begins so', '#nice and #xylophone', 0],
  ])('dependencies: %s', (_, text, count) => {
    expect(check({ with: { Dependencies: text } })).toEqual(Array(count).fill('blocking Dependencies'));
  });

  it('looks for placeholders among the dependencies only', () => {
    expect(check({ with: { 'Technical Approach': 'See #TBD' } })).toEqual([]);
  });

  it('puts blocking findings before suggestions', () => {
    expect(check({ with: { 'UX Flow': null, Objective: null, 'Open Questions': '- [ ] a?' } })).toEqual([
      'blocking Objective',
      'blocking Open Questions',
      'suggestion UX Flow',
    ]);
  });

  it('does not take sections in quotes, code or comments for sections', () => {
    for (const hidden of [
      '> ## Objective\n>\n> x',
      '```\n## Objective\n\nx\n```',
      '<!--\n## Objective\n\nx\n-->',
    ]) {
      expect(check({ with: { Objective: null, 'Testing Notes': hidden } })).toEqual(['blocking Objective']);
    }
  });

  it.each([
    ['as long as a forge takes', 65_536 - 1024, 0],
    ['one character longer', 65_536 - 1024 + 1, 1],
  ])('%s', (_, length, count) => {
    const draft = makeDraft();
    expect(checkIssueDraft(draft + ' '.repeat(length - draft.length)).length).toBe(count);
  });

  it.each([
    ['a placeholder of thousands of letters', `#${'x'.repeat(5_000)}`],
    ['a placeholder of thousands of digits', `#${'0'.repeat(5_000)}`],
  ])('stays within what a verdict may hold: %s', (_, text) => {
    const findings = checkIssueDraft(makeDraft({ with: { Dependencies: text } }));
    expect(verdictSchema.shape.findings.safeParse(findings).success).toBe(true);
  });
});

const fragments = [
  ...Object.keys(sections).map((title) => `\n## ${title}\n\n`),
  '# T\n',
  '**Labels:** `hold`\n',
  '- [ ] fast\n',
  '- [x] done\n',
  '- \n',
  '```\n',
  '<!--',
  '-->',
  '> ',
  '#TBD ',
  gapMark,
  '`',
  '\n',
  '\0',
  '\u202E',
  '$(x)',
  '../',
];

describe('checkIssueDraft on anything', () => {
  const anyText = hostileText(fragments, 80);

  it('returns findings as a verdict holds them, most serious first, the same each time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const findings = checkIssueDraft(text);
        expect(verdictSchema.shape.findings.safeParse(findings).success).toBe(true);
        const lastBlocking = findings.findLastIndex((finding) => finding.tier === 'blocking');
        expect(findings.slice(0, lastBlocking + 1).every((finding) => finding.tier === 'blocking')).toBe(
          true,
        );
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('does not fail on quotes nested thousands deep', () => {
    expect(Array.isArray(checkIssueDraft(`## Objective\n\n${'>'.repeat(20_000)}`))).toBe(true);
  });
});
