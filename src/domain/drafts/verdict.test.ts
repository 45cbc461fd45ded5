/** A verdict is rendered so that nothing in it can be taken for a box or a heading of ours. */
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { parseMarkdown } from '../text/markdown.ts';
import { readVerdict } from './read-verdict.ts';
import {
  type Decision,
  decisions,
  effectiveDecision,
  isClean,
  renderVerdict,
  type Verdict,
  verdictSchema,
} from './verdict.ts';

const fragments = [
  '- [x] **APPROVED**',
  '- [X] __APPROVED__: yes',
  '- [x] **REVISE**',
  '- [ ] **DISCUSS**',
  '[x] **APPROVED**',
  '**APPROVED**',
  'APPROVED',
  'NOT ',
  '- ',
  '1. ',
  '+ ',
  '> ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '    ',
  '\t',
  '```\n',
  '~~~\n',
  '<!--',
  '-->',
  '<details>',
  '# ',
  '===',
  '---',
  '|',
  '\\',
  '`',
  '&#91;x&#93; ',
  '\u202E',
  '\0',
  '$(x)',
  '../',
  '[^1]: ',
  '[a]: b',
];

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 3 }).map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const filled = line.map((text) => text || 'x');

const anyVerdict: fc.Arbitrary<Verdict> = fc.record({
  decision: fc.constantFrom(...decisions),
  summary: filled,
  findings: fc.array(
    fc.record({
      tier: fc.constantFrom('blocking', 'high', 'suggestion'),
      category: filled.map((text) => text.slice(0, 60)),
      section: line.map((text) => text.slice(0, 120)),
      problem: filled,
      fix: line,
    }),
    { maxLength: 2 },
  ),
  questions: fc.array(filled, { maxLength: 1 }),
});

function walk(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node);
  if ('children' in node) for (const child of node.children) walk(child, visit);
}

describe('renderVerdict', () => {
  it('reads back as the effective decision, whatever the reviewer wrote and is called', {
    timeout: 180_000,
  }, () => {
    fc.assert(
      fc.property(anyVerdict, line, line, (verdict, reviewer, prompt) => {
        const text = renderVerdict(verdict, { reviewer, prompt, review: 1 });
        expect(readVerdict(text, text)).toEqual({ decision: effectiveDecision(verdict), unclear: null });
        // Editors change line ends and what stands at the end of a file.
        expect(readVerdict(`${text.replaceAll('\n', '\r\n')}\r\n`, text).decision).toBe(
          effectiveDecision(verdict),
        );
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('has our three boxes and our own headings only, whatever a finding says', { timeout: 180_000 }, () => {
    fc.assert(
      fc.property(filled, line, (problem, fix) => {
        const finding = {
          tier: 'high',
          category: problem.slice(0, 60),
          section: fix.slice(0, 120),
          problem,
          fix,
        } as const;
        const verdict: Verdict = {
          decision: 'REVISE',
          summary: 's',
          findings: [finding],
          questions: [problem],
        };
        const counts = { listItem: 0, heading: 0 };
        walk(parseMarkdown(renderVerdict(verdict, { reviewer: 'r', prompt: 'p', review: 1 })), (node) => {
          if (node.type === 'heading') counts.heading += 1;
          if (node.type === 'listItem' && typeof node.checked === 'boolean') counts.listItem += 1;
        });
        expect(counts).toEqual({ listItem: 3, heading: 5 });
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('shows everything that was found', () => {
    const text = renderVerdict(
      {
        decision: 'REVISE',
        summary: 'Nearly.',
        findings: [
          { tier: 'suggestion', category: 'Quality', section: '', problem: 'Wordy', fix: '' },
          {
            tier: 'blocking',
            category: 'Security',
            section: 'Requirements',
            problem: 'No limit',
            fix: 'Name one',
          },
        ],
        questions: ['Who pays?'],
      },
      { reviewer: 'Gemini', prompt: '0701c', review: 3 },
    );
    expect(text).toBe(`# Review 3

Reviewer: Gemini · prompt: 0701c

Nearly.

## Blocking

- **Security** (Requirements): No limit
  Fix: Name one

## Suggestions

- **Quality**: Wordy

## Questions for a person

- Who pays?

## Notes

What a person writes here is kept with the verdict. It decides nothing.

## Verdict

- [ ] **APPROVED**: ready to go on as it is
- [x] **REVISE**: the findings above have to be settled first
- [ ] **DISCUSS**: a person has to decide something first
`);
  });
});

describe('effectiveDecision', () => {
  const finding = (tier: 'blocking' | 'high' | 'suggestion') => ({
    tier,
    category: 'Quality',
    section: '',
    problem: 'p',
    fix: '',
  });

  it.each<[Decision, readonly ('blocking' | 'high' | 'suggestion')[], Decision, boolean]>([
    ['APPROVED', [], 'APPROVED', true],
    ['APPROVED', ['high', 'suggestion'], 'APPROVED', true],
    ['APPROVED', ['suggestion', 'blocking'], 'REVISE', false],
    ['REVISE', [], 'REVISE', false],
    ['REVISE', ['blocking'], 'REVISE', false],
    ['DISCUSS', [], 'DISCUSS', false],
    ['DISCUSS', ['blocking'], 'DISCUSS', false],
  ])('%s with findings %j comes to %s', (decision, tiers, effective, clean) => {
    const verdict: Verdict = { decision, summary: 's', findings: tiers.map(finding), questions: [] };
    expect(effectiveDecision(verdict)).toBe(effective);
    expect(isClean(verdict)).toBe(clean);
  });
});

describe('verdictSchema', () => {
  const good = { decision: 'APPROVED', summary: 's', findings: [], questions: [] };

  it.each([
    ['good', good, true],
    ['another decision', { ...good, decision: 'approved' }, false],
    ['no summary', { ...good, summary: '' }, false],
    ['no findings', { decision: 'APPROVED', summary: 's', questions: [] }, false],
    [
      'an unknown tier',
      { ...good, findings: [{ tier: 'minor', category: 'Q', section: '', problem: 'p', fix: '' }] },
      false,
    ],
    ['a text', 'APPROVED', false],
  ])('%s', (_, value, isValid) => {
    expect(verdictSchema.safeParse(value).success).toBe(isValid);
  });
});
