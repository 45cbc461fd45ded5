/** What a person says at the gate reaches the draft, and a changed brief does not undo what a person edited. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { findLabels } from '../../domain/drafts/issue-draft.ts';
import { findOpenQuestions } from '../../domain/drafts/mechanical-checks.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import { findSection, listSections, parseMarkdown, plainText } from '../../domain/text/markdown.ts';
import { outlineDesign } from './design-outline.ts';
import { outlineIssue } from './issue-outline.ts';
import { outlineDrafter } from './outline-drafter.ts';
import { addFeedback, addQuestions, followBrief } from './revise-outline.ts';

const brief = '# Export reports as CSV\n\nPeople copy numbers by hand.\n\n- a button on every page\n';
const draft = outlineIssue(brief, 'x');

function wordsOf(text: string, title: string): string {
  const section = findSection(listSections(parseMarkdown(text)), title);
  return (section?.content ?? []).map((node) => plainText(node)).join('\n');
}

describe('addFeedback', () => {
  it.each([
    ['Name the size limit', 'Open Questions', 'Name the size limit'],
    ['Which separator?', 'Open Questions', 'Which separator?'],
    ['It must be UTF-8.', 'Open Questions', 'It must be UTF-8.'],
    ['Out of scope: PDF', 'Out of Scope', 'PDF'],
    ['not now: PDF', 'Out of Scope', 'PDF'],
    ['Depends on #4', 'Dependencies', 'Depends on #4'],
    ['- the file is UTF-8', 'Acceptance Criteria', 'a button on every page\nthe file is UTF-8'],
    ['- the file is UTF-8', 'Requirements', 'a button on every page\nthe file is UTF-8'],
    ['Acceptance criteria:\n- a\n- b', 'Acceptance Criteria', 'a button on every page\na\nb'],
    ['Security: nothing leaves the machine', 'Security Considerations', 'nothing leaves the machine'],
    ['As a clerk, I want a file.', 'User Story', 'As a clerk, I want a file.'],
    ['## Testing\n\nopen the file', 'Testing Notes', 'open the file'],
  ])('puts %j into "%s"', (feedback, section, words) => {
    expect(wordsOf(addFeedback(draft, feedback), section)).toBe(words);
  });

  it('sets the labels, and leaves the other sections as they were', () => {
    const revised = addFeedback(draft.replace('People copy', 'Clerks copy'), 'Labels: bug, ui');
    expect(findLabels(revised)).toEqual(['bug', 'ui']);
    expect(wordsOf(revised, 'Objective')).toBe('Clerks copy numbers by hand.');
  });

  it('changes the draft whatever is said, keeps its sections, and calls no agent that was not called', () => {
    const fragments = [
      '`@claude`',
      '- [ ] @claude go',
      '> @claude',
      '```\n',
      '## Goal\n',
      '# T\n',
      'maybe ',
      '\n\n',
      '- a\n',
      '<!--',
      'Labels: x\n',
      'Files:\n',
    ];
    const titles = listSections(parseMarkdown(draft)).map(({ title }) => title);
    fc.assert(
      fc.property(hostileText(fragments, 60), (text) => {
        fc.pre(text.trim() !== '');
        const revised = addFeedback(draft, text);
        expect(revised).not.toBe(draft);
        expect(listSections(parseMarkdown(revised)).map(({ title }) => title)).toEqual(titles);
        if (!mentions(text, 'claude')) expect(mentions(revised, 'claude')).toBe(false);
      }),
      { numRuns: propertyRuns(4_000) / 4 },
    );
  });
});

describe('followBrief', () => {
  const changed = brief
    .replace('a button on every page', 'a button on every page\n- the same columns')
    .concat('\nLabels: ui\n');

  it('is the outline of the new brief where no person edited', () => {
    expect(followBrief(brief, changed, draft, 'x')).toBe(outlineIssue(changed, 'x'));
  });

  it('keeps what a person edited or added', () => {
    const edited = draft
      .replace('Not stated in the brief.\n\n## Objective', 'As a clerk, I rest.\n\n## Objective')
      .replace('## The Brief', '## Notes\n\nmine\n\n## The Brief');
    const next = followBrief(brief, changed, edited, 'x');
    expect(wordsOf(next, 'User Story')).toBe('As a clerk, I rest.');
    expect(wordsOf(next, 'Notes')).toBe('mine');
    expect(wordsOf(next, 'Requirements')).toBe('a button on every page\nthe same columns');
    expect(findLabels(next)).toEqual(['ui']);
    expect(wordsOf(next, 'The Brief')).toContain('the same columns');
  });
});

describe('addQuestions', () => {
  const design = outlineDesign('# Limit\n\n- a\n', '7', []);

  it('puts what a person asks at the gate of a design among its open questions', () => {
    const revised = addQuestions(design, 'Name `limit.ts`\n- [x] bound the loop\n\n# Why');
    expect(wordsOf(revised, 'Open Questions')).toBe('Name limit.ts\nbound the loop\n# Why');
    expect(findOpenQuestions(revised)).toHaveLength(3);
    expect(findOpenQuestions(addQuestions(revised, 'more'))).toHaveLength(4);
  });

  it('keeps the sections of the design and mentions no account', () => {
    const titles = listSections(parseMarkdown(design)).map(({ title }) => title);
    const fragments = [
      '`@claude`',
      '\\@claude',
      '```',
      '# x',
      '<!--',
      '\n',
      '- ',
      '| a',
      '> ',
      '**',
      '[a](b)',
    ];
    fc.assert(
      fc.property(hostileText(fragments, 40), (text) => {
        fc.pre(text.trim() !== '');
        const revised = addQuestions(design, text);
        expect(listSections(parseMarkdown(revised)).map(({ title }) => title)).toEqual(titles);
        if (!mentions(text, 'claude')) expect(mentions(revised, 'claude')).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('outlineDrafter', () => {
  it('gives feedback and a changed brief their place', async () => {
    const request = { role: 'drafter', call: 2, instructions: '', messages: [] };
    const material = {
      workflow: 'issue',
      brief: `${brief}- fast\n`,
      previousBrief: brief,
      title: 'x',
      draft,
      feedback: 'Which file?',
    };
    const { value } = await outlineDrafter.answerText({ ...request, material });
    expect(wordsOf(value, 'Requirements')).toBe('a button on every page\nfast');
    expect(wordsOf(value, 'Open Questions')).toBe('Which file?');
  });
});
