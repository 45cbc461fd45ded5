/** The drafter of designs without a model: nothing of the issue is lost, and nothing of it breaks the design. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftText } from '../../../test/support/cassettes.ts';
import { hostileText } from '../../../test/support/hostile-text.ts';
import { findDesignGaps } from '../../domain/drafts/mechanical-checks.ts';
import { mentions } from '../../domain/spoken/spoken-text.ts';
import { listSections, parseMarkdown } from '../../domain/text/markdown.ts';
import { checkLldDraft } from '../../workflows/authoring/lld/rules/lld-checks.ts';
import { outlineDesign } from './design-outline.ts';
import { outlineIssue } from './issue-outline.ts';
import { outlineDrafter } from './outline-drafter.ts';

const briefs = join(import.meta.dirname, '../../../test/briefs');
const headings = outlineDesign('# x', '7', [])
  .split('\n')
  .filter((line) => line.startsWith('#'));

function headingsOf(design: string): string[] {
  return listSections(parseMarkdown(design)).map(({ depth, title }) => `${'#'.repeat(depth)} ${title}`);
}

/** What a person still has to fill in, and nothing else, may block. */
function expectOnlyGaps(design: string, files: readonly string[] = []): void {
  for (const { tier, problem } of checkLldDraft(design, { issue: 7, files })) {
    if (tier === 'blocking') expect(problem).toMatch(/still has a gap|no table of files/u);
  }
}

describe('outlineDesign', () => {
  it('takes what an issue of ours says', () => {
    const design = outlineDesign(draftText('Thing', { note: 'It saves time.' }), '7', ['src/thing.ts']);
    expect(design).toContain('# LLD-7: Thing\n');
    expect(design).toContain('**Objective:** It saves time.');
    expect(design).toContain('| `src/thing.ts` | Modify |');
    expect(design).toContain('1. `thing --help` exits with 0');
    expect(design).toContain('| 010 | `thing --help` exits with 0 | Auto | it holds (REQ-1) |');
    expectOnlyGaps(design, ['src/thing.ts']);
  });

  it('takes what the drafter of issues made of a brief', () => {
    const brief = '# Export\n\nPeople copy numbers.\n\n- a button on every page\n- the same columns\n';
    const design = outlineDesign(outlineIssue(brief, 'x'), '7', []);
    expect(design).toContain('1. a button on every page\n2. the same columns\n');
    expect(design).toContain('(REQ-2)');
    expectOnlyGaps(design);
  });

  it.each([
    outlineIssue('# Export\n\n- a button\n\nFiles: src/a.ts, src/b.ts\n', 'x'),
    '# Export\n\n- a button\n\nFiles: src/a.ts, src/b.ts\n',
  ])('takes the files of a line in an issue: %j', (issue) => {
    const design = outlineDesign(issue, '7', ['src/a.ts']);
    expect(design).toMatch(/\| `src\/a\.ts` \| Modify \|.*\n\| `src\/b\.ts` \|/u);
  });

  it('uses the list of files of any issue, and adds none that is not called new', () => {
    const issue = `# Limit

## Files

- \`src/index.ts\`: the limit | and its name
- src/limit.ts (new): counts
- \`src/old.ts\` is removed
- \`src/indx.ts\`
- the parser
`;
    const design = outlineDesign(issue, '7', ['src/index.ts', 'src/old.ts']);
    expect(design.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
      '| `src/index.ts` | Modify | the limit \\| and its name |',
      '| `src/limit.ts` | Add | (new): counts |',
      '| `src/old.ts` | Delete | is removed |',
      expect.stringMatching(/^\| `src\/indx\.ts` \| Modify \| _Not in the issue/u),
    ]);
    const problems = checkLldDraft(design, { issue: 7, files: ['src/index.ts', 'src/old.ts'] }).map(
      (one) => one.problem,
    );
    expect(problems.join()).toContain('Did you mean `src/index.ts`');
  });

  it('carries questions, dependencies and code over, and claims nothing', () => {
    const issue = `# T

## Requirements

- \`a  b\` and \`@claude\` stay
- maybe \`c|d\`?

## Dependencies

- #3

## Open Questions

- [x] Which? This.
- [ ] When?

## The Brief

> - really?
`;
    const design = outlineDesign(issue, '7', []);
    expect(design).toContain('1. `a  b` and `@claude` stay\n');
    expect(design).toContain('**Related:** #3\n');
    expect(design).toContain('### Open Questions\n\n- [ ] maybe `c|d`?\n- [x] Which? This.\n- [ ] When?\n');
    expect(design).not.toContain('really');
    expect(mentions(design, 'claude')).toBe(false);
    expect(outlineDesign('# T\n\nx\n', '7', [])).not.toMatch(/^None\.?$/mu);
  });

  it.each(readdirSync(briefs))(
    'asks nothing that the issue asked and a person ticked, with or without an answer: %s',
    (name) => {
      const issue = outlineIssue(readFileSync(join(briefs, name), 'utf8'), 'Thing');
      const asked = (text: string): string[] => {
        const [, section = ''] = /\n###? Open Questions\n(.*?)(?=\n## |\n### |$)/su.exec(text) ?? [];
        return section.split('\n').filter((line) => line.startsWith('- [ ]'));
      };
      for (const answer of ['', ' Yes, as it is.']) {
        const lines = new Set(asked(issue));
        const ticked = issue
          .split('\n')
          .map((line) => (lines.has(line) ? `${line.replace('[ ]', '[x]')}${answer}` : line))
          .join('\n');
        expect(asked(outlineDesign(ticked, '7', []))).toEqual([]);
      }
      expect(asked(outlineDesign(issue, '7', [])).length).toBeGreaterThanOrEqual(asked(issue).length);
    },
  );

  it('leaves gaps that are told before it is sent: all that block it, and none that is filled', () => {
    const design = outlineDesign('# Thing\n\n- it counts\n', '7', []);
    const blocking = checkLldDraft(design, { issue: 7, files: [] })
      .filter(({ tier, problem }) => tier === 'blocking' && problem.includes('gap'))
      .map(({ section }) => section);
    expect(findDesignGaps(design)).toEqual(blocking);
    expect(blocking.length).toBeGreaterThan(5);
    const filled = design.replace(/_Not in the issue: how it works\._/u, 'One function.');
    expect(findDesignGaps(filled)).toEqual(blocking.filter((title) => title !== '2.6 Approach'));
    expect(findDesignGaps(outlineIssue('# Thing\n', 'Thing'))).toEqual([]);
  });

  it('makes the same of the same', async () => {
    const material = { workflow: 'lld', brief: draftText('T'), issue: '7', files: 'a\nb' };
    const request = { role: 'drafter', call: 1, instructions: '', messages: [], material };
    const answer = await outlineDrafter.answerText(request);
    expect(answer.value).toBe(outlineDesign(draftText('T'), '7', ['a', 'b']));
    const again = await outlineDrafter.answerText({
      ...request,
      material: { ...material, draft: 'as it was' },
    });
    expect(again.value).toBe('as it was');
  });

  it.each([
    ['an open fence', '## Security Considerations\n\n    ```ts\n\ntext\n\n## Objective\n\nx\n'],
    ['an open fence in a list', '## Acceptance Criteria\n\n- ```\n- ~~~ x\n- <!-- y\n'],
    [
      'a comment in code',
      '## Objective\n\n`<!--` and `<script>`\n\n## Technical Approach\n\n    <!-- open\n',
    ],
    ['marks of a table', '## Acceptance Criteria\n\n- a | b \\| c ` | ` d\n'],
    ['headings in items', '## Acceptance Criteria\n\n- # 12. Done\n- ## Review Log\n'],
    ['a title that is a heading', '# ### 11. Risks\n'],
    ['thousands of lists in each other', `## Files to Create/Modify\n\n${'- '.repeat(20_000)}\`a.ts\`\n`],
    ['thousands of quotes in each other', `## Objective\n\n${'> '.repeat(20_000)}a\n`],
  ])('%s in the issue swallows no section', (_, issue) => {
    const design = outlineDesign(issue, '7', []);
    expect(headingsOf(design).slice(1)).toEqual(headings.slice(1));
    expect(
      checkLldDraft(design, { issue: 7, files: [] })
        .map((one) => one.problem)
        .join(),
    ).not.toMatch(/never closed|review log|names no issue/u);
  });

  it('has its sections whatever the issue says', () => {
    const fragments = [
      ...[
        '## Objective\n',
        '## Acceptance Criteria\n',
        '## Files to Create/Modify\n',
        '## Security Considerations\n',
      ],
      ...[
        '- x\n',
        '```\n',
        '~~~',
        '<!--',
        '-->',
        '<script>',
        '|',
        '`',
        '# ',
        '\n\n',
        '> ',
        '\\',
        '===\n',
        '1. ',
        '    ',
      ],
    ];
    fc.assert(
      fc.property(hostileText(fragments), (issue) => {
        expect(headingsOf(outlineDesign(issue, '7', [])).slice(1)).toEqual(headings.slice(1));
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  '# T\n\n**Labels:** `bug`, `some label that no person would call a name`\n\n## Acceptance Criteria\n\n- [ ] It works.\n',
  '# T\n\n**Labels:** not bug\n\n## Acceptance Criteria\n\n- [ ] It works.\n',
  '# T\n\n## Acceptance Criteria\n\n- [ ] It works.\n\n**Labels:** `bug`\n',
])('asks nothing about the labels of an issue, and requires nothing of them: %j', (issue) => {
  const design = outlineDesign(issue, '3', []);
  expect(design).toContain('### Open Questions\n\nNot stated in the issue.');
  expect(design).toContain('## 3. Requirements\n\n1. It works.\n\n');
});
